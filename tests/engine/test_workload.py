"""What arrives: rates, shapes and contents as asked for, the same from the same seed, refused with words."""

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import islice, pairwise
from math import fsum
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.prefix import hash_blocks
from engine.workload import (
    Arrival,
    Lengths,
    Segment,
    Workload,
    WorkloadError,
    constant,
    cycle,
    fixed,
    gamma,
    isolated,
    lengths_of,
    lognormal,
    open_loop,
    patient_for,
    poisson,
    predicted,
    ramp,
    replay,
    sessions,
    shared_prefix,
    stream,
    tenants,
    wanted_within,
)
from engine.workload.records import FIRST_OWN_CONTENT, answer_token_ids, prompt_token_ids

SECOND = 1_000_000_000


def gaps_of(times: Iterator[int], count: int) -> list[int]:
    return [after - before for before, after in pairwise(islice(times, count + 1))]


def shape(gaps: list[int]) -> tuple[float, float]:
    """The rate in requests a second, and the squared coefficient of variation of the gaps."""
    mean = sum(gaps) / len(gaps)
    variance = fsum((gap - mean) ** 2 for gap in gaps) / len(gaps)
    return SECOND / mean, variance / mean**2


def test_constant_arrivals_keep_their_rate_and_gather_no_rounding_error() -> None:
    assert list(islice(constant(4), 3)) == [0, SECOND // 4, SECOND // 2]
    assert next(islice(constant(3), 3_000_000, None)) == 1_000_000 * SECOND


@pytest.mark.parametrize("rate", [0.25, 6, 2000])
def test_poisson_arrivals_have_the_rate_and_the_variation_of_poisson(rate: float) -> None:
    measured, cv2 = shape(gaps_of(poisson(rate, Random(1)), 20_000))
    assert measured == pytest.approx(rate, rel=0.02)
    assert cv2 == pytest.approx(1, rel=0.05)


@pytest.mark.parametrize("burstiness", [0.25, 1.0, 4.0])
def test_burstiness_is_the_shape_of_the_gaps(burstiness: float) -> None:
    measured, cv2 = shape(gaps_of(gamma(6, burstiness, Random(1)), 20_000))
    assert measured == pytest.approx(6, rel=0.05)
    assert cv2 == pytest.approx(1 / burstiness, rel=0.1)


def test_a_ramp_gathers_as_many_arrivals_as_its_rates_say() -> None:
    times = list(islice(ramp(0, 100, 100, Random(2)), 8_000))
    assert times == sorted(times)
    before_half, in_ramp = (sum(at < end * SECOND for at in times) for end in (50, 100))
    assert before_half == pytest.approx(1_250, rel=0.1)
    assert in_ramp == pytest.approx(5_000, rel=0.05)
    after = sum(100 * SECOND <= at < 110 * SECOND for at in times)
    assert after == pytest.approx(1_000, rel=0.1)


def test_a_flat_ramp_is_poisson() -> None:
    measured, cv2 = shape(gaps_of(ramp(6, 6, 30, Random(1)), 20_000))
    assert measured == pytest.approx(6, rel=0.02)
    assert cv2 == pytest.approx(1, rel=0.05)


def test_a_replay_begins_at_zero_and_may_be_hurried() -> None:
    assert list(replay([70, 75, 95])) == [0, 5, 25]
    assert list(replay([70, 75, 95], speed=2)) == [0, 2, 12]
    assert list(replay([])) == []


def test_lognormal_lengths_have_the_means_that_were_asked_for() -> None:
    drawn = list(islice(lognormal(1000, 200, Random(3), cv=1.0, longest=100_000), 20_000))
    assert sum(length.prompt for length in drawn) / len(drawn) == pytest.approx(1000, rel=0.03)
    assert sum(length.output for length in drawn) / len(drawn) == pytest.approx(200, rel=0.03)


def test_lognormal_lengths_stay_in_bounds() -> None:
    drawn = list(islice(lognormal(2, 50, Random(3), cv=3.0, longest=60), 2_000))
    assert {min(length) for length in drawn} >= {1}
    assert max(max(length) for length in drawn) == 60


def test_known_lengths_come_in_order_or_by_draws() -> None:
    known = lengths_of([Arrival(0, "a", 7, 3), Arrival(1, "b", 9, 1)])
    assert list(islice(cycle(known), 3)) == [Lengths(7, 3), Lengths(9, 1), Lengths(7, 3)]
    assert Counter(islice(cycle(known, Random(1)), 1_000)).keys() == set(known)


def mixed(seed: int, lengths: Callable[[Random], Iterator[Lengths]]) -> Workload:
    times = gamma(6, 0.5, stream(seed, "arrivals"))
    return open_loop("mixed", times, lengths(stream(seed, "lengths")), 200, seed=seed)


def test_one_seed_gives_one_workload_and_lengths_leave_arrivals_alone() -> None:
    def short(draws: Random) -> Iterator[Lengths]:
        return lognormal(10, 10, draws)

    def long(draws: Random) -> Iterator[Lengths]:
        return lognormal(1000, 10, draws)

    one, other = mixed(7, short), mixed(7, long)
    one.check()
    assert one == mixed(7, short)
    assert one.arrivals != mixed(8, short).arrivals
    assert [arrival.at for arrival in one] == [arrival.at for arrival in other]
    assert [arrival.num_prompt_tokens for arrival in one] != [arrival.num_prompt_tokens for arrival in other]


def test_this_seed_has_always_given_these_arrivals() -> None:
    # Held to the nanosecond, so that another platform or another Python can be seen to agree.
    times = [islice(times, 3) for times in (poisson(6, Random(1)), gamma(6, 0.5, Random(1)), ramp(1, 9, 5, Random(1)))]
    assert [list(three) for three in times] == GOLDEN_TIMES
    assert list(islice(lognormal(1155, 211, Random(1)), 3)) == GOLDEN_LENGTHS


GOLDEN_TIMES = [[24048511, 337407889, 577902710], [8435394, 280999317, 395685592], [130638028, 1084147203, 1548682433]]
GOLDEN_LENGTHS = [Lengths(1354, 147), Lengths(2276, 347), Lengths(617, 411)]


def alike(count: int) -> tuple[Arrival, ...]:
    return open_loop("alike", constant(1), fixed(100, 10), count).arrivals


def test_a_share_of_the_requests_begins_with_one_of_some_texts() -> None:
    arrivals = list(shared_prefix(alike(2_000), Random(1), num_tokens=64, share=0.5, groups=3))
    heads = Counter(arrival.beginning for arrival in arrivals)
    assert heads.pop(()) == pytest.approx(1_000, rel=0.1)
    assert set(heads) == {(Segment(content, 64),) for content in range(3)}
    assert min(heads.values()) > 250


def test_a_system_prompt_comes_on_top_of_what_is_said() -> None:
    (arrival,) = shared_prefix(alike(1), Random(1), num_tokens=100)
    assert arrival.num_prompt_tokens == 101


def test_a_turn_repeats_all_that_was_said_before() -> None:
    turns = list(sessions(alike(6), turns=3))
    first, second, third = turns[0], turns[2], turns[4]
    assert [turn.num_prompt_tokens for turn in (first, second, third)] == [100, 210, 320]
    said = prompt_token_ids(first, FIRST_OWN_CONTENT) + list(answer_token_ids(first, FIRST_OWN_CONTENT))
    assert prompt_token_ids(second, FIRST_OWN_CONTENT + 2)[:110] == said
    assert prompt_token_ids(third, FIRST_OWN_CONTENT + 4)[:110] == said
    other = prompt_token_ids(turns[1], FIRST_OWN_CONTENT + 1)
    assert not set(other) & set(prompt_token_ids(first, FIRST_OWN_CONTENT))


def test_equal_beginnings_are_equal_blocks_and_no_others_are() -> None:
    one = Arrival(0, "a", 40, 5, beginning=(Segment(3, 32),))
    other = one._replace(id="b")
    hashes = [hash_blocks(prompt_token_ids(a, FIRST_OWN_CONTENT + i), 8) for i, a in enumerate((one, other))]
    assert [x == y for x, y in zip(*hashes, strict=True)] == [True] * 4 + [False]


def test_an_answer_of_its_own_shares_no_token_with_any_prompt() -> None:
    arrival = Arrival(0, "a", 40, 5, beginning=(Segment(3, 32),))
    prompt, answer = prompt_token_ids(arrival, FIRST_OWN_CONTENT), answer_token_ids(arrival, FIRST_OWN_CONTENT)
    assert len(answer) == 5
    assert not set(prompt) & set(answer)


def test_tenants_come_by_their_shares_and_may_be_isolated() -> None:
    arrivals = list(isolated(tenants(alike(2_000), Random(1), {"big": 3, "small": 1, "gone": 0})))
    counts = Counter((arrival.tenant, arrival.cache_salt) for arrival in arrivals)
    assert counts.keys() == {("big", "big"), ("small", "small")}
    assert counts["big", "big"] == pytest.approx(1_500, rel=0.05)


def test_clients_give_up_and_want_answers_by_a_time() -> None:
    arrival = list(wanted_within(patient_for(alike(2), 5), 9))[1]
    assert (arrival.at, arrival.cancel_at, arrival.deadline) == (SECOND, SECOND + 5, SECOND + 9)


def test_a_guess_without_error_is_the_truth_and_one_with_error_is_off() -> None:
    oracle = list(predicted(alike(5), Random(1), cv=0))
    assert [arrival.predicted_output_tokens for arrival in oracle] == [10] * 5
    off = [arrival.predicted_output_tokens or 0 for arrival in predicted(alike(4_000), Random(1), cv=0.5)]
    assert min(off) == 1
    assert sum(off) / len(off) == pytest.approx(10, rel=0.05)


def test_a_list_of_times_that_ends_too_soon_is_said() -> None:
    with pytest.raises(WorkloadError, match="5 requests asked for, and times or lengths for 3: ask for fewer"):
        open_loop("short", replay([1, 2, 3]), fixed(1, 1), 5)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: constant(0), "rate 0: from 1e-09 to 1,000,000,000, as 6"),
        (lambda: poisson(1e-320, Random(1)), "rate 1e-320: from 1e-09"),
        (lambda: gamma(6, 1e-300, Random(1)), "burstiness 1e-300: a gamma shape from"),
        (lambda: poisson(float("nan"), Random(1)), "rate nan"),
        (lambda: gamma(6, 0, Random(1)), "burstiness 0: a gamma shape from 0.0001 to 10000; 1 means Poisson"),
        (lambda: ramp(-1, 5, 9, Random(1)), "start_rate -1"),
        (lambda: ramp(1, 0, 9, Random(1)), "end_rate 0"),
        (lambda: ramp(1, 5, 0, Random(1)), "a ramp of 0 seconds"),
        (lambda: list(replay([1], speed=0)), "speed 0"),
        (lambda: fixed(0, 1), "lengths 0 and 1: tokens, 1 or more each"),
        (lambda: lognormal(0.5, 9, Random(1)), "lognormal means 0.5 and 9"),
        (lambda: lognormal(9, 9, Random(1), cv=0), "cv 0"),
        (lambda: cycle([]), "no lengths to repeat"),
        (lambda: open_loop("none", constant(1), fixed(1, 1), 0), "0 requests: 1 or more"),
        (lambda: shared_prefix([], Random(1), num_tokens=0), "shared prefix of 0 tokens"),
        (lambda: shared_prefix([], Random(1), num_tokens=1, share=2), "share 2"),
        (lambda: sessions([], turns=0), "sessions of 0 turns"),
        (lambda: tenants([], Random(1), {}), "shares {}: name tenants"),
        (lambda: tenants([], Random(1), {"a": -1}), "shares {'a': -1}"),
        (lambda: patient_for([], -1), "patience_ns -1"),
        (lambda: wanted_within([], -1), "wait_ns -1"),
        (lambda: predicted([], Random(1), cv=-1), "cv -1"),
    ],
)
def test_what_can_not_be_is_refused_at_once_with_the_value(make: Callable[[], object], words: str) -> None:
    with pytest.raises(WorkloadError) as caught:
        make()
    assert words in str(caught.value)


