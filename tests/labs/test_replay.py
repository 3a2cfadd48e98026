"""A wrong answer opens in the trace player, at the step that broke, in a trace that can be read and is true."""

from functools import cache

import pytest

from engine.trace import Finished, Step, Trace
from engine.views.notebook import MIME
from labs.kit.hand_in import SEED
from labs.kit.replay import Moment, pool_trace
from labs.kit.report import Report
from labs.kit.result import Result
from labs.kit.task import grade
from submissions import Submission, run_cell, submissions, tasks

TASKS = {task.id: task for task in tasks("founding")}
ALL = [pytest.param(each, id=each.name) for each in submissions("founding")]


@cache
def graded(submission: Submission) -> Result:
    task = TASKS[submission.task]
    return grade(task, run_cell(submission.source, task.class_name), SEED)


@pytest.mark.parametrize("submission", ALL)
def test_what_the_player_opens_can_be_read_and_has_the_step(submission: Submission) -> None:
    result = graded(submission)
    shown = Report(result)._repr_mimebundle_()
    if result.finding is None or result.finding.replay is None:
        assert MIME not in shown
        return
    trace = Trace.from_jsonl(shown[MIME]["trace"])
    step = int(shown[MIME]["moment"].removeprefix("step:"))
    assert step in [each.step for each in trace.steps()]
    assert step == min(result.finding.violation.step, trace.steps()[-1].step)
    assert shown[MIME].get("choice", "") in {"", *trace.requests()}
    assert shown[MIME]["beside"]
    if "compare" in shown[MIME]:
        assert Trace.from_jsonl(shown[MIME]["compare"]).requests() == trace.requests()


def test_most_wrong_answers_have_one() -> None:
    wrong = [graded(each.values[0]) for each in ALL]  # type: ignore[arg-type]
    failing = [result for result in wrong if result.finding is not None and result.finding.workload]
    shown = [result for result in failing if result.finding and result.finding.replay]
    assert len(shown) > 0.8 * len(failing)


def test_a_pools_calls_become_steps_with_the_blocks_that_they_took() -> None:
    moments = [
        Moment({}),
        Moment({"a": (1, 2)}, "a", 5),
        Moment({"a": (1, 2), "b": (1, 3)}, "b", 6, found=(1,)),
        Moment({"a": (1, 2), "b": (1, 3)}, "c", 99),
        Moment({"b": (1, 3)}, "a"),
        Moment({"b": (1, 3, 2)}, "b", 1),
    ]
    trace = pool_trace("pool", 4, 4, moments)
    assert trace is not None
    trace.check()
    rows = [
        [(row.id, row.num_scheduled_tokens, row.new_blocks, row.hit_blocks) for row in step.rows]
        for step in trace.steps()
    ]
    assert rows == [[], [("a", 5, (1, 2), ())], [("b", 2, (3,), (1,))], [], [], [("b", 1, (2,), ())]]
    (ended,) = trace.of(Finished)
    assert (ended.id, ended.at) == ("a", 4)
    assert [step.step for step in trace.of(Step)] == [0, 1, 2, 3, 4, 5]


@pytest.mark.parametrize(
    "after",
    [
        Moment({"a": (2,), "b": (3,)}, "b", 3),
        Moment({"b": (3,)}, "b", 3),
        Moment({"a": (2, 1)}, "a", 1),
        Moment({"a": (1, 2)}, "a"),
    ],
    ids=["another changed", "another vanished", "it was turned round", "it didn't end"],
)
def test_what_no_trace_can_tell_is_left_to_the_picture(after: Moment) -> None:
    assert pool_trace("pool", 4, 4, [Moment({"a": (1, 2)}, "a", 5), after]) is None
