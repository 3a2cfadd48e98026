"""A percentile and how sure it is.

Percentiles are nearest rank: the smallest value with at least p % of all at or below it, so always one that
was measured. Their intervals need no assumption on the distribution: of n independent values, the number
that lie below the true percentile is binomial, so two ranks enclose it with a known probability (David and
Nagaraja, *Order Statistics*, 7.1). Where n is too small, no rank is high enough and there is no upper bound:
below n = 368 for the 99th at 95 %.

Requests that queue together are slow together, so latencies are no independent values and the true interval
is wider. Only repeated runs tell by how much.
"""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import lru_cache
from math import fsum
from typing import Final, NamedTuple

PERCENTS: Final = (50, 90, 95, 99)
"""The percentiles of a summary."""

CONFIDENCE: Final = 0.95
"""How often the interval of a percentile holds the true one."""


class Percentile(NamedTuple):
    """One percentile with the interval of its estimate, in the unit of the values."""

    percent: float
    value: float
    low: float | None
    """None where even the smallest value isn't surely low enough."""
    high: float | None
    """None where even the greatest value isn't surely high enough."""


class Summary(NamedTuple):
    """How many values there were, their mean, and percentiles."""

    n: int
    mean: float | None
    """None of no values."""
    percentiles: tuple[Percentile, ...] = ()


def summarise(values: Iterable[float], percents: Sequence[float] = PERCENTS, confidence: float = CONFIDENCE) -> Summary:
    """The summary of `values`, in their unit. Raises `ValueError` for a percent or confidence out of range."""
    ordered = sorted(values)
    count = len(ordered)
    if not count:
        return Summary(0, None)
    percentiles = []
    for percent in percents:
        low, high = rank_interval(count, percent, confidence)
        percentiles.append(
            Percentile(
                percent,
                ordered[nearest_rank(count, percent) - 1],
                None if low is None else ordered[low - 1],
                None if high is None else ordered[high - 1],
            )
        )
    return Summary(count, fsum(ordered) / count, tuple(percentiles))


def nearest_rank(count: int, percent: float) -> int:
    """Which of `count` ordered values is the percentile, counted from 1."""
    return max(1, -(-_share(percent) * count // 1))


@lru_cache(maxsize=256)
def rank_interval(count: int, percent: float, confidence: float = CONFIDENCE) -> tuple[int | None, int | None]:
    """The ranks, from 1, that enclose the true percentile; each side errs with at most half of the rest.

    Of 300 values the ranks for the 95th are 277 and 293; for the 99th 293 and none.
    """
    if not 0 < confidence < 1:
        raise ValueError(f"confidence {confidence}: a probability between 0 and 1, as 0.95")
    below, likelihoods = _binomial(count, float(_share(percent)))
    tail = float((1 - Fraction(str(confidence))) / 2)
    low = below + _most_within(likelihoods, tail)
    high = below + len(likelihoods) - _most_within(likelihoods[::-1], tail)
    return (low if low >= 1 else None), (high if high <= count else None)


def _share(percent: float) -> Fraction:
    # Of the written number, so that 99.9 % of 1,000 is 999 and not a hair more.
    share = Fraction(str(percent)) / 100
    if not 0 < share < 1:
        raise ValueError(f"percent {percent}: between 0 and 100, as 99")
    return share


def _most_within(likelihoods: Sequence[float], tail: float) -> int:
    """How many of the first likelihoods add up to no more than `tail`."""
    total, count = 0.0, 0
    for likelihood in likelihoods:
        total += likelihood
        # A sum that meets the tail exactly is within it, however its last bit was rounded.
        if total > tail * (1 + 1e-9):
            break
        count += 1
    return count


def _binomial(count: int, chance: float) -> tuple[int, list[float]]:
    """The likelihoods of a binomial count around its mode, and the count that the first one is of.

    They are computed from one another by multiplication and division alone, which every machine rounds
    alike, as no logarithm or gamma function is. Those below 1e-18 of the greatest are left out.
    """
    mode, odds = int((count + 1) * chance), chance / (1 - chance)
    mode = min(mode, count)
    upwards, downwards = [1.0], []
    k = mode
    while k < count and upwards[-1] > 1e-18:
        upwards.append(upwards[-1] * ((count - k) / (k + 1) * odds))
        k += 1
    value, k = 1.0, mode
    while k > 0 and value > 1e-18:
        value *= k / ((count - k + 1) * odds)
        downwards.append(value)
        k -= 1
    relative = downwards[::-1] + upwards
    total = fsum(relative)
    return mode - len(downwards), [value / total for value in relative]
