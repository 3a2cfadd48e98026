"""A task: what a lab writes down, and the one function that grades with it."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from random import Random
from typing import Any, Generic, TypeVar

import engine
from labs.kit.picture import Picture
from labs.kit.replay import Replay
from labs.kit.result import Finding, Result, Violation
from labs.kit.rules import R, Rule, judge
from labs.kit.search import Found, first_failure, smallest
from labs.kit.student import Student, printing, shape_violation
from labs.kit.version import lab_version

W = TypeVar("W")

NUM_RANDOM = 120
"""Random workloads that a class has to get right."""

MOST_CHECKS = 400
"""Workloads that the search for a smaller one may run."""


@dataclass(frozen=True, slots=True)
class Hint(Generic[R]):
    """A word for a known mistake."""

    id: str
    applies: Callable[[R, Violation, R], bool]
    """Whether the mistake shows in this run, which broke this rule, and in the run of the last known
    example: the smallest workload alone can look the same for two mistakes."""
    words: str


def _no_replay(run: object, violation: Violation) -> None:
    return None


@dataclass(frozen=True, slots=True)
class Task(Generic[W, R]):
    """Everything that grading one class needs. W is a workload, R what was seen when it ran.

    Only `observe` runs the student's code; everything else is a function of what it saw.
    """

    lab: str
    id: str
    title: str
    class_name: str
    """What the lab calls the class that students write."""
    methods: tuple[str, ...]
    """Methods of the class that grading calls."""
    examples: tuple[W, ...]
    """Known workloads, tried after the random ones; the last is drawn for those who pass."""
    generate: Callable[[Random, int], W]
    """A random workload; the number grows from 1 to `NUM_RANDOM`, so that small ones come first."""
    shrink: Callable[[W], Iterable[W]]
    """Smaller workloads, the boldest first."""
    tell: Callable[[W], str]
    """A workload in words."""
    observe: Callable[[Student, W], R]
    rules: tuple[Rule[R], ...]
    """What has to hold after each step; where several break in a step, the first is named."""
    hints: tuple[Hint[R], ...]
    """The first that applies is given."""
    draw: Callable[[R, Violation | None], Picture]
    replay: Callable[[R, Violation], Replay | None] = _no_replay
    """The failing run for the trace player, where there is more to see than the picture has."""


@dataclass(frozen=True, slots=True)
class Failure(Generic[R]):
    """A run that broke a rule."""

    run: R
    violation: Violation
    printed: str


KIT_HINTS: tuple[Hint[Any], ...] = (
    Hint(
        "error",
        lambda run, violation, example: violation.rule == "no-error",
        "Build this workload in a cell of your own and call the method yourself: there you see the whole "
        "traceback, and can print what you like.",
    ),
    Hint(
        "unreadable",
        lambda run, violation, example: violation.rule == "readable",
        "Look at the last line of that method. A method without a `return` hands back `None`.",
    ),
    Hint(
        "any",
        lambda run, violation, example: True,
        "Take the workload above and go through your code with a pencil, one line at a time. At which line "
        "do your numbers part from the ones you expect?",
    ),
)
"""What is said of a mistake that none of the lab's own hints knows."""


def grade(task: Task[W, R], student: Student, seed: int) -> Result:
    """Run `student`'s class on the task's workloads; the smallest that fails is in the result's finding.

    The same class and `seed` give the same result, unless the class itself draws at random.
    """
    num_run = 0

    def check(workload: W) -> Failure[R] | None:
        nonlocal num_run
        num_run += 1
        return run_one(task, student, workload)

    if shape := shape_violation(student, task.methods, f"grade.{task.id}({task.class_name})"):
        return _result(task, seed, num_run, Finding("", shape, shape.rule, "", None))
    found = first_failure(workloads(task, seed), check)
    if found is None:
        return _result(task, seed, num_run, None, task.draw(_example(task, student), None))
    found = smallest(found, task.shrink, check, MOST_CHECKS)
    return _result(task, seed, num_run, _finding(task, student, found))


def workloads(task: Task[W, R], seed: int) -> Iterator[W]:
    """The workloads that a class has to get right: random ones, growing, then the known examples."""
    random = Random(seed)
    yield from (task.generate(random, size) for size in range(1, NUM_RANDOM + 1))
    yield from task.examples


def run_one(task: Task[W, R], student: Student, workload: W) -> Failure[R] | None:
    """Run `student`'s class on one workload; None if it keeps every rule."""
    with printing() as printed:
        run = task.observe(student, workload)
    violation = judge(task.rules, run)
    return Failure(run, violation, printed.getvalue()) if violation else None


def _finding(task: Task[W, R], student: Student, found: Found[W, Failure[R]]) -> Finding:
    run, violation, example = found.failure.run, found.failure.violation, _example(task, student)
    hint = next(hint for hint in (*task.hints, *KIT_HINTS) if hint.applies(run, violation, example))
    picture = task.draw(run, violation)
    replay = task.replay(run, violation)
    return Finding(task.tell(found.workload), violation, hint.id, hint.words, picture, found.failure.printed, replay)


def _example(task: Task[W, R], student: Student) -> R:
    with printing():
        return task.observe(student, task.examples[-1])


def _result(
    task: Task[W, R], seed: int, num_run: int, finding: Finding | None, example: Picture | None = None
) -> Result:
    held = tuple(rule.holds for rule in task.rules)
    versions = (lab_version(task.lab), engine.__version__)
    return Result(task.lab, task.id, task.title, seed, num_run, held, finding, example, *versions)
