"""Why was it slow: five causes, and every instant is given to exactly one of them."""

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.metrics import Slowness, request_times, slowness
from engine.simulate import simulate
from engine.trace import (
    Admitted,
    Arrived,
    Cancelled,
    Finished,
    FirstToken,
    Header,
    Record,
    Row,
    Step,
    Trace,
)
from workloads import Workload, draw_workload, sample


def trace(*records: Record) -> Trace:
    made = Trace(Header("made", "simulated", "ns"), records)
    made.check()
    return made


def test_waiting_prefill_and_decode() -> None:
    made = trace(
        Arrived(5, "a", 4, 3),
        Step(0, 20, 10, (Row("a", 4, 0, "new"),)),
        Step(1, 30, 6, (Row("a", 1, 4),)),
        Step(2, 40, 6, (Row("a", 1, 5),)),
        Finished(46, "a", "length", 3, 2),
    )
    assert slowness(made) == {"a": Slowness(queueing=15, own_prefill=10, decode=16)}


def test_others_prompts_stretch_ones_steps() -> None:
    made = trace(
        Arrived(0, "a", 4, 2),
        Step(0, 0, 10, (Row("a", 4, 0, "new"),)),
        Arrived(10, "b", 99, 1),
        Step(1, 10, 100, (Row("a", 1, 4), Row("b", 99, 0, "new"))),
        Finished(110, "a", "length", 2, 1),
        Finished(110, "b", "length", 1, 1),
    )
    found = slowness(made)
    assert found["a"] == Slowness(own_prefill=10, others_prefill=99, decode=1)
    # What others decode beside it is part of its own step.
    assert found["b"] == Slowness(own_prefill=100)


def test_a_cost_model_may_say_how_much_longer() -> None:
    made = trace(
        Arrived(0, "a", 4, 2),
        Arrived(0, "b", 4, 1),
        Step(0, 0, 10, (Row("a", 4, 0, "new"),)),
        Step(1, 10, 10, (Row("a", 1, 4), Row("b", 4, 0, "new"))),
        Finished(20, "a", "length", 2, 1),
    )
    found = slowness(made, {"a"}, stretch=lambda step, num_tokens: 3 * (num_tokens == 4))
    assert found == {"a": Slowness(own_prefill=10, others_prefill=3, decode=7)}


def test_no_place_in_a_step_is_waiting_for_those_who_have_it() -> None:
    made = trace(
        Arrived(0, "a", 8, 1),
        Step(0, 0, 10, (Row("a", 4, 0, "new"),)),
        Arrived(10, "b", 4, 1),
        Step(1, 10, 10, (Row("b", 4, 0, "new"),)),
        Step(2, 20, 10, (Row("a", 4, 4),)),
        Finished(30, "a", "length", 1, 2),
    )
    assert slowness(made)["a"] == Slowness(own_prefill=20, others_prefill=10)


def test_lost_blocks_cost_the_wait_and_the_work_until_it_is_as_far_as_it_was() -> None:
    made = trace(
        Arrived(0, "a", 4, 4),
        Step(0, 0, 10, (Row("a", 4, 0, "new"),)),
        Step(1, 10, 1, (Row("a", 1, 4),)),
        Step(2, 11, 4, preempted=("a",)),
        Step(3, 15, 5, (Row("a", 2, 0, "resumed"),)),
        Step(4, 20, 5, (Row("a", 4, 2),)),
        Step(5, 25, 1, (Row("a", 1, 6),)),
        Finished(26, "a", "length", 4, 5),
    )
    assert slowness(made)["a"] == Slowness(own_prefill=10, recompute=14, decode=2)


def test_whoever_gave_up_has_a_story_too() -> None:
    made = trace(
        Arrived(0, "a", 4, 4),
        Arrived(0, "b", 4, 4),
        Step(0, 0, 10, (Row("b", 4, 0, "new"),)),
        Cancelled(17, "a"),
    )
    assert slowness(made) == {"a": Slowness(queueing=17)}


def test_without_steps_some_of_it_stays_unexplained() -> None:
    made = trace(
        Arrived(0, "a", 4, 4),
        Admitted(3, "a"),
        Arrived(4, "b", 4, 4),
        FirstToken(10, "a"),
        Finished(30, "a", "length", 4),
        Cancelled(34, "b"),
    )
    assert slowness(made) == {
        "a": Slowness(queueing=3, unexplained=7, decode=20),
        "b": Slowness(unexplained=30),
    }


@settings(deadline=None)
@given(st.randoms(use_true_random=False).map(draw_workload))
def test_the_causes_add_up_exactly_in_any_run(workload: Workload) -> None:
    made = simulate(workload.settings, workload.requests(), sample=sample, cancel_at=workload.cancel_at)
    causes = slowness(made)
    for request in request_times(made):
        if request.ended is not None:
            assert min(causes[request.id]) >= 0
            assert causes[request.id].total == request.ended - request.arrived
    preempted = {name for step in made.steps() for name in step.preempted}
    assert {name for name, found in causes.items() if found.recompute} <= preempted
