"""Asynchronous scheduling: step s + 1 is planned before the tokens of step s are known.

The model then never waits for the scheduler. Two plans may be out at once, and the rules of
`engine.scheduler` hold but for four (vLLM 0.32.0):

1. A row past its prefill leaves a *placeholder* for its token in flight. The next row may compute that
   token: the model knows it, the scheduler only its place.
2. A placeholder has no content, so it is never hashed. A block is registered when the tokens in it are
   delivered, at the latest.
3. Once the token in flight reaches a limit, no further row is planned. An end by a stop token isn't known
   in time and costs one row in vain.
4. The token in flight of a preempted request is still delivered. It may not resume before that. (Plans are
   committed in order and two are out at most, so the token has always come before the next admission.)
"""

from engine.admission import Candidates, strict
from engine.explained import Explained, RecordWhy
from engine.plan import Plan
from engine.policies import Policy
from engine.request import FinishReason, Request
from engine.scheduler import Scheduler
from engine.settings import Settings


class AsyncScheduler(Scheduler):
    """A scheduler that runs one step ahead: `commit` plan s after making plan s + 1."""

    max_uncommitted = 2

    def plan(self, now: int = 0) -> Plan:
        """Decide the next step, with at most one plan before it uncommitted."""
        plan = super().plan(now)
        for request, _, _, _, samples, _, _ in plan.entries:
            if samples:
                request.num_placeholders += 1
                look_ahead(request)
        return plan

    def _deliver(self, request: Request, token_id: int) -> FinishReason | None:
        reason = super()._deliver(request, token_id)
        if request.status == "running":
            request.num_placeholders -= 1
            self.kv_cache.seal(request, request.num_computed_tokens - request.num_placeholders)
            look_ahead(request)
        return reason

    def _preempt(self, victim: Request) -> None:
        victim.num_placeholders = 0
        victim.num_known_tokens = victim.num_tokens
        super()._preempt(victim)


def look_ahead(request: Request) -> None:
    """Let the next row compute the token in flight, unless that one is the last: it needs no row."""
    in_sight = request.num_tokens + request.num_placeholders
    request.num_known_tokens = min(in_sight, request.max_total_tokens - 1)  # rule: last_token_in_flight


class ExplainedAsync(Explained, AsyncScheduler):
    """The same, and says why."""


def scheduler_for(
    settings: Settings,
    policy: Policy | None = None,
    candidates: Candidates = strict,
    *,
    record_why: RecordWhy | None = None,
) -> Scheduler:
    """The scheduler that `settings.async_scheduling` asks for; the rest is as `Scheduler` has it.

    Each rule that decides something is told to `record_why`, if given.
    """
    if record_why is None:
        return (AsyncScheduler if settings.async_scheduling else Scheduler)(settings, policy, candidates)
    explained = ExplainedAsync if settings.async_scheduling else Explained
    return explained(settings, policy, candidates, record_why=record_why)
