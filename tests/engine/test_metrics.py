"""What a trace says in numbers: memory, work done twice, promises kept, service and its fairness."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.metrics import Limits, goodput, jain_index, report, request_times, service, service_gap
from engine.metrics.fairness import served
from engine.metrics.handovers import handovers
from engine.metrics.memory import MemoryUse, kv_summary, memory_use
from engine.metrics.tokens import Recompute, hit_rate_tokens, recompute
from engine.naive import continuous_batch
from engine.request import Request
from engine.settings import Settings
from engine.simulate import simulate
from engine.trace import (
    Admitted,
    Arrived,
    Cancelled,
    Finished,
    FirstToken,
    Header,
    Record,
    Rejected,
    Row,
    Step,
    TimedOut,
    Tokens,
    Trace,
)
from workloads import Workload, draw_workload, sample

TIGHT = Settings(num_blocks=6, max_model_len=16, block_size=4, max_num_seqs=4, enable_prefix_caching=False)


def two_that_fight() -> Trace:
    """Two requests that grow to four blocks each, in a pool that lends five."""
    requests = [Request(name, range(start, start + 6), 8) for name, start in (("a", 0), ("b", 100))]
    return simulate(TIGHT, requests)


def test_memory_is_counted_in_held_blocks_and_empty_slots() -> None:
    uses = list(memory_use(two_that_fight()))
    # Six tokens each in two blocks of four; then seven, then eight.
    assert [tuple(use[2:]) for use in uses[:3]] == [(4, 4), (4, 2), (4, 0)]
    assert uses[0] == MemoryUse(0, 1, 4, 4)
    # The fifth block is a's third. There is none for b, which is preempted and gives back two.
    assert [use.num_held_blocks for use in uses[3:8]] == [3] * 4 + [4]


def test_memory_over_a_run_is_weighted_by_time() -> None:
    header = Header("made", "simulated", "ns", {"block_size": 4, "num_blocks": 11})
    records = (
        Arrived(0, "a", 4, 2),
        Step(0, 0, 10, (Row("a", 4, 0, "new", (1,)),)),
        FirstToken(10, "a", 0),
        Step(1, 10, 30, (Row("a", 1, 4, "running", (2,)),)),
        Finished(40, "a", "length", 2, 1),
    )
    summary = kv_summary(Trace(header, records))
    assert summary is not None
    assert summary.mean_use == (1 * 10 + 2 * 30) / (10 * 40)
    assert summary.peak_use == 0.2
    assert summary.mean_waste == pytest.approx(3 / 8 * 30 / 40)


def test_a_shared_block_is_held_once() -> None:
    settings = replace(TIGHT, enable_prefix_caching=True)
    prompt = [1, 2, 3, 4, 5]
    later = Request("b", prompt, 4, arrival_time=1)
    uses = list(memory_use(simulate(settings, [Request("a", prompt, 4), later])))
    assert uses[1].num_held_blocks == 3
    assert uses[1].num_empty_slots == 2 + 3


def test_a_header_that_knows_no_pool_gives_no_summary_of_it() -> None:
    assert kv_summary(continuous_batch({"a": 2}, 1)) is None
    header = Header("made", "simulated", settings={"block_size": "many", "num_blocks": 3})
    with pytest.raises(TypeError, match="made: block_size is 'many'; a whole number was expected"):
        kv_summary(Trace(header, (Step(0, 0),)))


def test_what_a_preemption_costs_is_computed_again() -> None:
    trace = two_that_fight()
    price = recompute(trace)
    victims = [name for step in trace.steps() for name in step.preempted]
    assert victims == ["b"]
    # It had computed all but its latest token, and no block of it was kept.
    resumed = next(row for step in trace.steps() for row in step.rows if row.kind == "resumed")
    assert price == Recompute(1, price.num_scheduled_tokens, resumed.num_scheduled_tokens - 1)
    assert price.share == price.num_recomputed_tokens / price.num_scheduled_tokens


def test_the_hit_rate_is_in_tokens_of_those_who_were_admitted() -> None:
    records = (
        Arrived(0, "a", 100, 1),
        Arrived(0, "b", 60, 1),
        Arrived(0, "c", 999, 1),
        Admitted(0, "a", num_cached_tokens=48),
        Admitted(0, "b"),
    )
    assert hit_rate_tokens(request_times(Trace(Header("made", "simulated"), records))) == 48 / 160
    assert hit_rate_tokens([]) is None


def promise_trace() -> Trace:
    records: list[Record] = [
        *[Arrived(0, name, 1, 3) for name in ("good", "slow", "one", "refused", "late")],
        Rejected(0, "refused", "full"),
        *[FirstToken(10, name) for name in ("good", "one")],
        Finished(10, "one", "stop", 1),
        FirstToken(20, "slow"),
        Finished(30, "good", "length", 3),
        Finished(30, "slow", "length", 3),
        TimedOut(40, "late"),
    ]
    return Trace(Header("made", "recorded", "ns"), tuple(records))


@pytest.mark.parametrize(
    ("limits", "count"),
    [
        (Limits(), 3),
        (Limits(ttft=10), 2),
        (Limits(ttft=10, tpot=9), 1),
        (Limits(tpot=5), 2),
        (Limits(e2e=29), 1),
        (Limits(ttft=9), 0),
    ],
)
def test_goodput_counts_those_within_every_limit_out_of_all_who_came(limits: Limits, count: int) -> None:
    assert goodput(request_times(promise_trace()), limits) == (count, count / 5)


def test_nobody_is_no_goodput() -> None:
    assert goodput([], Limits()) == (0, 0.0)


@pytest.mark.parametrize(
    ("amounts", "index"), [([5, 5, 5], 1), ([9, 0, 0], 1 / 3), ([1, 2], 0.9), ([], None), ([0, 0], None)]
)
def test_jains_index_runs_from_one_over_n_to_one(amounts: list[int], index: float | None) -> None:
    assert jain_index(amounts) == (index if index is None else pytest.approx(index))


def tenants_trace() -> Trace:
    """Tenant x asks twice and is served first; y waits; z is there only after both."""
    records = (
        Arrived(0, "x1", 10, 2, tenant="x"),
        Arrived(0, "y1", 4, 2, tenant="y"),
        Arrived(0, "x2", 10, 2, tenant="x"),
        FirstToken(1, "x1"),
        Tokens(2, "x1"),
        Finished(2, "x1", "length", 2),
        FirstToken(3, "x2"),
        FirstToken(4, "y1"),
        Finished(4, "y1", "stop", 1),
        Tokens(5, "x2"),
        Finished(5, "x2", "length", 2),
        Arrived(6, "z1", 100, 1, tenant="z"),
        FirstToken(7, "z1"),
        Finished(7, "z1", "stop", 1),
    )
    return Trace(Header("made", "recorded", "ns"), records)


def test_service_counts_an_answers_token_twice() -> None:
    assert service(tenants_trace()) == {"x": 28, "y": 6, "z": 102}


def test_the_gap_counts_only_while_both_want_something() -> None:
    # x gets 10 + 2, 2 and 10 + 2 while y waits; what z gets alone is no gap.
    assert service_gap(tenants_trace()) == 26


def test_what_is_computed_for_somebody_who_is_gone_is_no_gap() -> None:
    records = (
        Arrived(0, "a", 4, 9, tenant="x"),
        Arrived(0, "b", 4, 9, tenant="y"),
        Step(0, 0, 10, (Row("a", 4, 0, "new"),)),
        Cancelled(5, "a"),
    )
    trace = Trace(Header("made", "simulated", "ns"), records)
    assert (service(trace), service_gap(trace)) == ({"x": 4, "y": 0}, 0)


def test_a_tenant_alone_has_no_gap() -> None:
    assert service_gap(promise_trace()) == 0


def test_prompt_tokens_are_served_when_rows_compute_them_and_only_once() -> None:
    trace = two_that_fight()
    assert any(step.preempted for step in trace.steps())
    assert service(trace) == {"": 2 * 6 + 2 * 2 * 8}
    assert all(one.amount > 0 for one in served(trace))


def test_a_report_holds_what_the_trace_knows() -> None:
    found = report(promise_trace(), Limits(ttft=10))
    assert found["requests"] == {
        "arrived": 5,
        "finished": 3,
        "timed_out": 1,
        "rejected": 1,
        "cancelled": 0,
        "unfinished": 0,
    }
    assert found["unit"] == "s"
    assert found["ttft"]["n"] == 3
    assert found["ttft"]["p50"] == {"value": 1e-8, "low": None, "high": None}
    assert found["queue_time"] == {"n": 0}
    assert found["duration"] == 4e-8
    assert found["goodput"] == {"requests": 2, "share": 0.4, "rate": 2 / 4e-8}
    assert not {"kv", "preemptions", "hit_rate_tokens", "jain_index"} & found.keys()


def test_a_report_of_a_run_tells_memory_and_fairness_too() -> None:
    found = report(two_that_fight())
    assert found["unit"] == "step"
    assert (found["preemptions"], found["kv"]["peak_use"], found["hit_rate_tokens"]) == (1, 0.8, 0.0)
    assert {"service", "jain_index", "service_gap"} <= report(tenants_trace()).keys()


def test_a_report_of_nothing_is_no_error() -> None:
    found = report(Trace(Header("empty", "live", "ns"), ()))
    assert found["requests"]["arrived"] == 0
    assert found["duration"] == 0


@settings(deadline=None)
@given(st.randoms(use_true_random=False).map(draw_workload))
def test_in_any_run_tokens_blocks_and_requests_add_up(workload: Workload) -> None:
    trace = simulate(workload.settings, workload.requests(), sample=sample, cancel_at=workload.cancel_at)
    requests = request_times(trace)
    got = dict.fromkeys((request.id for request in requests), 0)
    for _, name, count in handovers(trace):
        got[name] += count
    for request in requests:
        if request.outcome != "unfinished":
            assert got[request.id] == request.num_output_tokens, request
    assert all(0 <= use.num_held_blocks < workload.settings.num_blocks for use in memory_use(trace))
    price = recompute(trace)
    assert 0 <= price.num_recomputed_tokens <= price.num_scheduled_tokens
    assert sum(report(trace)["requests"].values()) == 2 * len(requests)
