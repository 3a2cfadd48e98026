"""Who got what: service for each tenant, how even it is, and how far one fell behind another."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from math import fsum
from typing import Final, NamedTuple

from engine.metrics.handovers import Handover, handovers
from engine.trace import Arrived, Cancelled, Finished, FirstToken, Rejected, Step, TimedOut, Trace

PROMPT_WEIGHT: Final = 1
"""What a prompt token counts as service."""

OUTPUT_WEIGHT: Final = 2
"""What an answer's token counts: twice a prompt token, as in the paper on virtual token counters (Sheng and
others, "Fairness in serving large language models", OSDI 2024)."""


class Served(NamedTuple):
    """Some service to one tenant at one time; tokens that were computed again count once."""

    at: int
    tenant: str
    amount: int


def service(trace: Trace) -> dict[str, int]:
    """What each tenant got in all, weighted; 0 for one that got nothing."""
    total = {record.tenant: 0 for record in trace.of(Arrived)}
    for _, tenant, amount in served(trace):
        total[tenant] += amount
    return total


def jain_index(amounts: Iterable[float]) -> float | None:
    """Jain's index of fairness: 1 if all got the same, 1/n if one of n got all. None of nothing.

    (Jain, Chiu and Hawe, DEC-TR-301, 1984.)
    """
    values = list(amounts)
    squares = fsum(value * value for value in values)
    return fsum(values) ** 2 / (len(values) * squares) if squares else None


def service_gap(trace: Trace) -> int:
    """The most that any tenant fell behind another while both had requests there all the time.

    This is what a fair scheduler bounds: a tenant that asks for little gets little, and that is no gap. It
    is 0 for one tenant, and is counted as `service` is.
    """
    gaps = _Gaps()
    for event in _events(trace):
        gaps.follow(*event)
    return gaps.widest


def served(trace: Trace) -> Iterator[Served]:
    """All service in the order of time: prompt tokens when they are computed, answers when handed over."""
    tenants = {record.id: record.tenant for record in trace.of(Arrived)}
    answers = (Served(at, tenants[name], OUTPUT_WEIGHT * count) for at, name, count in handovers(trace))
    prompts = (Served(at, tenants[name], PROMPT_WEIGHT * count) for at, name, count in _prompts(trace))
    return iter(sorted([*prompts, *answers], key=lambda one: one.at))


def _prompts(trace: Trace) -> Iterator[Handover]:
    """Prompt tokens as they are computed for the first time, cached ones at once with the first of them."""
    lengths = {record.id: record.num_prompt_tokens for record in trace.of(Arrived)}
    if not any(step.rows for step in trace.of(Step)):
        yield from (Handover(record.at, record.id, lengths[record.id]) for record in trace.of(FirstToken))
        return
    done: defaultdict[str, int] = defaultdict(int)
    for step in trace.of(Step):
        for row in step.rows:
            end = min(row.num_computed_tokens + row.num_scheduled_tokens, lengths[row.id])
            if end > done[row.id]:
                yield Handover(step.at + step.duration, row.id, end - done[row.id])
                done[row.id] = end


def _events(trace: Trace) -> list[tuple[str, int, bool]]:
    """(tenant, service, whether it has requests from here on), in the order of time."""
    events: list[tuple[int, str, int, int]] = [(at, tenant, amount, 0) for at, tenant, amount in served(trace)]
    tenants = {record.id: record.tenant for record in trace.of(Arrived)}
    for record in trace.records:
        if isinstance(record, Arrived):
            events.append((record.at, record.tenant, 0, 1))
        elif isinstance(record, Finished | TimedOut | Rejected | Cancelled):
            events.append((record.at, tenants[record.id], 0, -1))
    # Stable: at one time, service comes before arrivals and ends.
    events.sort(key=lambda event: event[0])
    count: defaultdict[str, int] = defaultdict(int)
    found = []
    for _, tenant, amount, change in events:
        count[tenant] += change
        found.append((tenant, amount, count[tenant] > 0))
    return found


class _Gaps:
    """For every two tenants that are busy together: how their difference has moved since they are."""

    def __init__(self) -> None:
        self.total: defaultdict[str, int] = defaultdict(int)
        self.busy: dict[str, None] = {}
        self.range: dict[tuple[str, str], tuple[int, int]] = {}
        self.widest = 0

    def follow(self, tenant: str, amount: int, is_busy: bool) -> None:
        self.total[tenant] += amount
        if amount and tenant in self.busy:
            for other in self.busy:
                if other != tenant:
                    self._widen(tenant, other)
        if is_busy and tenant not in self.busy:
            for other in self.busy:
                difference = self._difference(*_pair(tenant, other))
                self.range[_pair(tenant, other)] = (difference, difference)
            self.busy[tenant] = None
        elif not is_busy and tenant in self.busy:
            del self.busy[tenant]

    def _widen(self, one: str, other: str) -> None:
        pair = _pair(one, other)
        low, high = self.range[pair]
        difference = self._difference(*pair)
        low, high = min(low, difference), max(high, difference)
        self.range[pair] = (low, high)
        self.widest = max(self.widest, high - low)

    def _difference(self, one: str, other: str) -> int:
        return self.total[one] - self.total[other]


def _pair(one: str, other: str) -> tuple[str, str]:
    return (one, other) if one < other else (other, one)
