"""When tokens were handed over, and the gaps between them: the inter-token latency, ITL.

A trace with steps says it by its rows: whoever's row closes the gap to all its known tokens gets the next
one when the step ends. A trace without steps says it by its `FirstToken` and `Tokens` records, if it knows.
"""

from collections.abc import Iterator
from typing import NamedTuple

from engine.trace import Arrived, Cancelled, Finished, FirstToken, Row, Step, TimedOut, Tokens, Trace


class Handover(NamedTuple):
    """Some tokens that one request got at one time."""

    at: int
    id: str
    num_tokens: int


class Progress:
    """How many tokens of each request are known while a trace is read: its prompt and its answer so far."""

    def __init__(self) -> None:
        self.num_prompt_tokens: dict[str, int] = {}
        self.num_known_tokens: dict[str, int] = {}

    def arrived(self, record: Arrived) -> None:
        """A prompt is known from its arrival on."""
        self.num_prompt_tokens[record.id] = self.num_known_tokens[record.id] = record.num_prompt_tokens

    def samples(self, row: Row) -> bool:
        """Whether this row computes all that is known, so that a token follows."""
        return row.num_computed_tokens + row.num_scheduled_tokens >= self.num_known_tokens[row.id]

    def is_decode(self, row: Row) -> bool:
        """Whether this row computes nothing but the answer's latest token."""
        known = self.num_known_tokens[row.id]
        return known > self.num_prompt_tokens[row.id] and row.num_computed_tokens == known - 1

    def follow(self, step: Step) -> list[str]:
        """Who gets a token from `step`; from here on it is known."""
        sampled = [row.id for row in step.rows if self.samples(row)]
        for name in sampled:
            self.num_known_tokens[name] += 1
        return sampled


def handovers(trace: Trace) -> Iterator[Handover]:
    """Every handing over of `trace`; those of one request are in the order of their times."""
    if any(step.rows for step in trace.of(Step)):
        return _by_rows(trace)
    return _by_records(trace)


def _by_records(trace: Trace) -> Iterator[Handover]:
    for record in trace.records:
        if isinstance(record, FirstToken):
            yield Handover(record.at, record.id, 1)
        elif isinstance(record, Tokens):
            yield Handover(record.at, record.id, record.num_tokens)


def _by_rows(trace: Trace) -> Iterator[Handover]:
    # A step that runs ahead may compute a token for somebody who is gone by then: it is never handed over.
    left = {
        record.id: record.num_output_tokens
        for record in trace.records
        if isinstance(record, Finished | TimedOut | Cancelled)
    }
    progress = Progress()
    for record in trace.records:
        if isinstance(record, Arrived):
            progress.arrived(record)
        elif isinstance(record, Step):
            for name in progress.follow(record):
                if left.get(name, 1) > 0:
                    yield Handover(record.at + record.duration, name, 1)
                if name in left:
                    left[name] -= 1


def gaps(trace: Trace) -> list[int]:
    """The inter-token latencies of all requests, one for each handing over after the first.

    Tokens that come together, as with speculation, are one handing over: the gap is the client's wait
    between two deliveries, as in vLLM's benchmark, and no share of a token's.
    """
    latest: dict[str, int] = {}
    found = []
    for at, name, _ in handovers(trace):
        before = latest.get(name)
        if before is not None and at > before:
            found.append(at - before)
        latest[name] = at
    return found
