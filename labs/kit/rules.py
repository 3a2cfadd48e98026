"""Rules: what has to hold after every step of a run, and the first one that doesn't."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Generic, NamedTuple, Protocol, TypeVar

from labs.kit.result import Violation


class Run(Protocol):
    """What was seen when a student's class ran a workload."""

    @property
    def num_steps(self) -> int:
        """Steps or calls that were seen whole."""

    @property
    def error(self) -> Violation | None:
        """What ended the run early: the student's code raised, or answered with something unreadable."""


R = TypeVar("R", bound=Run)


class Broken(NamedTuple):
    """How a rule was broken, in words, and by which request."""

    words: str
    who: str = ""


@dataclass(frozen=True, slots=True)
class Rule(Generic[R]):
    """One thing that has to hold after every step."""

    id: str
    holds: str
    """In one sentence, as students read it."""
    broken: Callable[[R, int], Broken | None]
    """How the run breaks the rule in this step (an index, from 0); None if it doesn't."""


def judge(rules: Iterable[Rule[R]], run: R) -> Violation | None:
    """The first rule that breaks, in the first step in which one does; else what ended the run early."""
    for step in range(run.num_steps):
        for rule in rules:
            if broken := rule.broken(run, step):
                return Violation(rule.id, rule.holds, broken.words, step, broken.who)
    return replace(run.error, step=run.num_steps) if run.error else None
