"""A percentile is a value that was measured, and says how sure it is."""

from fractions import Fraction
from math import comb
from random import Random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from engine.metrics.percentiles import Percentile, Summary, nearest_rank, rank_interval, summarise


@pytest.mark.parametrize(
    ("count", "percent", "rank"),
    [(300, 99, 297), (300, 95, 285), (1, 50, 1), (1, 99, 1), (2, 50, 1), (3, 50, 2), (1000, 99.9, 999), (100, 1, 1)],
)
def test_a_percentile_is_the_smallest_value_with_that_many_at_or_below(count: int, percent: float, rank: int) -> None:
    assert nearest_rank(count, percent) == rank


@pytest.mark.parametrize(
    ("count", "percent", "ranks"),
    [
        (300, 95, (277, 293)),
        (300, 99, (293, None)),
        (200, 99, (195, None)),
        (367, 99, (359, None)),
        (368, 99, (360, 368)),
        (1, 50, (None, None)),
        (5, 50, (None, None)),
        (6, 50, (1, 6)),
    ],
)
def test_ranks_enclose_the_true_percentile(count: int, percent: float, ranks: tuple[int | None, int | None]) -> None:
    assert rank_interval(count, percent) == ranks


def exact_interval(count: int, percent: int, rest: Fraction) -> tuple[int | None, int | None]:
    """By fractions, in the words of the definition."""
    chance = Fraction(percent, 100)
    mass = [comb(count, k) * chance**k * (1 - chance) ** (count - k) for k in range(count + 1)]
    lows = [low for low in range(1, count + 1) if sum(mass[:low]) <= rest]
    highs = [high for high in range(1, count + 1) if sum(mass[high:]) <= rest]
    return (max(lows) if lows else None), (min(highs) if highs else None)


@settings(deadline=None)
@example(1, 5, "0.9")
@example(2, 50, "0.5")
@given(st.integers(1, 60), st.integers(1, 99), st.sampled_from(["0.5", "0.9", "0.95", "0.99"]))
def test_the_interval_is_that_of_exact_arithmetic(count: int, percent: int, confidence: str) -> None:
    rest = (1 - Fraction(confidence)) / 2
    assert rank_interval(count, percent, float(confidence)) == exact_interval(count, percent, rest)


def test_the_interval_covers_the_truth_as_often_as_it_says() -> None:
    random, low, high = Random(1), *rank_interval(300, 95)
    assert low is not None
    assert high is not None
    hits = 0
    for _ in range(400):
        values = sorted(random.random() for _ in range(300))
        hits += values[low - 1] <= 0.95 <= values[high - 1]
    assert hits / 400 >= 0.93


def test_a_summary_says_how_many_and_how_sure() -> None:
    summary = summarise(range(1, 301), (50, 99))
    assert summary == Summary(300, 150.5, (Percentile(50, 150, 133, 168), Percentile(99, 297, 293, None)))
    assert summarise([]) == Summary(0, None)


def test_a_million_values_are_no_trouble() -> None:
    low, high = rank_interval(1_000_000, 99)
    assert (low, high) == (989_805, 990_196)


@pytest.mark.parametrize("percent", [0, 100, -1])
def test_percents_out_of_range_are_refused(percent: float) -> None:
    with pytest.raises(ValueError, match=f"percent {percent}: between 0 and 100, as 99"):
        nearest_rank(10, percent)


def test_a_confidence_out_of_range_is_refused() -> None:
    with pytest.raises(ValueError, match=r"confidence 95: a probability between 0 and 1, as 0\.95"):
        rank_interval(10, 50, 95)
