"""What was computed, what of it twice, and what the prefix cache saved."""

from collections.abc import Iterable
from typing import NamedTuple

from engine.metrics.requests import RequestTimes
from engine.trace import Step, Trace


class Recompute(NamedTuple):
    """The price of preemption."""

    num_preemptions: int
    num_scheduled_tokens: int
    """Tokens of all rows of all steps."""
    num_recomputed_tokens: int
    """Those among them that had been computed before, and were lost with the blocks of a preempted request."""

    @property
    def share(self) -> float:
        """Recomputed tokens over all scheduled ones, from 0 to 1."""
        return self.num_recomputed_tokens / self.num_scheduled_tokens if self.num_scheduled_tokens else 0.0


def recompute(trace: Trace) -> Recompute:
    """How often requests lost their blocks, and how many tokens had to be computed again."""
    reached: dict[str, int] = {}
    preemptions = scheduled = again = 0
    for step in trace.of(Step):
        preemptions += len(step.preempted)
        for row in step.rows:
            start, end = row.num_computed_tokens, row.num_computed_tokens + row.num_scheduled_tokens
            before = reached.get(row.id, 0)
            scheduled += row.num_scheduled_tokens
            again += max(0, min(end, before) - start)
            reached[row.id] = max(before, end)
    return Recompute(preemptions, scheduled, again)


def hit_rate_tokens(requests: Iterable[RequestTimes]) -> float | None:
    """Cached prompt tokens over all prompt tokens of admitted requests: vLLM's prefix hit rate.

    Lookups after a preemption don't count: a request finds mostly its own blocks there. None where nobody
    was admitted, or the trace doesn't know.
    """
    admitted = [request for request in requests if request.admitted is not None]
    if not admitted:
        return None
    prompts = sum([request.num_prompt_tokens for request in admitted])
    return sum([request.num_cached_tokens for request in admitted]) / prompts if prompts else 0.0
