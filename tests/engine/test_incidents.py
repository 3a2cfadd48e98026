"""Incidents of real servers, each as a small file that a lesson can use, and with what cures it."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from engine.admission import skip_ahead, strict
from engine.metrics.slowness import slowness
from engine.metrics.tokens import recompute
from engine.simulate import serve_closed
from engine.simulate.scenario import Result, Scenario, result_of
from engine.workload import ClosedLoop, Workload

FOLDER = Path(__file__).parents[2] / "docs" / "incidents"
SECOND = 1_000_000_000


def incident(name: str) -> Scenario:
    return Scenario.from_mapping(json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8")))


def set_to(scenario: Scenario, **settings: Any) -> Scenario:
    return replace(scenario, settings=replace(scenario.settings, **settings))


def first_tokens(result: Result) -> dict[str, float]:
    """Seconds from arrival to first token."""
    return {one.id: (one.first_token - one.arrived) / SECOND for one in result.requests if one.first_token is not None}


@pytest.mark.parametrize("file", sorted(FOLDER.glob("*.json")), ids=lambda file: file.stem)
def test_every_file_can_be_run_and_says_what_it_is_about(file: Path) -> None:
    scenario = incident(file.stem)
    assert scenario.workload.about.endswith(".")
    assert all(one.outcome == "finished" for one in scenario.run().requests)


def test_head_of_line_blocking_by_a_request_of_a_thousand_blocks() -> None:
    blocked = first_tokens(incident("head-of-line").run())
    cured = first_tokens(replace(incident("head-of-line"), candidates=skip_ahead).run())
    small = [f"small-{number}" for number in range(12)]
    assert min(blocked[name] for name in small) > 3
    assert max(cured[name] for name in small) < 0.1
    assert cured["big"] < blocked["big"] * 1.05, "here nobody pays for it: few small ones come"


def test_overtaking_starves_the_large_request() -> None:
    starved = first_tokens(incident("starved-by-overtaking").run())
    cured = first_tokens(replace(incident("starved-by-overtaking"), candidates=strict).run())
    assert starved["big"] > 7 * cured["big"]


def test_a_fifth_long_prompt_is_evicted_in_a_loop_until_whole_prompts_must_fit() -> None:
    looping = incident("fifth-long-prompt").run()
    cured = set_to(incident("fifth-long-prompt"), scheduler_reserve_full_isl=True).run()
    assert looping.num_preemptions > 100
    assert looping.num_recomputed_tokens > 20 * 100_000
    assert cured.num_preemptions == 0
    last, last_cured = (max(one.ended or 0 for one in result.requests) for result in (looping, cured))
    assert last > 1.5 * last_cured


def test_the_recompute_tax_rises_from_nothing_to_over_half() -> None:
    shares = []
    for num_blocks in (3000, 1500, 1000, 500, 200, 129):
        trace = set_to(incident("recompute-tax"), num_blocks=num_blocks).trace()
        shares.append(recompute(trace).share)
    assert shares[0] == 0
    assert shares == sorted(shares)
    assert shares[-1] > 0.5


def test_longest_prefix_first_starves_who_shares_nothing() -> None:
    starved = first_tokens(incident("prefix-starvation").run())
    cured = first_tokens(set_to(incident("prefix-starvation"), policy="fcfs").run())
    assert starved["cold"] > 8
    assert cured["cold"] < 1
    assert sum(starved.values()) < sum(cured.values()), "all together wait a little less"


def test_clients_that_wait_for_answers_omit_the_queue() -> None:
    scenario = incident("coordinated-omission")
    clients, rate = 8, 10
    interval = clients * SECOND // rate
    blind = result_of(
        serve_closed(scenario.settings, ClosedLoop(scenario.workload, clients, interval_ns=interval), scenario.cost)
    )
    seen = scenario.run().report()["ttft"]["p99"]["value"]
    omitted = blind.report()["ttft"]["p99"]["value"]
    assert len(blind.requests) == len(scenario.workload)
    assert seen > 10
    assert omitted < 0.1


def test_most_of_a_first_token_under_overload_is_waiting() -> None:
    scenario = incident("overload")
    all_at_once = Workload("capacity", tuple(one._replace(at=0) for one in scenario.workload))
    capacity = replace(scenario, workload=all_at_once).run().report()["throughput"]["requests"]
    assert 24.8 / capacity == pytest.approx(2.3, rel=0.03)
    trace = scenario.trace()
    found = slowness(trace)
    waited = sum(one.queueing for one in found.values())
    to_first_token = sum(first_tokens(result_of(trace)).values()) * SECOND
    assert waited / to_first_token > 0.98


def test_256_tenants_pay_for_isolation() -> None:
    isolated = incident("isolated-tenants")
    assert len({one.cache_salt for one in isolated.workload}) > 200
    shared = replace(
        isolated, workload=Workload("shared", tuple(one._replace(cache_salt=None) for one in isolated.workload))
    )
    apart, together = isolated.run().report(), shared.run().report()
    assert together["hit_rate_tokens"] > 0.8 > 3 * apart["hit_rate_tokens"] > 0
    assert apart["ttft"]["mean"] > 2 * together["ttft"]["mean"]
