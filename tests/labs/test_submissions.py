"""The solution passes, the starter fails kindly, and every known mistake gets its own hint."""

from functools import cache, partial

import pytest

from labs.kit.hand_in import SEED
from labs.kit.report import in_html, in_words
from labs.kit.result import Result
from labs.kit.search import first_failure, smallest
from labs.kit.task import KIT_HINTS, MOST_CHECKS, NUM_RANDOM, grade, run_one, workloads
from submissions import Submission, run_cell, submissions, tasks

LAB = "founding"
TASKS = {task.id: task for task in tasks(LAB)}
EVERYTHING = tuple(submissions(LAB))
ALL = [pytest.param(each, id=each.name) for each in EVERYTHING]
FAILING = [pytest.param(each, id=each.name) for each in EVERYTHING if not each.passes]
SEEDS = (SEED, 1, 2, 3)


def graded_anew(submission: Submission, seed: int = SEED) -> Result:
    task = TASKS[submission.task]
    return grade(task, run_cell(submission.source, task.class_name), seed)


graded = cache(graded_anew)


@pytest.mark.parametrize("submission", ALL)
def test_each_gets_the_verdict_and_the_hint_that_it_should(submission: Submission) -> None:
    for seed in SEEDS:
        finding = graded(submission, seed).finding
        assert (finding.hint_id if finding else None) == submission.hint, f"seed {seed}"


@pytest.mark.parametrize("submission", ALL)
def test_the_same_class_and_seed_give_the_same_report(submission: Submission) -> None:
    first, second = graded(submission), graded_anew(submission)
    assert in_html(first) == in_html(second)
    assert in_words(first) == in_words(second)


@pytest.mark.parametrize("submission", ALL)
def test_the_search_is_bounded_by_counts(submission: Submission) -> None:
    most = NUM_RANDOM + len(TASKS[submission.task].examples) + MOST_CHECKS
    assert graded(submission).num_workloads <= most


@pytest.mark.parametrize("submission", FAILING)
def test_nothing_smaller_goes_wrong(submission: Submission) -> None:
    task = TASKS[submission.task]
    check = partial(run_one, task, run_cell(submission.source, task.class_name))
    found = first_failure(workloads(task, SEED), check)
    assert found is not None
    found = smallest(found, task.shrink, check, MOST_CHECKS)
    finding = graded(submission).finding
    assert finding is not None
    assert task.tell(found.workload) == finding.workload
    assert [task.tell(smaller) for smaller in task.shrink(found.workload) if check(smaller)] == []


@pytest.mark.parametrize("submission", FAILING)
def test_a_failure_is_told_in_words_that_help(submission: Submission) -> None:
    finding = graded(submission).finding
    assert finding is not None
    said = " ".join((finding.workload, finding.violation.holds, finding.violation.words, finding.hint))
    assert "assert" not in said.lower()
    assert "None of" not in said
    assert finding.picture is not None
    assert finding.picture.rows


def test_every_hint_has_a_mistake_that_gets_it() -> None:
    known = {hint.id for task in TASKS.values() for hint in task.hints} | {hint.id for hint in KIT_HINTS}
    assert known - {submission.hint for submission in EVERYTHING} == {"any"}


def test_hints_of_a_task_have_ids_of_their_own() -> None:
    for task in TASKS.values():
        ids = [hint.id for hint in task.hints]
        assert sorted(set(ids)) == sorted(ids)


def test_every_rule_of_a_task_is_broken_by_a_mistake() -> None:
    broken: dict[str, set[str]] = {task: set() for task in TASKS}
    for submission in EVERYTHING:
        if finding := graded(submission).finding:
            broken[submission.task].add(finding.violation.rule)
    for task in TASKS.values():
        assert {rule.id for rule in task.rules} - broken[task.id] == set()
