"""The client against the real bridge: a run comes back whole, and whatever happens nothing that came is lost."""

import asyncio
import json
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator

import pytest

import engine.live
from engine.live import LinkError, LiveTrace
from engine.live.bridge.limits import Limits
from engine.live.client import running
from engine.live.client.gathering import Gatherer
from engine.live.client.sse import Event, EventReader
from engine.trace import Arrived, Cancelled, Finished, FirstToken, Tokens, Trace
from engine.workload import Arrival, Segment, Workload
from tests.live.bridging import TOKEN, Page, bridge
from tests.live.cutting import Wire, wire_to
from tests.live.patience import wait_until
from tests.live.pretended import answering, serving


def workload(count: int, gap: int = 1_000_000, tokens: int = 4) -> Workload:
    """Requests that come one after another."""
    return Workload("a workload", tuple(Arrival(number * gap, f"r{number}", 8, tokens) for number in range(count)))


def test_what_the_server_tells_besides_is_kept_and_prompts_are_spoken_of() -> None:
    gathered = Gatherer()
    for line in (
        '{"format":"inside-the-batch.trace","schema":1,"name":"a","source":"live","unit":"ns","holds_prompts":true}',
        '{"event":"kv","at":1,"stored":[4],"removed":[],"cleared":false}',
        '{"event":"metrics","at":2,"running":1}',
        '{"event":"end","at":3,"complete":true}',
    ):
        gathered.take(line)
    trace = gathered.trace()
    assert trace.complete
    assert trace.header.holds_prompts
    assert trace.kv_events == ({"at": 1, "stored": [4], "removed": [], "cleared": False},)
    assert trace.metrics == ({"at": 2, "running": 1},)
    assert "holds their prompts in plain" in running._summary(trace, gathered)


@pytest.fixture
def page() -> Iterator[Page]:
    """A bridge to a server that answers at once."""
    with serving() as server, bridge(server.url) as page:
        yield page


@pytest.fixture
def slow() -> Iterator[Page]:
    """A bridge to a server that takes 50 ms a token."""
    with serving(answering(0.05)) as server, bridge(server.url) as page:
        yield page


def run(port: int, load: Workload, said: list[str] | None = None, token: str = TOKEN) -> LiveTrace:
    """Run it, as a script would."""
    words = said if said is not None else []
    address = f"http://127.0.0.1:{port}"
    return asyncio.run(engine.live.run(load, address=address, token=token, tell=words.append))


def test_a_run_comes_back_whole(page: Page) -> None:
    said: list[str] = []
    trace = run(page.port, workload(20), said)
    assert trace.why == ""
    assert trace.complete
    assert trace.gaps == ()
    assert [one.id for one in trace.of(Arrived)] == [f"r{number}" for number in range(20)]
    assert all(one.num_output_tokens == 4 for one in trace.of(Finished))
    assert sum(one.num_tokens for one in trace.of(Tokens)) == 60
    assert trace.header.source == "live"
    assert trace.lateness[-1]["count"] == 20
    assert said[-1].startswith("20 requests ended in ")
    assert said[-1].endswith("s; complete")


def test_its_trace_is_a_trace_like_any_other(page: Page) -> None:
    trace = run(page.port, workload(5))
    again = Trace.from_jsonl(trace.to_jsonl())
    assert again.records == trace.records
    assert again.header == trace.header


def test_the_link_that_the_bridge_prints_is_enough(page: Page) -> None:
    address = f"http://127.0.0.1:{page.port}/live/#live={TOKEN}"
    trace = asyncio.run(engine.live.run(workload(1), address=address, tell=lambda words: None))
    assert trace.complete


def test_a_request_keeps_what_its_arrival_says(page: Page) -> None:
    arrival = Arrival(0, "r0", 32, 3, "t1", 2, "salt", (Segment(7, 16),))
    [found] = run(page.port, Workload("one", (arrival,))).of(Arrived)
    assert (found.num_prompt_tokens, found.max_tokens, found.tenant) == (32, 3, "t1")
    assert (found.priority, found.cache_salt) == (2, "salt")


