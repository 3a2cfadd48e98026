"""Each policy by what it decides: who is admitted in which order, and who gives way."""

from dataclasses import replace
from random import Random

import pytest

from engine.admission import Candidates, skip_ahead, strict
from engine.cost import LinearCost
from engine.policies import POLICIES, Policy, last_admitted, ranked, shortest_with_ageing
from engine.policies.ageing import AgeingQueue
from engine.policies.fairness import FairQueue
from engine.policies.feedback import FeedbackQueue
from engine.request import Request
from engine.settings import Settings
from engine.simulate import fast_forward, serve
from engine.trace import Admitted, Finished, Step, Trace
from engine.workload import Arrival, Segment, Workload

ONE_SEAT = Settings(num_blocks=64, max_model_len=128, block_size=4, max_num_seqs=1, max_num_batched_tokens=128)
COST = LinearCost(step_ps=1_000_000)
"""A microsecond a step."""


def crowd(**fields: list[object]) -> list[Arrival]:
    """Requests a, b, c, … that come in this order while the first one runs."""
    arrivals = [Arrival(0, "first", 4, 10)]
    for index in range(max(map(len, fields.values()))):
        changed = {name: values[index] for name, values in fields.items()}
        arrivals.append(Arrival(index + 1, "abcdefgh"[index], 4, 2)._replace(**changed))  # type: ignore[arg-type]
    return arrivals


def served(
    arrivals: list[Arrival], policy: str | Policy, settings: Settings = ONE_SEAT, candidates: Candidates = strict
) -> Trace:
    """By both simulators, which must agree."""
    own = None if isinstance(policy, str) else policy
    named = replace(settings, policy=policy) if isinstance(policy, str) else settings
    workload = Workload("crowd", tuple(arrivals))
    trace = serve(named, workload, COST, policy=own, candidates=candidates)
    assert trace.records == fast_forward(named, workload, COST, policy=own, candidates=candidates).records
    return trace


def order(trace: Trace) -> str:
    """Who was admitted after the first one, in order."""
    return "".join(record.id for record in trace.of(Admitted) if record.id != "first")


def test_first_come_first_served() -> None:
    assert order(served(crowd(priority=[3, 2, 1]), "fcfs")) == "abc"


def test_priority_is_the_lowest_number_and_then_the_earlier_arrival() -> None:
    assert order(served(crowd(priority=[3, 1, 2, 1]), "priority")) == "bdca"


def test_shortest_goes_by_the_prediction_and_not_by_the_truth() -> None:
    arrivals = crowd(num_output_tokens=[2, 3, 4], predicted_output_tokens=[9, 8, 7])
    arrivals[0] = arrivals[0]._replace(predicted_output_tokens=10)
    assert order(served(arrivals, "shortest")) == "cba"
    assert order(served(arrivals, "shortest-oracle")) == "abc"


def test_shortest_refuses_to_guess() -> None:
    with pytest.raises(ValueError, match="'first' has no predicted_output_tokens, and the policy goes by them"):
        serve(replace(ONE_SEAT, policy="shortest"), Workload("crowd", tuple(crowd(priority=[1]))), COST)


def test_who_has_waited_long_enough_is_passed_over_no_more() -> None:
    long = Arrival(1, "z", 4, 8, predicted_output_tokens=8)
    short = [Arrival(2 + index, "abcdefgh"[index], 4, 2, predicted_output_tokens=2) for index in range(8)]
    arrivals = [Arrival(0, "first", 4, 10, predicted_output_tokens=10), long, *short]
    assert order(served(arrivals, "shortest")) == "abcdefghz"
    # The first one takes ten microseconds, each short one two: after 14, z has waited for 13.999.
    assert order(served(arrivals, shortest_with_ageing(13_000))) == "abzcdefgh"


def test_the_earliest_deadline_goes_first_and_no_deadline_last() -> None:
    assert order(served(crowd(deadline=[None, 900, 500]), "deadline")) == "cba"


def test_whoever_finds_most_in_the_cache_goes_first() -> None:
    known = (Segment(1, 12),)
    arrivals = [
        Arrival(0, "first", 16, 10, beginning=known),
        Arrival(1, "a", 16, 2),
        Arrival(2, "b", 16, 2, beginning=(Segment(1, 8),)),
        Arrival(3, "c", 16, 2, beginning=known),
    ]
    assert order(served(arrivals, "longest-prefix")) == "cba"


def test_tenants_take_turns_by_the_service_that_they_got() -> None:
    arrivals = [Arrival(0, "first", 4, 10, tenant="x")]
    arrivals += [Arrival(1 + index, "abcd"[index], 4, 4, tenant="x") for index in range(4)]
    arrivals += [Arrival(5 + index, "efgh"[index], 4, 4, tenant="y") for index in range(4)]
    assert order(served(arrivals, "fcfs")) == "abcdefgh"
    # When y comes, x stands at 6 and so does y from then on; when the first one is done, x stands at 24. A prompt
    # of 4 and an answer of 4 are 12: e and f take y to 30, a takes x to 36, g takes y to 42, and so on.
    assert order(served(arrivals, "fair")) == "efagbhcd"


