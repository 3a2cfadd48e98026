"""The search for a smaller workload: it ends, it is deterministic, and what it hands back is locally smallest."""

from collections.abc import Iterator

from hypothesis import given, settings
from hypothesis import strategies as st

from labs.kit.search import Found, each_replaced, first_failure, lower, shorter, smallest

Numbers = tuple[int, ...]


def shrink(numbers: Numbers) -> Iterator[Numbers]:
    yield from shorter(numbers)
    yield from each_replaced(numbers, lambda number: lower(number, 0))


@settings(deadline=None)
@given(st.lists(st.integers(0, 30), min_size=1, max_size=8), st.integers(1, 60))
def test_a_sum_that_is_too_large_shrinks_to_a_single_number(numbers: list[int], limit: int) -> None:
    start = tuple(numbers)

    def check(case: Numbers) -> int | None:
        return sum(case) if sum(case) >= limit else None

    if (failure := check(start)) is None:
        return
    found = smallest(Found(start, failure), shrink, check, most_checks=10_000)
    assert found.failure == limit
    assert all(check(candidate) is None for candidate in shrink(found.workload))


@settings(deadline=None)
@given(st.lists(st.integers(0, 9), max_size=9))
def test_shorter_leaves_out_each_item_and_never_adds_one(numbers: list[int]) -> None:
    candidates = set(shorter(numbers))
    assert all(len(candidate) < len(numbers) for candidate in candidates)
    assert {(*numbers[:index], *numbers[index + 1 :]) for index in range(len(numbers))} <= candidates


@settings(deadline=None)
@given(st.integers(0, 1_000), st.integers(0, 10))
def test_lower_goes_down_by_one_at_least_and_never_below_the_least(number: int, least: int) -> None:
    candidates = list(lower(number, least))
    assert all(least <= candidate < number for candidate in candidates)
    assert bool(candidates) == (number > least)
    assert number - 1 in candidates or number <= least


def test_the_boldest_candidate_comes_first() -> None:
    assert next(shorter((1, 2, 3, 4))) == ()
    assert list(shorter((1, 2, 3, 4)))[1:3] == [(3, 4), (1, 2)]
    assert list(lower(9, 1)) == [1, 5, 8]


def test_a_limit_of_checks_is_kept() -> None:
    asked: list[Numbers] = []

    def check(case: Numbers) -> str:
        asked.append(case)
        return "always wrong"

    start: Numbers = (9,) * 50
    smallest(Found(start, "always wrong"), lambda numbers: each_replaced(numbers, lambda n: [n - 1]), check, 25)
    assert len(asked) == 25


def test_the_failure_handed_back_is_that_of_the_workload_handed_back() -> None:
    start: Numbers = (5, 5)
    found = smallest(Found(start, 10), shrink, lambda case: sum(case) if 5 in case else None, 1_000)
    assert (found.workload, found.failure) == ((5,), 5)


def test_a_workload_that_goes_well_is_passed_over() -> None:
    found = first_failure([(1,), (2,), (3,), (4,)], lambda case: "odd" if case[0] % 2 and case[0] > 1 else None)
    assert found == Found((3,), "odd")
    assert first_failure([(1,)], lambda case: None) is None