def test_a_client_that_goes_away_is_cancelled(slow: Page) -> None:
    arrival = Arrival(0, "r0", 8, 80, cancel_at=1_000_000_000)
    trace = run(slow.port, Workload("one", (arrival,)))
    [gone] = trace.of(Cancelled)
    assert 0 < gone.num_output_tokens < 80
    assert trace.complete


def test_progress_is_told_once_a_second(slow: Page) -> None:
    said: list[str] = []
    began = time.monotonic()
    run(slow.port, workload(2, 500_000_000, tokens=30), said)
    assert 1 <= len(said) - 1 <= time.monotonic() - began
    assert "of 2 done" in said[0]
    assert "under way" in said[0]


@pytest.mark.parametrize(
    ("token", "words"), [("wrong", "the token is wrong"), ("", "the token is missing")], ids=["wrong", "none"]
)
def test_a_token_that_isnt_the_bridges_is_refused_in_its_words(page: Page, token: str, words: str) -> None:
    with pytest.raises(LinkError, match=words) as caught:
        run(page.port, workload(1), token=token)
    assert "copy the newest link from its terminal" in str(caught.value)


def test_nobody_at_the_address(page: Page) -> None:
    with wire_to(page.port) as wire:
        port = wire.port
    with pytest.raises(LinkError, match=rf"http://127\.0\.0\.1:{port}: no bridge answered: Connection refused"):
        run(port, workload(1))


def test_something_else_at_the_address() -> None:
    with serving(version="nothing") as server:
        port = int(server.url.rpartition(":")[2])
        server.pages["/api/backend"] = "no JSON"
        with pytest.raises(LinkError, match="what answered there is no bridge"):
            asyncio.run(engine.live.Link(server.url, "t").value("GET", "backend"))
        assert port


@pytest.mark.parametrize("address", ["nonsense", "ftp://127.0.0.1:8811", "http://"])
def test_an_address_that_is_none_is_refused(address: str) -> None:
    with pytest.raises(LinkError, match="is no address of a bridge"):
        asyncio.run(engine.live.run(workload(1), address=address, token="t"))


def test_without_an_address_outside_a_browser() -> None:
    with pytest.raises(LinkError, match="address and token are needed"):
        asyncio.run(engine.live.run(workload(1)))


def test_a_workload_beyond_the_limits_is_refused_with_the_place() -> None:
    refused = pytest.raises(LinkError, match=r"workload\.requests: got '4 requests', expected at most 3")
    with serving() as server, bridge(server.url, limits=Limits(max_requests=3)) as page, refused:
        run(page.port, workload(4))


def test_one_run_at_a_time(slow: Page) -> None:
    name = slow.begin([{"at": 0, "id": "r0", "num_prompt_tokens": 4, "max_tokens": 40}])
    with pytest.raises(LinkError, match="another run goes on"):
        run(slow.port, workload(1))
    slow.ask("DELETE", f"/api/runs/{name}")


