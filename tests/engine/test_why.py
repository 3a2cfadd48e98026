"""Reasons: they change nothing, they are complete and true, and each rule has a sentence and a place."""

import re
from collections import Counter
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from engine.admission import QueueLimit, ServerLimits
from engine.cost import DENSE_8B
from engine.policies import POLICIES
from engine.request import Request
from engine.settings import Settings
from engine.simulate import fast_forward, serve, serve_closed, simulate
from engine.simulate.scenario import Scenario
from engine.trace import Reason, Step, Trace
from engine.views.why import RULES, facts_of, marked_rules, reason_words, why_words
from engine.workload import Arrival, ClosedLoop, Workload
from workloads import Workload as Mean
from workloads import draw_workload, sample

ENGINE = Path(__file__).parents[2] / "engine"
SEEDS = range(400)

MARKS = [
    (rule, path.relative_to(ENGINE).as_posix(), line)
    for path in sorted(ENGINE.rglob("*.py"))
    if path.name != "why.py"
    for rule, line in marked_rules(path.read_text(encoding="utf-8"))
]


def simulated(workload: Mean, *, record_why: bool) -> Trace:
    return simulate(
        workload.settings, workload.requests(), sample=sample, cancel_at=workload.cancel_at, record_why=record_why
    )


def without_why(trace: Trace) -> Trace:
    plain = tuple(record._replace(why=()) if isinstance(record, Step) else record for record in trace.records)
    return Trace(trace.header, plain)


def small(**values: Any) -> Settings:
    given = {"block_size": 4, "num_blocks": 64, "max_num_seqs": 8, "max_num_batched_tokens": 32, "max_model_len": 64}
    return Settings.from_mapping(given | values, startup_rule=False)


def reasons(*requests: Request, **settings: Any) -> list[list[Reason]]:
    return [list(step.why) for step in simulate(small(**settings), requests, record_why=True).steps()]


def request(name: str, prompt: int, max_tokens: int = 2, **more: Any) -> Request:
    first = 10_000 * sum(name.encode())
    return Request(name, range(first, first + prompt), max_tokens, **more)


# ---- they change nothing ----


def test_decisions_are_the_same_with_reasons() -> None:
    for seed in SEEDS:
        workload = draw_workload(Random(seed))
        told = simulated(workload, record_why=True)
        assert without_why(told) == simulated(workload, record_why=False), f"seed {seed}"
        assert any(step.why for step in told.steps()) or not told.steps(), f"seed {seed}"


@pytest.mark.parametrize("policy", POLICIES)
def test_decisions_of_every_policy_are_the_same_with_reasons(policy: str) -> None:
    random = Random(policy)
    arrivals = tuple(
        Arrival(number * 20_000_000, f"r{number}", random.randint(1, 900), random.randint(1, 90),
                predicted_output_tokens=random.randint(1, 90), tenant=random.choice("ab"))
        for number in range(60)
    )  # fmt: skip
    settings = Settings(num_blocks=120, max_model_len=1024, max_num_seqs=6, policy=policy)
    scenario = Scenario(settings=settings, workload=Workload("mean", arrivals, None, ""))
    told = scenario.trace(record_why=True)
    assert without_why(told) == scenario.trace()
    assert {reason.rule for step in told.steps() for reason in step.why} >= {"admitted", "finished_length"}


def test_without_being_asked_nothing_is_recorded() -> None:
    trace = simulate(small(max_num_seqs=1), [request("a", 4), request("b", 4)])
    assert not any(step.why for step in trace.steps())


def test_a_fast_forward_that_is_asked_for_reasons_goes_step_by_step() -> None:
    workload = Workload("two", (Arrival(0, "a", 40, 9), Arrival(5, "b", 40, 9)), None, "")
    settings = small(max_num_seqs=1)
    told = fast_forward(settings, workload, DENSE_8B, record_why=True)
    assert told == serve(settings, workload, DENSE_8B, record_why=True)
    assert any(step.why for step in told.steps())


def test_a_trace_with_reasons_is_read_back_as_it_was() -> None:
    trace = simulate(small(num_blocks=9), [request("a", 20, 9), request("b", 20)], record_why=True)
    assert Trace.from_jsonl(trace.to_jsonl()) == trace


# ---- they are complete and true ----