GOOD = Arrival(5, "a", 10, 3)


@pytest.mark.parametrize(
    ("bad", "words"),
    [
        (GOOD._replace(at=-1), "a: at is -1; it takes 0 or more"),
        (GOOD._replace(num_prompt_tokens=0), "a: num_prompt_tokens is 0; it takes 1 or more"),
        (GOOD._replace(num_output_tokens=0), "a: num_output_tokens is 0; it takes 1 or more"),
        (GOOD._replace(cancel_at=4), "a: cancel_at is 4; it takes 5 or more"),
        (GOOD._replace(deadline=4), "a: deadline is 4; it takes 5 or more"),
        (GOOD._replace(predicted_output_tokens=0), "a: predicted_output_tokens is 0"),
        (GOOD._replace(beginning=(Segment(1, 8), Segment(2, 3))), "a: its beginning has 11 tokens, its prompt 10"),
        (GOOD._replace(beginning=(Segment(-1, 3),)), "a: content -1"),
        (GOOD._replace(beginning=(Segment(1, 0),)), "a: content 1 has 0 tokens"),
        (GOOD._replace(answer_content=1 << 32), "a: content 4294967296"),
    ],
)
def test_an_arrival_that_can_not_happen_is_named_with_its_field(bad: Arrival, words: str) -> None:
    Workload("good", (GOOD,)).check()
    with pytest.raises(WorkloadError) as caught:
        Workload("bad", (bad,)).check()
    assert str(caught.value).startswith(words)


def test_arrivals_are_in_order_and_have_names_of_their_own() -> None:
    with pytest.raises(WorkloadError, match="b: arrives at 3 ns, before a at 5 ns; sort them by time"):
        Workload("bad", (GOOD, Arrival(3, "b", 1, 1))).check()
    with pytest.raises(WorkloadError, match="twins: two requests have the same id"):
        Workload("twins", (GOOD, GOOD)).check()


@given(st.integers(0, 2**64), st.floats(0.1, 1000), st.floats(0.05, 20))
def test_whatever_the_seed_times_are_whole_and_never_run_backwards(seed: int, rate: float, shape: float) -> None:
    for times in (poisson(rate, Random(seed)), gamma(rate, shape, Random(seed)), ramp(0, rate, 3, Random(seed))):
        first = list(islice(times, 50))
        assert all(type(at) is int and at >= 0 for at in first)
        assert first == sorted(first)
