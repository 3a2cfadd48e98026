"""Of every lab: the solution passes, the starter fails kindly, and every known mistake gets its own hint."""

from functools import cache, partial

import pytest

from coursekit.course_map import lab_folders
from labs.kit.hand_in import SEED
from labs.kit.report import in_html, in_words
from labs.kit.result import Result
from labs.kit.search import first_failure, smallest
from labs.kit.task import KIT_HINTS, MOST_CHECKS, NUM_RANDOM, grade, run_one, workloads
from submissions import LABS, Submission, run_cell, submissions, tasks

ALL_LABS = [folder.name for folder in lab_folders(LABS)]
TASKS = {(lab, task.id): task for lab in ALL_LABS for task in tasks(lab)}
EVERYTHING = tuple(each for lab in ALL_LABS for each in submissions(lab))
ALL = [pytest.param(each, id=f"{each.lab}-{each.name}") for each in EVERYTHING]
FAILING = [pytest.param(each, id=f"{each.lab}-{each.name}") for each in EVERYTHING if not each.passes]
SEEDS = (SEED, 1, 2, 3)


def graded_anew(submission: Submission, seed: int = SEED) -> Result:
    task = TASKS[submission.lab, submission.task]
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
    most = NUM_RANDOM + len(TASKS[submission.lab, submission.task].examples) + MOST_CHECKS
    assert graded(submission).num_workloads <= most


@pytest.mark.parametrize("submission", FAILING)
def test_nothing_smaller_goes_wrong(submission: Submission) -> None:
    task = TASKS[submission.lab, submission.task]
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


@pytest.mark.parametrize("lab", ALL_LABS)
def test_every_hint_has_a_mistake_that_gets_it(lab: str) -> None:
    given = {each.hint for each in EVERYTHING if each.lab == lab}
    assert {hint.id for task in tasks(lab) for hint in task.hints} - given == set()


def test_every_hint_of_the_kit_has_a_mistake_that_gets_it() -> None:
    assert {hint.id for hint in KIT_HINTS} - {each.hint for each in EVERYTHING} == {"any"}


def test_hints_of_a_task_have_ids_of_their_own() -> None:
    for task in TASKS.values():
        ids = [hint.id for hint in task.hints]
        assert sorted(set(ids)) == sorted(ids)


def test_every_rule_of_a_task_is_broken_by_a_mistake() -> None:
    broken: dict[tuple[str, str], set[str]] = {place: set() for place in TASKS}
    for each in EVERYTHING:
        if finding := graded(each).finding:
            broken[each.lab, each.task].add(finding.violation.rule)
    for place, task in TASKS.items():
        assert {rule.id for rule in task.rules} - broken[place] == set()
