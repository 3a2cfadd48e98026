"""Queueing theory knows some answers beforehand. A simulator that is right finds them."""

from collections.abc import Iterator
from itertools import pairwise
from random import Random
from statistics import fmean, stdev

import pytest

from engine.cost import LinearCost
from engine.metrics.requests import request_times
from engine.settings import Settings
from engine.simulate.fast import FastForward, cannot_fast_forward
from engine.simulate.scenario import Scenario
from engine.trace import Admitted, Arrived, Cancelled, Finished, FirstToken, Rejected, Step, TimedOut, Trace
from engine.workload import Lengths, fixed, gamma, open_loop, poisson, stream
from timed_workloads import draw_case

MEAN_TOKENS = 1000
"""Prompts are this long on average; an answer is one token, so that one step serves one request."""

SERVICE = 1_000_000
"""Nanoseconds of a mean prompt: the cost model charges nothing but prompt tokens."""

ONE_AT_A_TIME = Settings(
    num_blocks=1252,
    max_model_len=20_000,
    max_num_seqs=1,
    max_num_batched_tokens=20_000,
    enable_prefix_caching=False,
)
COST = LinearCost(step_ps=0, prefill_token_ps=SERVICE // MEAN_TOKENS * 1000)

RUNS, REQUESTS, WARM_UP = 20, 3000, 300
STUDENT_99 = 2.861
"""The 99.5th percentile of Student's t with nineteen degrees of freedom: twenty independent runs."""


def exponential(draws: Random) -> Iterator[Lengths]:
    while True:
        yield Lengths(max(1, round(draws.expovariate(1 / MEAN_TOKENS))), 1)


def mean_wait(times: Iterator[int], lengths: Iterator[Lengths]) -> float:
    """The mean queue time in service times."""
    workload = open_loop("queue", times, lengths, REQUESTS)
    requests = Scenario(settings=ONE_AT_A_TIME, workload=workload, cost=COST).run().requests
    return fmean((one.admitted or 0) - one.arrived for one in requests[WARM_UP:]) / SERVICE


@pytest.mark.parametrize("utilisation", [0.3, 0.5, 0.7, 0.8, 0.9])
@pytest.mark.parametrize(("kind", "squared_cv"), [("M/D/1", 0), ("M/M/1", 1)])
def test_waits_are_those_of_pollaczek_and_khinchine(kind: str, squared_cv: int, utilisation: float) -> None:
    expected = utilisation / (1 - utilisation) * (1 + squared_cv) / 2
    waits = []
    for run in range(RUNS):
        times = poisson(utilisation * 1e9 / SERVICE, stream(run, f"{kind} {utilisation}"))
        lengths = exponential(stream(run, f"lengths {utilisation}")) if squared_cv else fixed(MEAN_TOKENS, 1)
        waits.append(mean_wait(times, lengths))
    half = STUDENT_99 * stdev(waits) / RUNS**0.5
    assert abs(fmean(waits) - expected) < half, f"{fmean(waits):.3f} +- {half:.3f}, and theory says {expected:.3f}"
    assert half < 0.35 * expected, "the interval is narrow enough to mean something"


def test_burstiness_makes_queues_as_kingman_says() -> None:
    utilisation, waits = 0.8, []
    for burstiness in (4.0, 1.0, 0.25):
        times = [gamma(utilisation * 1e9 / SERVICE, burstiness, stream(run, "bursts")) for run in range(8)]
        waits.append(fmean(mean_wait(one, fixed(MEAN_TOKENS, 1)) for one in times))
        kingman = utilisation / (1 - utilisation) * (1 / burstiness) / 2
        assert waits[-1] == pytest.approx(kingman, rel=0.3)
    assert waits == sorted(waits)


# ---- what holds on every run, whatever it is


def traces() -> Iterator[tuple[int, Trace]]:
    for seed in range(250):
        yield seed, draw_case(Random(seed)).fast_forward()


def test_littles_law_holds_on_every_run() -> None:
    for seed, trace in traces():
        number = area = last = 0
        for record in trace.records:
            area += number * (record.at - last)
            last = record.at
            number += isinstance(record, Arrived) - isinstance(record, Finished | Rejected | Cancelled | TimedOut)
        stays = [one.ended - one.arrived for one in request_times(trace) if one.ended is not None]
        assert area == sum(stays), f"seed {seed}"


def test_every_request_ends_once_and_nothing_happens_before_its_cause() -> None:
    for seed, trace in traces():
        trace.check()
        ends = [record.id for record in trace.records if isinstance(record, Finished | Rejected | Cancelled | TimedOut)]
        assert sorted(ends) == sorted(trace.requests()), f"seed {seed}"
        times = [
            {record.id: record.at for record in trace.records if isinstance(record, kind)}
            for kind in (Arrived, Admitted, FirstToken, Finished)
        ]
        for before, after in pairwise(times):
            for name, at in after.items():
                assert at >= before[name], f"seed {seed}: {name}"


def test_the_engine_never_rests_while_somebody_is_there() -> None:
    for seed, trace in traces():
        here, free_from = 0, 0
        for record in trace.records:
            if isinstance(record, Step):
                assert record.at == free_from, f"seed {seed}: somebody was there, and it rested until {record.at}"
                free_from = record.at + record.duration
            if isinstance(record, Arrived) and not here:
                free_from = max(free_from, record.at)
            here += isinstance(record, Arrived) - isinstance(record, Finished | Rejected | Cancelled | TimedOut)


def test_all_blocks_come_back() -> None:
    for seed in range(400):
        case = draw_case(Random(seed))
        if cannot_fast_forward(case.settings, case.policy) is None:
            run = FastForward(
                case.settings, case.workload, case.cost, case.limits, policy=case.policy, candidates=case.candidates
            ).run()
            assert run.pool.num_free == case.settings.num_lendable_blocks, f"seed {seed}"
            left = [run.running, run.line, run.decoding.namers, *run.decoding.groups, run.decoding.base_sum]
            assert not any(left), f"seed {seed}: {left}"
            assert len(run.outcomes) == len(case.workload)
