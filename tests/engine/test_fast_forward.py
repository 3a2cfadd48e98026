"""The fast simulator tells the very trace of the step-by-step one: every row, block, eviction and nanosecond."""

from collections.abc import Callable
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.admission import ServerLimits, skip_ahead, strict
from engine.cost import DENSE_8B, LinearCost, MixtureCost, StepCost
from engine.metrics.requests import request_times
from engine.metrics.tokens import recompute
from engine.settings import Settings
from engine.simulate import fast_forward, serve
from engine.simulate.fast import FastForward, cannot_fast_forward
from engine.simulate.windows import WindowLog
from engine.trace import Cancelled, Finished, Rejected, Step, TimedOut
from engine.workload import Arrival, Segment, Workload, lognormal, open_loop, poisson, sessions, shared_prefix, stream
from timed_workloads import Case, draw_case

cases = st.randoms(use_true_random=False).map(draw_case)


def assert_equal(case: Case) -> None:
    truth, fast = case.serve(), case.fast_forward()
    for place, (one, other) in enumerate(zip(truth.records, fast.records, strict=False)):
        assert one == other, f"record {place}"
    assert len(truth.records) == len(fast.records)
    assert truth.header == fast.header


@settings(max_examples=150, deadline=None)
@given(cases)
def test_both_tell_the_same(case: Case) -> None:
    assert_equal(case)


@pytest.mark.parametrize("seeds", [range(1500), pytest.param(range(1500, 100_000), marks=pytest.mark.long)])
def test_both_tell_the_same_for_many_seeds(seeds: range) -> None:
    for seed in seeds:
        try:
            assert_equal(draw_case(Random(seed)))
        except AssertionError as broken:
            raise AssertionError(f"seed {seed}: {broken}") from broken


def test_the_cases_reach_what_they_are_for() -> None:
    seen = {"preempted": 0, "evicted": 0, "hit": 0, "cancelled": 0, "timed out": 0, "refused": 0, "missed": 0}
    for seed in range(800):
        case = draw_case(Random(seed))
        for record in case.fast_forward().records:
            if isinstance(record, Step):
                seen["preempted"] += len(record.preempted)
                seen["evicted"] += len(record.evicted)
                seen["hit"] += sum(len(row.hit_blocks) for row in record.rows)
                seen["missed"] += bool(record.preempted and not record.rows)
            seen["cancelled"] += isinstance(record, Cancelled)
            seen["timed out"] += isinstance(record, TimedOut)
            seen["refused"] += isinstance(record, Rejected)
    assert min(seen.values()) >= 5, seen


def drawn(num_requests: int, rate: float) -> Workload:
    times, lengths = poisson(rate, stream(1, "arrivals")), lognormal(300, 120, stream(1, "lengths"), longest=2000)
    return open_loop("drawn", times, lengths, num_requests)


def prefixed(workload: Workload) -> Workload:
    draws = stream(1, "content")
    return Workload("prefixed", tuple(shared_prefix(workload, draws, num_tokens=100, share=0.5, groups=3)))


def conversations(workload: Workload) -> Workload:
    return Workload("conversations", tuple(sessions(workload.arrivals, turns=4)))


MIXTURE = MixtureCost(step_ps=2_000_000_000, kv_token_ps=30_000, all_experts_ps=9_000_000_000)


@pytest.mark.parametrize("cost", [DENSE_8B, MIXTURE], ids=["dense", "mixture"])
@pytest.mark.parametrize("num_blocks", [4000, 700], ids=["ample", "scarce"])
@pytest.mark.parametrize("changed", [lambda workload: workload, prefixed, conversations])
@pytest.mark.parametrize("caching", [False, True], ids=["no cache", "cache"])
def test_both_tell_the_same_of_traffic_of_a_real_size(
    cost: StepCost, num_blocks: int, changed: Callable[[Workload], Workload], caching: bool
) -> None:
    sizes = Settings(num_blocks=num_blocks, max_model_len=8192, enable_prefix_caching=caching, startup_rule=False)
    workload = changed(drawn(80, 20))
    assert serve(sizes, workload, cost).records == fast_forward(sizes, workload, cost).records


def test_any_callable_is_a_cost_model() -> None:
    def cost(num_prefill_tokens: int, num_decode_seqs: int, num_kv_tokens: int) -> int:
        return 5_000_000 + int((num_prefill_tokens + num_decode_seqs) ** 0.5 * 1_000_000)

    sizes, workload = Settings(num_blocks=4000, max_model_len=8192), drawn(60, 20)
    assert serve(sizes, workload, cost).records == fast_forward(sizes, workload, cost).records


