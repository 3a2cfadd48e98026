"""A timeline for Perfetto: steps, counters, and each request's life as slices that nest and close."""

import json
from collections import defaultdict
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.simulate import simulate
from engine.trace import Arrived, Finished, FirstToken, Header, Rejected, Row, Stalled, Step, TimedOut, Trace
from engine.views import perfetto_json
from workloads import Workload, draw_workload, sample


def events_of(trace: Trace, **more: Any) -> list[dict[str, Any]]:
    events: list[dict[str, Any]] = json.loads(perfetto_json(trace, **more))["traceEvents"]
    return events


MADE = Trace(
    Header("made", "simulated", "ns"),
    (
        Arrived(0, "a", 4, 2),
        Arrived(0, "b", 4, 9),
        Arrived(500, "c", 4, 9),
        Rejected(500, "c", "full"),
        Step(0, 1_000, 1_500, (Row("a", 4, 0, "new"), Row("b", 2, 0, "new"))),
        FirstToken(2_500, "a", 0),
        Step(1, 2_500, 500, (Row("a", 1, 4),), preempted=("b",), evicted=(7,)),
        Finished(3_000, "a", "length", 2, 1),
        Step(2, 3_000, 500, (Row("b", 2, 0, "resumed"),)),
        TimedOut(3_500, "b"),
        Stalled(3_500, ()),
    ),
)


def life_of(events: list[dict[str, Any]], name: str) -> list[tuple[str, str, float]]:
    return [(event["ph"], event["name"], event["ts"]) for event in events if event.get("id") == name]


def test_a_request_is_a_slice_and_what_it_does_are_slices_inside() -> None:
    events = events_of(MADE)
    assert life_of(events, "a") == [
        ("b", "a", 0),
        ("b", "queued", 0),
        ("e", "queued", 1),
        ("b", "prefill", 1),
        ("n", "first token", 2.5),
        ("e", "prefill", 2.5),
        ("b", "decode", 2.5),
        ("e", "decode", 3),
        ("e", "a", 3),
    ]
    doing = [name for phase, name, _ in life_of(events, "b") if phase == "b"]
    assert doing == ["b", "queued", "prefill", "preempted", "prefill"]
    ends = {
        event["id"]: event["args"]["outcome"]
        for event in events
        if event["name"] == event.get("id") and event["ph"] == "e"
    }
    assert ends == {"a": "finished", "b": "timed out", "c": "rejected: full"}


def test_a_token_that_comes_after_a_preemption_ends_it_for_nobody() -> None:
    records = (
        Arrived(0, "a", 4, 9),
        Step(0, 0, 10, (Row("a", 4, 0, "new"),)),
        Step(1, 5, 10, preempted=("a",)),
        FirstToken(10, "a", 0),
        Step(2, 15, 10, (Row("a", 5, 0, "resumed"),)),
    )
    life = life_of(events_of(Trace(Header("made", "simulated", "ns"), records)), "a")
    assert [name for phase, name, _ in life if phase == "b"] == ["a", "queued", "prefill", "preempted", "decode"]


def test_steps_are_slices_with_their_rows_and_counters() -> None:
    events = events_of(MADE)
    steps = [event for event in events if event["ph"] == "X"]
    assert [(event["name"], event["ts"], event["dur"]) for event in steps] == [
        ("step 0", 1, 1.5),
        ("step 1", 2.5, 0.5),
        ("step 2", 3, 0.5),
    ]
    assert steps[1]["args"] == {"rows": "a 1", "preempted": "b", "evicted blocks": 1}
    waiting = [event["args"]["waiting"] for event in events if event["ph"] == "C" and event["name"] == "waiting"]
    assert waiting == [0, 1, 0]
    assert [event["name"] for event in events if event["ph"] == "i"] == ["stalled"]


def test_a_step_without_a_clock_is_a_millisecond_and_counters_may_be_added() -> None:
    trace = Trace(Header("made", "simulated"), (Arrived(2, "a", 1, 1),))
    events = events_of(trace, counters={"held KV blocks": [(3, 7)]})
    assert life_of(events, "a")[0] == ("b", "a", 2000)
    assert life_of(events, "a")[-1] == ("e", "a", 2000)
    assert events[-1] == {"ph": "C", "name": "held KV blocks", "pid": 1, "ts": 3000, "args": {"held KV blocks": 7}}


@settings(deadline=None)
@given(st.randoms(use_true_random=False).map(draw_workload))
def test_slices_nest_and_close_in_any_run(workload: Workload) -> None:
    trace = simulate(workload.settings, workload.requests(), sample=sample, cancel_at=workload.cancel_at)
    open_slices: defaultdict[str, list[str]] = defaultdict(list)
    for event in events_of(trace):
        if event["ph"] == "b":
            open_slices[event["id"]].append(event["name"])
        elif event["ph"] == "e":
            assert open_slices[event["id"]].pop() == event["name"]
    assert not any(open_slices.values())
    assert open_slices.keys() == trace.requests().keys()
