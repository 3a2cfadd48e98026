"""Random workloads in nanoseconds that are small and mean: shared beginnings and answers, impatience, full doors."""

from dataclasses import dataclass, replace
from random import Random

from engine.admission import NO_LIMITS, Candidates, Door, QueueLimit, ServerLimits, TenantBudget, skip_ahead, strict
from engine.cost import LinearCost
from engine.policies import POLICIES, Policy, shortest_with_ageing
from engine.settings import Settings
from engine.simulate import fast_forward, serve
from engine.trace import Trace
from engine.workload import Arrival, Segment, Workload
from workloads import draw_settings


@dataclass(frozen=True)
class Case:
    """Everything that a timed simulation is given."""

    settings: Settings
    workload: Workload
    cost: LinearCost
    limits: ServerLimits
    policy: Policy | None = None
    candidates: Candidates = strict

    def serve(self) -> Trace:
        """Step by step."""
        return serve(
            self.settings, self.workload, self.cost, self.limits, policy=self.policy, candidates=self.candidates
        )

    def fast_forward(self) -> Trace:
        """As fast as it can be."""
        return fast_forward(
            self.settings, self.workload, self.cost, self.limits, policy=self.policy, candidates=self.candidates
        )


def draw_case(random: Random) -> Case:
    """A case that can be fast-forwarded."""
    settings = replace(draw_settings(random), async_scheduling=False, long_prefill_token_threshold=0)
    if random.random() < 0.6:
        settings = replace(settings, policy=random.choice(list(POLICIES)))
    most_gap, at, arrivals = random.choice([0, 0, 5, 50, 500, 2000]), 0, []
    for number in range(random.randint(1, 12)):
        at += random.randint(0, most_gap)
        arrivals.append(_draw_arrival(random, number, at, settings.max_model_len))
    policy = shortest_with_ageing(random.randint(1, 1500)) if settings.policy == "shortest-ageing" else None
    candidates = random.choice([strict, strict, skip_ahead])
    workload = Workload("drawn", tuple(arrivals))
    return Case(settings, workload, _draw_cost(random), _draw_limits(random), policy, candidates)


def _draw_arrival(random: Random, number: int, at: int, max_model_len: int) -> Arrival:
    longest = max_model_len + 1 if random.random() < 0.05 else max(1, max_model_len - 1)
    num_prompt_tokens = random.randint(1, longest)
    return Arrival(
        at,
        f"r{number}",
        num_prompt_tokens,
        random.choice([1, 2, random.randint(1, 30), random.randint(1, 30)]),
        tenant=random.choice("ab"),
        # Often whoever comes later matters more, so that victims stand at the front of the running list.
        priority=random.choice([random.randint(0, 2), -number]),
        cache_salt=random.choice([None, None, None, None, "x", "y", ""]),
        beginning=_draw_beginning(random, num_prompt_tokens),
        answer_content=random.choice([None, None, None, 1, 2, 3]),
        cancel_at=at + random.randint(0, 1500) if random.random() < 0.2 else None,
        deadline=at + random.randint(0, 3000) if random.random() < 0.5 else None,
        predicted_output_tokens=random.randint(1, 30),
    )


def _draw_beginning(random: Random, num_prompt_tokens: int) -> tuple[Segment, ...]:
    segments, left = [], num_prompt_tokens if random.random() < 0.6 else 0
    while left and random.random() < 0.8:
        count = random.randint(1, min(left, 12))
        segments.append(Segment(random.choice([0, 0, 0, 1, 2, 3]), count))
        left -= count
    return tuple(segments)


def _draw_cost(random: Random) -> LinearCost:
    return LinearCost(
        step_ps=random.choice([0, 50_000, 100_500]),
        prefill_token_ps=random.choice([0, 3000, 10_250]),
        decode_seq_ps=random.choice([0, 777]),
        kv_token_ps=random.choice([0, 333]),
    )


def _draw_limits(random: Random) -> ServerLimits:
    if random.random() < 0.6:
        return NO_LIMITS
    doors: list[tuple[Door, ...]] = [(), (QueueLimit(random.randint(0, 4)),), (TenantBudget(random.randint(10, 90)),)]
    return ServerLimits(
        max_wait=random.choice([None, random.randint(1, 2000)]),
        timeout=random.choice([None, random.randint(1, 3000)]),
        doors=random.choice(doors),
    )