@pytest.fixture
def taken(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How many events of each kind the client has taken so far."""
    counts: Counter[str] = Counter()
    take = Gatherer.take

    def counting(gatherer: Gatherer, line: str) -> None:
        take(gatherer, line)
        counts[json.loads(line).get("event", "")] += 1

    monkeypatch.setattr(Gatherer, "take", counting)
    return counts


def once(holds: Callable[[], bool], deed: Callable[[], object]) -> None:
    """Do something beside the test, once it holds."""

    def wait() -> None:
        wait_until(holds)
        deed()

    threading.Thread(target=wait, daemon=True).start()


def test_a_cut_is_mended_after_the_last_event(slow: Page, taken: Counter[str]) -> None:
    said: list[str] = []
    with wire_to(slow.port) as wire:
        once(lambda: taken["tokens"] >= 6, wire.cut)
        once(lambda: taken["tokens"] >= 60, wire.cut)
        trace = run(wire.port, workload(6, 100_000_000, tokens=40), said)
        assert wire.num_connections >= 4
    assert trace.complete
    assert sum(one.num_tokens for one in trace.of(Tokens)) == 6 * 39
    assert len(list(trace.of(FirstToken))) == 6
    assert any(words.startswith("cut off (") for words in said)


def test_a_bridge_that_is_lost_leaves_what_came(
    slow: Page, taken: Counter[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running, "PAUSES", (0.05, 0.05))
    said: list[str] = []
    with wire_to(slow.port) as wire:
        once(lambda: taken["tokens"] >= 3, lambda: _down(wire))
        trace = run(wire.port, workload(3, tokens=40), said)
    assert not trace.complete
    assert trace.why.startswith("the bridge was lost")
    assert "Incomplete: the bridge was lost" in trace.header.about
    assert 0 < sum(one.num_tokens for one in trace.of(Tokens)) < 3 * 39
    assert Trace.from_jsonl(trace.to_jsonl()).records == trace.records
    assert "not complete" in said[-1]


def _down(wire: Wire) -> None:
    wire.is_down = True
    wire.cut()


def test_a_bridge_that_forgot_the_run_ends_the_wait(slow: Page, taken: Counter[str]) -> None:
    """Another bridge at the same address, started anew: its token is new, and it knows no run."""
    with wire_to(slow.port) as wire, serving(answering(0.05)) as server, bridge(server.url) as other:

        def change() -> None:
            wire._to = other.port
            wire.cut()

        once(lambda: taken["first_token"] == 2, change)
        trace = run(wire.port, workload(2, tokens=80))
    assert not trace.complete
    assert "no run" in trace.why
    assert len(list(trace.of(FirstToken))) == 2


def test_an_interrupt_cancels_the_run_and_loses_nothing(slow: Page, taken: Counter[str]) -> None:
    async def interrupted() -> None:
        address = f"http://127.0.0.1:{slow.port}"
        task = asyncio.create_task(
            engine.live.run(workload(2, tokens=400), address=address, token=TOKEN, tell=lambda words: None)
        )
        while taken["first_token"] < 2:
            await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    start = time.monotonic()
    asyncio.run(interrupted())
    assert time.monotonic() - start < 15, "all of it takes 20 s"
    trace = engine.live.latest()
    assert trace is not None
    assert not trace.complete
    assert trace.why == "it was interrupted"
    assert len(list(trace.of(FirstToken))) == 2
    status, found, _ = slow.ask("GET", "/api/backend")
    assert status == 200
    assert found["run"]["active"] is False


def test_what_a_slow_client_missed_is_a_gap(taken: Counter[str]) -> None:
    limits = Limits(kept_bytes=2_000)
    with serving(answering(0.002)) as server, bridge(server.url, limits=limits) as page, wire_to(page.port) as wire:

        def fall_behind() -> None:
            wire.is_down = True
            wire.cut()
            threading.Timer(0.6, lambda: setattr(wire, "is_down", False)).start()

        once(lambda: taken["tokens"] >= 20, fall_behind)
        trace = run(wire.port, workload(4, 10_000_000, tokens=400))
    assert trace.gaps
    assert trace.gaps[0].lost > 0
    assert not trace.complete
    assert "events were lost on the way" in trace.why
    assert Trace.from_jsonl(trace.to_jsonl()).records == trace.records


def test_a_stream_in_any_pieces() -> None:
    text = (
        ': hello\r\n\r\nid: 1\r\ndata: {"a": "ä"}\r\n\r\nid: 2\ndata: x\ndata: y\n\nretry: 3\n\nid: x\ndata: z\n\n'
    ).encode()
    expected = [Event(1, '{"a": "ä"}'), Event(2, "x\ny"), Event(None, "z")]
    for size in (1, 2, 3, 7, 1000):
        reader = EventReader()
        pieces = [text[start : start + size] for start in range(0, len(text), size)]
        assert [event for piece in pieces for event in reader.feed(piece)] == expected, size
