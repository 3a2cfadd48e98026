"""A page that is slow, goes, comes back or asks for too much. It stops nobody, and memory stays bounded."""

import http.client
import json

import pytest

from bridging import TOKEN, bridge, some_requests
from engine.live.bridge.limits import Limits
from keeping import broken, kept
from patience import PATIENCE, wait_until
from pretended import answering, serving


def test_a_page_goes_on_from_the_last_event_it_saw() -> None:
    with serving(answering(0.02)) as server, bridge(server.url) as page:
        run = page.begin(some_requests(5, max_tokens=20))
        first = page.events(run, limit=10)
        assert page.ask("GET", "/api/backend")[1]["run"]["run"] == run
        rest = page.events(run, last=first[-1][0])
        again = page.events(run)
    numbers = [number for number, _ in first + rest]
    assert numbers == list(range(1, len(numbers) + 1))
    assert first + rest == again


@pytest.mark.parametrize("last", ["-1", "x", "1e9", "9" * 20])
def test_an_event_number_that_is_none_is_refused(last: str) -> None:
    with serving() as server, bridge(server.url) as page:
        run = page.begin(some_requests(1))
        assert page.ask("GET", f"/api/runs/{run}/events", Last_Event_ID=last)[0] == 400


def test_a_slow_page_sees_a_gap_and_memory_stays_bounded() -> None:
    with serving(answering()) as server, bridge(server.url, limits=Limits(kept_bytes=4_000)) as page:
        run = page.begin(some_requests(20, max_tokens=50))
        page.events(run)
        late = page.events(run)
        status, body, _ = page.ask("GET", f"/api/runs/{run}/trace")
    (number, gap), *rest = late
    assert gap["event"] == "gap"
    assert gap["lost"] == number
    assert [one for one, _ in rest] == list(range(number + 1, number + 1 + len(rest)))
    assert sum(len(json.dumps(value)) for _, value in rest) < 6_000
    assert rest[-1][1]["event"] == "end"
    assert (status, body["where"]) == (410, "trace")


def test_a_page_that_stops_reading_stops_nobody() -> None:
    with serving(answering()) as server, bridge(server.url, limits=Limits(kept_bytes=100_000)) as page:
        run = page.begin(some_requests(100, gap=2_000_000, max_tokens=100))
        stuck = http.client.HTTPConnection("127.0.0.1", page.port, timeout=PATIENCE)
        stuck.request("GET", f"/api/runs/{run}/events", None, {"Authorization": f"Bearer {TOKEN}"})
        stuck.getresponse().fp.read(10)
        assert page.events(run)[-1][1]["event"] == "end"
        stuck.close()


def test_pages_beyond_the_limit_are_refused() -> None:
    with serving(answering(0.05)) as server, bridge(server.url, limits=Limits(max_readers=1)) as page:
        run = page.begin(some_requests(1, max_tokens=40))
        lines = page.lines(run)
        assert next(lines), "it is let in, and stays"
        assert page.ask("GET", f"/api/runs/{run}/events")[0] == 429
        assert list(lines)
        wait_until(lambda: page.ask("GET", f"/api/runs/{run}/events")[0] == 200, "who has left still has a place")


def test_a_run_is_cancelled_and_hangs_up_on_the_server() -> None:
    with serving(answering(0.02)) as server, bridge(server.url) as page:
        run = page.begin(some_requests(3, max_tokens=5_000))
        page.events(run, limit=8)
        assert page.ask("DELETE", f"/api/runs/{run}")[1] == {"run": run, "name": "a workload", "active": False}
        broken(page.events(run), "it was cancelled")
        kinds = [type(record).__name__ for record in kept(page, run).records]
        assert kinds.count("Cancelled") == kinds.count("Arrived")
        wait_until(lambda: server.hung_up == kinds.count("Arrived"), "the server isn't told")


def test_a_request_is_given_up_when_its_workload_says_so() -> None:
    with serving(answering(0.02)) as server, bridge(server.url) as page:
        told = page.run(some_requests(1, max_tokens=1_000, cancel_at=200_000_000))
    [gone] = [value for value in told if value.get("event") == "cancelled"]
    assert 200_000_000 <= gone["at"] < 10_000_000_000, "all of it takes 20 s"
    assert told[-1]["complete"] is True


def test_requests_beyond_those_that_may_be_out_are_refused() -> None:
    with serving(answering(0.05)) as server, bridge(server.url, limits=Limits(max_in_flight=2)) as page:
        told = page.run(some_requests(4, max_tokens=10))
    assert [value["id"] for value in told if value.get("event") == "rejected"] == ["r2", "r3"]
    assert told[-1]["complete"] is False