def test_whoever_is_held_up_or_cut_short_is_told_why() -> None:
    """Each thing that a step shows on its own face has its reason, of the right kind, and nothing else has one."""
    for seed in SEEDS:
        trace = simulated(draw_workload(Random(seed)), record_why=True)
        for step in trace.steps():
            kinds = {name: [reason.id for reason in step.why if reason.rule in rules] for name, rules in KINDS.items()}
            by_kind = {kind: [row.id for row in step.rows if row.kind == kind] for kind in ("new", "resumed")}
            where = f"seed {seed}, step {step.step}"
            assert kinds["admitted"] == by_kind["new"], where
            assert kinds["resumed"] == by_kind["resumed"], where
            assert kinds["preempted"] == list(step.preempted), where
            assert len(kinds["waits"]) <= 1, where
            taken = {block for row in step.rows for block in row.new_blocks}
            evicted = sum(int(reason.facts["blocks"] or 0) for reason in step.why if reason.rule == "evicted")
            assert evicted == len(taken & set(step.evicted)), where


KINDS = {
    "admitted": {"admitted"},
    "resumed": {"resumed"},
    "preempted": {"preempted_tail", "preempted_chosen", "preempted_itself", "displaced"},
    "waits": {
        "no_budget", "no_seat", "nobody_after_preemption", "no_budget_for_all", "no_block", "watermark", "full_prompt",
    },
}  # fmt: skip


def test_everybody_waits_for_a_reason() -> None:
    """In every step that leaves somebody waiting, whoever is next is told why."""
    for seed in SEEDS:
        workload = draw_workload(Random(seed))
        if workload.settings.async_scheduling or any(one.abort_step is not None for one in workload.coming):
            continue
        trace, waiting = simulated(workload, record_why=True), set()
        for record in trace.records:
            match type(record).__name__:
                case "Arrived":
                    waiting.add(record.id)  # type: ignore[union-attr]
                case "Rejected":
                    waiting.discard(record.id)  # type: ignore[union-attr]
            if isinstance(record, Step):
                waiting -= {row.id for row in record.rows}
                waiting |= set(record.preempted)
                told = {reason.id for reason in record.why if reason.rule in KINDS["waits"]}
                assert bool(told) == bool(waiting), f"seed {seed}, step {record.step}"
                assert told <= waiting, f"seed {seed}, step {record.step}"


def test_the_tail_is_preempted_for_a_block() -> None:
    steps = reasons(request("a", 8, 9), request("b", 8, 9), num_blocks=7, enable_prefix_caching=False)
    told = [reason for step in steps for reason in step if reason.rule == "preempted_tail"]
    assert told == [Reason("preempted_tail", "b", {"needy": "a", "needed": 1, "free": 0, "policy": "fcfs"})]
    assert reason_words(told[0]) == (
        "b was preempted: a needed 1 more block, 0 were free, and the fcfs policy takes the tail, who was admitted "
        "last."
    )


@pytest.mark.parametrize(
    ("rule", "facts", "settings"),
    [
        ("no_seat", {"waiting": 1, "seats": 1}, {"max_num_seqs": 1}),
        ("no_budget", {"waiting": 1, "budget": 8}, {"max_num_batched_tokens": 8}),
        ("no_block", {"needed": 3, "free": 2}, {"num_blocks": 5, "enable_prefix_caching": False}),
        ("watermark", {"needed": 3, "free": 5, "watermark": 4}, {"num_blocks": 8, "watermark": 0.5}),
        ("full_prompt", {"needed": 3, "free": 2, "first": 1}, {"num_blocks": 5, "max_num_batched_tokens": 12}),
    ],
)
def test_a_request_waits_for_the_reason_that_holds_it(
    rule: str, facts: dict[str, int], settings: dict[str, Any]
) -> None:
    first, *_ = reasons(request("a", 8, 1), request("b", 12), **settings)
    assert Reason(rule, "b", facts) in first


def test_a_prompt_that_may_not_be_cut_waits_for_a_whole_budget() -> None:
    first, *_ = reasons(request("a", 40, 1), request("b", 40), enable_chunked_prefill=False, max_num_batched_tokens=64)
    assert Reason("no_budget_for_all", "b", {"gap": 40, "budget": 24}) in first


@pytest.mark.parametrize(
    ("prompt", "rule", "num_hit_tokens"),
    [(12, "hit_until_last_token", 8), (14, "hit_until_new_content", 12), (11, "hit_until_part_block", 8)],
)
def test_a_hit_ends_where_it_does_for_a_reason(prompt: int, rule: str, num_hit_tokens: int) -> None:
    shared = list(range(12))
    later = Request(
        "b", [*shared, 99, 98, 97, 96, 95][: 17 if rule == "hit_until_new_content" else prompt], 1, arrival_time=1
    )
    _, second = reasons(Request("a", shared, 1), later)
    [told] = [reason for reason in second if reason.rule in ("no_hit", rule)]
    assert (told.rule, told.facts["num_tokens"]) == (rule, num_hit_tokens)


