"""The founding lab, graded: `grade.batcher(Batcher)`, `grade.allocator(Allocator)`, `grade.prefix(PrefixCache)`."""

from typing import Any

from labs.founding import allocator as _allocator
from labs.founding import batcher as _batcher
from labs.founding import prefix as _prefix
from labs.kit.hand_in import SEED, hand_in
from labs.kit.report import Report
from labs.kit.student import Student
from labs.kit.task import Task

TITLE = "Founding lab: a batch, a pool, a prefix"
TASKS: tuple[Task[Any, Any], ...] = (_batcher.TASK, _allocator.TASK, _prefix.TASK)


def batcher(student: Student, seed: int = SEED) -> Report:
    """Grade a class `Batcher` on random jobs; the smallest batch that goes wrong comes back."""
    return hand_in(_batcher.TASK, student, seed)


def allocator(student: Student, seed: int = SEED) -> Report:
    """Grade a class `Allocator` on random calls; the smallest row of calls that goes wrong comes back."""
    return hand_in(_allocator.TASK, student, seed)


def prefix(student: Student, seed: int = SEED) -> Report:
    """Grade a class `PrefixCache` on random prompts; the smallest that go wrong come back."""
    return hand_in(_prefix.TASK, student, seed)