def test_a_tenant_that_was_away_is_lifted_and_saves_nothing_up() -> None:
    queue = FairQueue()
    busy = [Request(f"x{index}", range(4), 4, tenant="x") for index in range(2)]
    for request in busy:
        queue.add(request)
        queue.account(request, 100, 50)
    late = Request("y0", range(4), 4, tenant="y")
    queue.add(late)
    assert queue.counters == {"x": 400, "y": 400}
    queue.remove(late)
    for request in busy:
        queue.remove(request)
    queue.account(busy[0], 100, 0)
    queue.add(Request("z0", range(4), 4, tenant="z"))
    assert queue.counters["z"] == 500, "nobody waits: as high as the tenant that left the queue last"


def test_a_fair_queue_knows_for_how_long_its_head_stays() -> None:
    for seed in range(400):
        draws, queue = Random(seed), FairQueue()
        for number, tenant in enumerate(draws.sample("abcd", draws.randint(1, 4))):
            request = Request(tenant, range(4), 4, tenant=tenant)
            request.order = number
            queue.add(request)
        for request in list(queue):
            queue.account(request, draws.randint(0, 12), 0)
        num_decoding = {tenant: draws.randint(0, 3) for tenant in "abc"}
        head, said, steps = queue.head(), queue.head_stays(num_decoding), 0
        while queue.head() is head and steps < 40:
            queue.account_decodes(num_decoding, 1)
            steps += 1
        assert min(said, 40) == steps, f"seed {seed}"


def test_a_long_prompt_skips_the_levels_that_it_would_outgrow_and_service_lets_one_sink() -> None:
    queue = FeedbackQueue()
    short, long = Request("short", range(100), 4), Request("long", range(1000), 4)
    queue.add(long)
    queue.add(short)
    assert [request.id for request in queue] == ["short", "long"]
    queue.pop()
    queue.account(short, 100, 1)
    for _ in range(27):
        queue.account(short, 0, 1)
    assert not queue.displaced([short], 1), "its quantum of 128 tokens is used up and not exceeded"
    other = Request("other", range(10), 4)
    queue.add(other)
    queue.account(short, 0, 1)
    assert queue.displaced([short], 1) == [short]


def test_a_quantum_may_be_used_to_its_last_token() -> None:
    queue = FeedbackQueue()
    first, other = Request("first", range(100), 40), Request("other", range(10), 4)
    queue.add(first)
    queue.pop()
    queue.add(other)
    queue.account(first, 100, 28)
    assert not queue.displaced([first], 1)
    queue.account(first, 0, 1)
    assert queue.displaced([first], 1) == [first]


def test_patience_ends_in_the_very_moment() -> None:
    for patience, expected in ((13_000, "za"), (13_001, "az")):
        queue = shortest_with_ageing(patience).queue()
        old, new = Request("z", range(4), 8, arrival_time=1000), Request("a", range(4), 2, arrival_time=2000)
        old.predicted_output_tokens, new.predicted_output_tokens = 8, 2
        queue.add(old)
        queue.add(new)
        assert isinstance(queue, AgeingQueue)
        queue.grow_older(14_000, lambda request: ())
        assert "".join(request.id for request in queue) == expected


def test_whoever_runs_long_gives_its_seat_to_a_short_one_and_finishes_later() -> None:
    settings = replace(ONE_SEAT, num_blocks=200, max_model_len=512, max_num_batched_tokens=512)
    arrivals = [Arrival(0, "first", 100, 200), Arrival(60_000, "a", 4, 2)]
    trace = served(arrivals, "feedback", settings)
    assert any("first" in step.preempted for step in trace.of(Step))
    assert [record.id for record in trace.of(Finished)] == ["a", "first"]
    assert [record.id for record in served(arrivals, "fcfs", settings).of(Finished)] == ["first", "a"]


def test_a_policy_of_ones_own_fits_in() -> None:
    latest_first = ranked(lambda request: (-request.order,))
    assert order(served(crowd(priority=[1, 1, 1]), latest_first)) == "cba"
    by_name = Policy(ranked(lambda request: (request.id,)).queue, last_admitted)
    assert order(served(crowd(id=["c", "a", "b"]), by_name)) == "abc"


def test_who_does_not_fit_is_overtaken_only_where_that_is_asked_for() -> None:
    settings = Settings(num_blocks=9, max_model_len=32, block_size=4, max_num_seqs=4, max_num_batched_tokens=64)
    arrivals = [Arrival(0, "first", 16, 8), Arrival(1, "a", 20, 2), Arrival(2, "b", 4, 2)]
    assert order(served(arrivals, "fcfs", settings)) == "ab"
    assert order(served(arrivals, "fcfs", settings, skip_ahead)) == "ba"


def test_every_policy_serves_everybody_in_the_end() -> None:
    fields = {"priority": [1, 2, 3], "predicted_output_tokens": [2, 2, 2], "tenant": ["x", "y", "x"]}
    arrivals = crowd(**fields)  # type: ignore[arg-type]
    arrivals[0] = arrivals[0]._replace(predicted_output_tokens=9)
    for name in POLICIES:
        assert len(list(served(arrivals, name).of(Finished))) == 4, name