def test_outcomes_say_what_the_trace_says() -> None:
    sizes = Settings(num_blocks=700, max_model_len=8192, startup_rule=False)
    workload = drawn(80, 20)
    trace = serve(sizes, workload, DENSE_8B)
    run = FastForward(sizes, workload, DENSE_8B).run()
    ended = {f"r{outcome.number}": (outcome.ended, outcome.num_output_tokens) for outcome in run.outcomes}
    assert ended == {record.id: (record.at, record.num_output_tokens) for record in trace.of(Finished)}
    preempted = sum(len(step.preempted) for step in trace.steps())
    assert preempted == sum(outcome.num_preemptions for outcome in run.outcomes) > 0


def test_times_and_totals_are_those_of_the_trace() -> None:
    for seed in range(300):
        case = draw_case(Random(seed))
        if cannot_fast_forward(case.settings, case.policy):
            continue
        trace = case.serve()
        price = recompute(trace)
        run = FastForward(
            case.settings, case.workload, case.cost, case.limits, policy=case.policy, candidates=case.candidates
        ).run()
        assert run.outcomes.request_times(case.workload) == request_times(trace), f"seed {seed}"
        assert run.outcomes.totals() == (price.num_preemptions, price.num_recomputed_tokens), f"seed {seed}"


def test_what_only_repeats_is_written_down_once() -> None:
    log = WindowLog()
    sizes = Settings(num_blocks=200, max_model_len=2048, enable_prefix_caching=False)
    workload = open_loop("one", iter([0]), iter([next(lognormal(10, 10, stream(1, "x")))._replace(output=1000)]), 1)
    cost = LinearCost(step_ps=1_000_000)
    run = FastForward(sizes, workload, cost, log=log).run()
    assert run.v == 1000
    assert len(log.entries) == 5, "arrival, prompt, first token, one window, the end"
    assert sum(isinstance(record, Step) for record in log.records(cost, 16)) == 1000


@pytest.mark.parametrize(
    ("setting", "why"),
    [("async_scheduling", "async_scheduling plans a step"), ("long_prefill_token_threshold", "several requests")],
)
def test_what_cannot_be_repeated_is_served_step_by_step(setting: str, why: str) -> None:
    value: bool | int = True if setting == "async_scheduling" else 64
    sizes = Settings.from_mapping({"num_blocks": 700, "max_model_len": 8192, setting: value})
    workload = drawn(30, 20)
    with pytest.raises(ValueError, match=why):
        FastForward(sizes, workload, DENSE_8B)
    assert fast_forward(sizes, workload, DENSE_8B).records == serve(sizes, workload, DENSE_8B).records


def crowded(random: Random) -> Case:
    """Tenants of a fair server who get answers of different lengths and queue for a pool that is too small."""
    settings = Settings(
        num_blocks=random.randint(12, 40),
        startup_rule=False,
        max_model_len=128,
        block_size=4,
        max_num_seqs=random.choice([3, 8]),
        policy="fair",
    )
    arrivals, at = [], 0
    for number in range(30):
        at += random.choice([0, 0, 1, 400, 3000])
        prompt, output = random.randint(1, 24), random.choice([1, 5, 60])
        arrivals.append(Arrival(at, f"r{number}", prompt, output, tenant=random.choice("aaabbcd")))
    workload = Workload("crowded", tuple(arrivals))
    return Case(
        settings, workload, LinearCost(step_ps=100_000), ServerLimits(), candidates=random.choice([strict, skip_ahead])
    )


def test_a_fair_server_turns_to_somebody_else_in_the_very_step() -> None:
    for seed in range(150):
        assert_equal(crowded(Random(seed)))


def quoted(random: Random) -> Case:
    """Equal prompts and equal answers, which later prompts quote, from clients of different priority in a small pool.

    Who comes back after a preemption is further than others who were admitted before it.
    """
    settings = Settings(
        num_blocks=random.randint(24, 60),
        max_model_len=256,
        block_size=4,
        max_num_seqs=4,
        policy="priority",
        startup_rule=False,
    )
    arrivals, at = [], 0
    for number in range(24):
        at += random.choice([1, 300, 2000])
        quotes = random.random() < 0.4
        beginning = (Segment(0, 8), Segment(7, random.randint(8, 60))) if quotes else (Segment(0, 8),)
        prompt, output = sum(part.num_tokens for part in beginning) + quotes, random.choice([2, 40, 90])
        answer, priority = None if quotes else 7, random.randint(0, 3)
        arrivals.append(
            Arrival(at, f"r{number}", prompt, output, "", priority, beginning=beginning, answer_content=answer)
        )
    return Case(settings, Workload("quoted", tuple(arrivals)), LinearCost(step_ps=100_000), ServerLimits())


def test_of_two_equal_answers_the_block_that_was_full_first_is_quoted() -> None:
    for seed in range(50):
        assert_equal(quoted(Random(seed)))
