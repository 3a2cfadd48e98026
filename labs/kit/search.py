"""Looks for a workload that fails, and for the smallest one.

Nothing here reads a clock: the search is bounded by counts, so the same class and seed give the same
answer on every machine.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

W = TypeVar("W")
F = TypeVar("F")
T = TypeVar("T")

Check = Callable[[W], F | None]
"""Runs one workload; None says that all was well, anything else says what went wrong."""


@dataclass(frozen=True, slots=True)
class Found(Generic[W, F]):
    """A workload that fails, and how."""

    workload: W
    failure: F


def first_failure(workloads: Iterable[W], check: Check[W, F]) -> Found[W, F] | None:
    """The first workload that fails, or None where all pass."""
    for workload in workloads:
        if (failure := check(workload)) is not None:
            return Found(workload, failure)
    return None


def smallest(
    found: Found[W, F], shrink: Callable[[W], Iterable[W]], check: Check[W, F], most_checks: int
) -> Found[W, F]:
    """The smallest failing workload that can be reached from `found`.

    `shrink` yields workloads that are smaller than the one it is given, the boldest first. Whenever one of
    them fails it takes the place of `found`; when none does, or after `most_checks` checks, that is the
    answer. Below the limit it is locally smallest: every workload that `shrink` makes of it passes.
    """
    tried = {found.workload}
    while True:
        untried = (candidate for candidate in shrink(found.workload) if candidate not in tried)
        for candidate in untried:
            if len(tried) > most_checks:
                return found
            tried.add(candidate)
            if (failure := check(candidate)) is not None:
                found = Found(candidate, failure)
                break
        else:
            return found


def shorter(items: Sequence[T]) -> Iterator[tuple[T, ...]]:
    """`items` with a part left out: all of it, each half, each quarter, down to each single item."""
    size = len(items)
    while size > 0:
        for start in range(0, len(items), size):
            yield (*items[:start], *items[start + size :])
        size //= 2


def lower(number: int, least: int) -> Iterator[int]:
    """Numbers below `number`, none below `least`: the least, halfway there, one less."""
    yield from sorted({n for n in (least, (least + number) // 2, number - 1) if least <= n < number})


def each_replaced(items: Sequence[T], smaller: Callable[[T], Iterable[T]]) -> Iterator[tuple[T, ...]]:
    """`items` with one of them replaced by a smaller one."""
    for index, item in enumerate(items):
        for replacement in smaller(item):
            yield (*items[:index], replacement, *items[index + 1 :])
