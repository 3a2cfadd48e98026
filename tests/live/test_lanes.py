"""Several replicas behind one router: each is a lane, with steps and numbers of its own."""

from collections import Counter
from pathlib import Path
from threading import Thread
from typing import Any

from bridging import Page, bridge, some_requests
from engine.live.agreement import Agreement, agreement
from engine.live.bridge.options import Replica
from engine.trace import Admitted, Arrived, Finished, Step, Trace
from patience import wait_until
from pretended import answering, serving
from recording import Recorder, now, own, recorder
from routing import recorded, replica, router


def wait_for_lanes(page: Page) -> dict[str, Any]:
    """What the bridge says, once it knows of two recorders."""
    wait_until(lambda: len(page.ask("GET", "/api/backend")[1]["lanes"]) == 2, "the bridge knows of no two recorders")
    found: dict[str, Any] = page.ask("GET", "/api/backend")[1]
    return found


def serve(one: Recorder, run: str, number: int) -> None:
    """Decide what a scheduler would for one request of 8 tokens that gets 4."""
    one.wait_until_asked()
    name, at = own(run, number), now()
    one.say(("state", at, True, []), ("add", at + 1, name, 8, 4, 0, []))
    rows = [(8, 0, 1, [1], []), *((1, 8 + place, 0, [], []) for place in range(3))]
    for place, row in enumerate(rows):
        end = "length" if place == 3 else None
        one.say(("plan", now(), place + 1, [(name, *row)], [], []), ("done", now(), place + 1, [(name, 1, end, [])], 1))


def test_two_recorders_are_two_lanes_each_with_steps_of_its_own(tmp_path: Path) -> None:
    path = tmp_path / "r"
    with (
        serving(answering(0.05), version='{"version": "0.32.0"}') as server,
        bridge(server.url, recorder_path=path) as page,
        recorder(page, path, lane="left") as left,
        recorder(page, path, lane="right") as right,
    ):
        found = wait_for_lanes(page)
        assert (found["kind"], found["lanes"]) == ("recorder", ["left", "right"])
        run = page.begin(some_requests(2))
        threads = [Thread(target=serve, args=(one, run, number)) for number, one in enumerate((left, right))]
        for thread in threads:
            thread.start()
        events = page.events(run)
        for thread in threads:
            thread.join()
        trace = Trace.from_jsonl(page.ask("GET", f"/api/runs/{run}/trace")[1])
    assert events[-1][1]["complete"] is True, events[-1]
    for lane, name in (("left", "r0"), ("right", "r1")):
        steps = [step for step in trace.of(Step) if step.lane == lane]
        assert [step.step for step in steps] == [0, 1, 2, 3]
        assert {row.id for step in steps for row in step.rows} == {name}
        assert agreement(trace, lane) == Agreement(4, 4)
    assert {(record.id, record.lane) for record in trace.of(Admitted)} == {("r0", "left"), ("r1", "right")}


def test_a_router_that_takes_turns_gives_every_replica_its_lane(tmp_path: Path) -> None:
    path = tmp_path / "r"
    with (
        replica() as (left, left_url),
        replica() as (right, right_url),
        router((left_url, right_url)) as url,
        bridge(url, recorder_path=path) as page,
        recorded(page, path, left, lane="left"),
        recorded(page, path, right, lane="right"),
    ):
        assert wait_for_lanes(page)["lanes"] == ["left", "right"]
        run = page.begin(some_requests(9, gap=30_000_000))
        events = [value for _, value in page.events(run)]
        trace = Trace.from_jsonl(page.ask("GET", f"/api/runs/{run}/trace")[1])
    assert events[-1]["complete"] is True, events[-1]
    where = {record.id: record.lane for record in trace.of(Admitted)}
    assert Counter(where.values()) == {"left": 5, "right": 4}
    assert [record.lane for record in trace.of(Arrived)] == [where[record.id] for record in trace.of(Arrived)]
    assert agreement(trace, "left") == Agreement(20, 20)
    assert agreement(trace, "right") == Agreement(16, 16)
    assert len(list(trace.of(Finished))) == 9


def test_two_recorders_of_one_name_are_told_apart(tmp_path: Path) -> None:
    path = tmp_path / "r"
    with (
        serving(version='{"version": "0.32.0"}') as server,
        bridge(server.url, recorder_path=path) as page,
        recorder(page, path),
        recorder(page, path),
    ):
        lanes = wait_for_lanes(page)["lanes"]
    assert lanes == ["one", "one (2)"]


def test_replicas_without_recorders_are_lanes_of_their_metrics() -> None:
    def page_of(running: int) -> str:
        return f'vllm:num_requests_running{{engine="0"}} {running}.0\n'

    vllm = '{"version": "0.32.0"}'
    with (
        serving(version=vllm, metrics=page_of(1)) as one,
        serving(version=vllm, metrics=page_of(2)) as two,
        serving(answering(0.1), version=vllm) as router,
        bridge(router.url, key="key", replicas=(Replica("a", one.url), Replica("b", two.url))) as page,
    ):
        found = page.ask("GET", "/api/backend")[1]
        events = page.run(some_requests(2))
    assert found["lanes"] == ["a", "b"]
    told = {(value["lane"], value["running"]) for value in events if value.get("event") == "metrics"}
    assert told == {("a", 1.0), ("b", 2.0)}
    assert not [headers for _, headers in one.asked if "Authorization" in headers], "a replica needs no key"
