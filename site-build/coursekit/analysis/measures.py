"""What a class's first tries say about each check. Pure functions of what was read.

Difficulty is the share that was right at the first try (so 1 is easy). Discrimination is the correlation between being
right here and the share right in the student's other checks: near 0 or below, the check tells
nothing, or the wrong thing. Only
first tries count: later ones were made with the feedback in view.
"""

from __future__ import annotations

import math
import statistics
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from coursekit.analysis.read import Student, Try

SMALL = 10
"""Below this many students one answer moves a share by more than a tenth."""
LEVELS = ("guess", "fair", "sure")


@dataclass(frozen=True)
class Level:
    """First tries that said how sure, at one level."""

    level: str
    answered: int
    right: int


@dataclass(frozen=True)
class Measures:
    """One check, as a class answered it at the first try."""

    id: str
    title: str
    kind: str
    answered: int
    right: int
    unknown: int
    discrimination: float | None
    """None where fewer than three students answered it and others, or all did alike."""
    drew: tuple[tuple[str, int], ...]
    """Wrong answers and how many gave them, the most frequent first."""
    confidence: tuple[Level, ...]
    median_seconds: float | None
    tries_until_right: float | None
    """Mean number of tries of those who got there."""
    hashes: tuple[str, ...]
    """The versions and variants of the question that were answered."""

    @property
    def difficulty(self) -> float:
        """The share that was right at the first try."""
        return self.right / self.answered

    @property
    def small(self) -> bool:
        """Whether so few answered that a figure may mean little."""
        return self.answered < SMALL


def measure(students: Sequence[Student]) -> list[Measures]:
    """Every check that anybody answered, by id."""
    ids = sorted({name for student in students for name in student.tries})
    return [_measure(name, students) for name in ids]


def confidence(tries: Sequence[Try]) -> tuple[Level, ...]:
    """Right and answered by how sure the student was."""
    counted = []
    for level in LEVELS:
        said = [one for one in tries if one.confidence == level]
        counted.append(Level(level, len(said), sum(one.correct for one in said)))
    return tuple(counted)


def _measure(name: str, students: Sequence[Student]) -> Measures:
    theirs = [student for student in students if name in student.tries]
    firsts = [student.tries[name][0] for student in theirs]
    seconds = [one.seconds for one in firsts if one.seconds]
    until = [_tries_until_right(student.tries[name]) for student in theirs]
    wrong = Counter(one.drew for one in firsts if not one.correct and not one.unknown and one.drew)
    return Measures(
        name,
        theirs[0].titles[name],
        theirs[0].kinds[name],
        len(firsts),
        sum(one.correct for one in firsts),
        sum(one.unknown for one in firsts),
        _discrimination(name, theirs),
        tuple(sorted(wrong.items(), key=lambda item: (-item[1], item[0]))),
        confidence(firsts),
        statistics.median(seconds) if seconds else None,
        statistics.fmean(got) if (got := [count for count in until if count]) else None,
        tuple(sorted({one.hash for one in firsts})),
    )


def _tries_until_right(tries: Sequence[Try]) -> int:
    """Which try was the first right one; 0 for none."""
    return next((number for number, one in enumerate(tries, start=1) if one.correct), 0)


def _discrimination(name: str, students: Sequence[Student]) -> float | None:
    pairs = []
    for student in students:
        others = [tries[0].correct for other, tries in student.tries.items() if other != name]
        if others:
            pairs.append((float(student.tries[name][0].correct), sum(others) / len(others)))
    return correlation(pairs)


def correlation(pairs: Sequence[tuple[float, float]]) -> float | None:
    """Pearson's correlation; None with fewer than three pairs, or where one side never changes."""
    if len(pairs) < 3:
        return None
    xs, ys = [x for x, _ in pairs], [y for _, y in pairs]
    mean_x, mean_y = math.fsum(xs) / len(xs), math.fsum(ys) / len(ys)
    spread_x = math.fsum((x - mean_x) ** 2 for x in xs)
    spread_y = math.fsum((y - mean_y) ** 2 for y in ys)
    if spread_x < 1e-12 or spread_y < 1e-12:
        return None
    return math.fsum((x - mean_x) * (y - mean_y) for x, y in pairs) / math.sqrt(spread_x * spread_y)