def test_what_is_cut_short_says_by_what() -> None:
    capped, *_ = reasons(request("a", 20), request("b", 20), long_prefill_token_threshold=6)
    assert Reason("first_chunk_capped", "a", {"num_tokens": 6, "gap": 20, "cap": 6}) in capped
    cut, then, *_ = reasons(request("a", 20, 3), request("b", 40), long_prefill_token_threshold=25)
    assert Reason("first_chunk_cut_to_budget", "b", {"num_tokens": 12, "gap": 40, "cap": 25}) in cut
    assert then == [Reason("chunk_capped", "b", {"num_tokens": 25, "gap": 28, "cap": 25})]


def test_a_server_says_whom_it_refuses_and_gives_up() -> None:
    limits = ServerLimits(max_wait=30_000_000, timeout=10**10, doors=(QueueLimit(1),))
    arrivals = (
        Arrival(0, "a", 16, 40), Arrival(1, "b", 16, 40), Arrival(2, "c", 16, 40), Arrival(3, "d", 16, 1),
        Arrival(10**9, "e", 16, 30_000, cancel_at=2 * 10**9), Arrival(3 * 10**9, "f", 16, 30_000),
    )  # fmt: skip
    settings = Settings(num_blocks=4000, max_model_len=40_000, max_num_seqs=1)
    trace = serve(settings, Workload("w", arrivals, None, ""), DENSE_8B, limits, record_why=True)
    told = {reason.id: reason.rule for step in trace.steps() for reason in step.why}
    assert told == {
        "a": "finished_length", "b": "timed_out_waiting", "c": "rejected_door", "d": "rejected_door",
        "e": "cancelled", "f": "timed_out",
    }  # fmt: skip


def test_an_end_stands_in_the_step_that_brought_it() -> None:
    for mode in (False, True):
        trace = simulate(small(async_scheduling=mode), [request("a", 4, 3), request("b", 4, 9)], record_why=True)
        [end] = [record for record in trace.records if type(record).__name__ == "Finished" and record.id == "a"]  # type: ignore[union-attr]
        [step] = [
            step for step in trace.steps() if any(why.rule == "finished_length" and why.id == "a" for why in step.why)
        ]
        assert step.step == end.step  # type: ignore[union-attr]


def test_a_stall_says_what_nobody_can_get() -> None:
    trace = simulate(
        small(num_blocks=4, reject_unservable=False), [request("a", 4, 1), request("b", 30)], record_why=True
    )
    assert Reason("no_block", "b", {"needed": 8, "free": 3}) in trace.steps()[-1].why


def test_a_closed_loop_says_why_too() -> None:
    clients = ClosedLoop([Arrival(0, f"c{n}", 16, 4) for n in range(6)], 2)
    trace = serve_closed(small(max_num_seqs=1), clients, DENSE_8B, record_why=True)
    assert any(reason.rule == "no_seat" for step in trace.steps() for reason in step.why)


# ---- each rule has a sentence and a place ----


def test_every_rule_stands_in_one_place_and_has_a_sentence() -> None:
    assert Counter(rule for rule, _, _ in MARKS) == dict.fromkeys(RULES, 1)


def test_every_sentence_is_filled_by_the_facts_that_come_with_it() -> None:
    seen: set[str] = set()
    for seed in range(1500):
        for step in simulated(draw_workload(Random(seed)), record_why=True).steps():
            for reason, sentence in zip(step.why, why_words(step), strict=True):
                assert facts_of(reason.rule) <= set(reason.facts), reason
                assert re.fullmatch(r"[A-Za-z].*\.", sentence), sentence
                assert "{" not in sentence, sentence
                seen.add(reason.rule)
    # These need a server in front, or a policy that takes seats away; other tests see them.
    assert set(RULES) - seen <= {"displaced", "timed_out", "timed_out_waiting", "rejected_door", "rejected_never_fits"}


def test_a_policy_that_takes_a_seat_away_says_so() -> None:
    settings = replace(small(max_num_seqs=1, max_model_len=512, num_blocks=200), policy="feedback")
    long, short = request("a", 140, 300), request("b", 4, 2, arrival_time=2)
    trace = simulate(settings, [long, short], record_why=True)
    assert Reason("displaced", "a", {"policy": "feedback"}) in [why for step in trace.steps() for why in step.why]
