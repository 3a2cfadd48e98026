"""What a step costs, in whole nanoseconds."""

from collections.abc import Callable
from fractions import Fraction
from random import Random
from typing import Any

import pytest

from engine.cost import WHOLE, LinearCost, MixtureCost, decode_clock, unread_experts


def test_each_kind_of_work_is_charged_at_its_own_rate() -> None:
    cost = LinearCost(step_ps=1_000_000, prefill_token_ps=20_000, decode_seq_ps=3_000, kv_token_ps=100)
    assert cost(0, 0, 0) == 1000
    assert cost(5, 0, 0) == 1100
    assert cost(0, 7, 0) == 1021
    assert cost(0, 0, 25) == 1002, "2,500 picoseconds are two nanoseconds and a half, rounded down"
    assert cost(5, 7, 25) == 1123


@pytest.mark.parametrize("value", [-1, 1.5, True])
def test_a_rate_that_cannot_be_is_refused_by_name(value: Any) -> None:
    with pytest.raises(ValueError, match=rf"decode_seq_ps is {value!r}; give whole picoseconds, 0 or more"):
        LinearCost(step_ps=1, decode_seq_ps=value)


def test_the_share_of_unread_experts_is_the_power_that_it_stands_for() -> None:
    for tokens in (0, 1, 2, 17, 200):
        exact = Fraction(120, 128) ** tokens
        assert abs(Fraction(unread_experts(tokens, 128, 8), WHOLE) - exact) < Fraction(1, 1 << 40)
    assert unread_experts(10_000, 128, 8) == 0


def test_a_mixture_costs_less_for_each_further_token_and_never_more_than_all_experts() -> None:
    cost = MixtureCost(step_ps=0, num_experts=8, experts_per_token=2, all_experts_ps=8_000_000)
    assert cost(0, 0, 0) == 0
    assert cost(0, 1, 0) == 2000, "one token reads two of eight experts"
    steps = [cost(0, n + 1, 0) - cost(0, n, 0) for n in range(20)]
    assert steps == sorted(steps, reverse=True)
    assert cost(1000, 0, 0) == 8000


def test_a_token_chooses_among_the_experts_there_are() -> None:
    with pytest.raises(ValueError, match="experts_per_token is 9 of num_experts 8"):
        MixtureCost(step_ps=0, num_experts=8, experts_per_token=9)


def single_steps(cost: Callable[[int, int, int], int], num_seqs: int, kv: int, most: int, now: int, until: int) -> Any:
    done = 0
    while done < most and now < until:
        now += cost(0, num_seqs, kv + done * num_seqs)
        done += 1
    return done, now


@pytest.mark.parametrize("unit", [1000, 250, 1], ids=["whole nanoseconds", "quarters", "picoseconds"])
def test_the_clock_of_many_steps_stands_where_single_ones_leave_it(unit: int) -> None:
    draws = Random(unit)
    for _ in range(3000):
        cost = LinearCost(
            step_ps=unit * draws.choice([0, 1, 5, 901, 9_000_000]),
            decode_seq_ps=unit * draws.choice([0, 1, 3, 20_000]),
            kv_token_ps=unit * draws.choice([0, 0, 1, 60]),
        )
        until = draws.choice([draws.randint(0, 100), draws.randint(0, 100_000), draws.randint(0, 10**9), 1 << 100])
        case = draws.randint(1, 20), draws.randint(0, 5000), draws.randint(0, 60), draws.randint(0, 9), until
        assert decode_clock(cost)(*case) == single_steps(cost, *case), (cost, case)
