"""The simulator: requests arrive, the scheduler decides, a pretended model answers, and all of it is a trace.

Time is counted in steps for now: every step lasts one, however full it is. Time advances here and nowhere
else.
"""

from collections import deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict
from typing import Final, TypeAlias

from engine.asynchronous import scheduler_for
from engine.plan import Plan
from engine.request import Request
from engine.settings import Settings
from engine.trace import (
    Admitted,
    Arrived,
    Cancelled,
    Finished,
    FirstToken,
    Header,
    Record,
    Rejected,
    Stalled,
    Step,
    Trace,
)

Sampler: TypeAlias = Callable[[Request], int]
"""The pretended model: the next token id of a request's answer."""

STEP: Final = 1
"""How long a step lasts."""


def distinct_token(request: Request) -> int:
    """A token that stands in no other place of any answer, so that answers share nothing by accident."""
    return (request.order + 1 << 32) + request.num_output_tokens


def simulate(
    settings: Settings,
    requests: Iterable[Request],
    *,
    sample: Sampler = distinct_token,
    cancel_at: Mapping[str, int] | None = None,
    name: str = "simulation",
    seed: int | None = None,
) -> Trace:
    """Run `requests` through an engine until all have ended, and return what it did.

    Each request arrives at its `arrival_time`, in steps; those of one time arrive in the order given.
    `cancel_at` says at what time clients give up. `seed` is only noted down: whoever drew the workload
    knows it. If nobody can ever run again, the trace ends with a `Stalled` record.

    Raises `ValueError` for a request that was used before, or two of one id.
    """
    run = _Run(settings, requests, sample, cancel_at or {})
    while run.step():
        pass
    header = Header(name, "simulated", "step", asdict(settings), seed)
    return Trace(header, tuple(run.records))


class _Run:
    """One simulation under way."""

    def __init__(
        self, settings: Settings, requests: Iterable[Request], sample: Sampler, cancel_at: Mapping[str, int]
    ) -> None:
        self.scheduler = scheduler_for(settings)
        self.sample = sample
        self.coming = deque(sorted(requests, key=lambda request: request.arrival_time))
        self.cancels = deque(sorted(cancel_at.items(), key=lambda cancel: cancel[1]))
        self.now = 0
        self.out: deque[tuple[Plan, int]] = deque()
        """Plans whose tokens aren't delivered yet, each with its step."""
        self.records: list[Record] = []
        self.silent_steps = 0
        """Steps since anybody last got a token."""

    def step(self) -> bool:
        """Do one step, or go to where the next one can be. False when all is over."""
        self._let_in()
        self._let_go()
        if not (self.scheduler.requests or self.out):
            return self._wait()
        plan = self.scheduler.plan(self.now)
        self.out.append((plan, self.now))
        if self.scheduler.is_stalled(plan):
            self._deliver()
            return self._wait()
        self._record(plan)
        self.now += STEP
        # After a plan without rows there is nothing to wait for.
        while len(self.out) == self.scheduler.max_uncommitted or (self.out and not plan.entries):
            self._deliver()
        return not self._goes_in_circles()

    def _let_in(self) -> None:
        """Take in everybody who has arrived by now."""
        while self.coming and self.coming[0].arrival_time <= self.now:
            request = self.coming.popleft()
            most = request.max_tokens
            if most is None:
                most = max(self.scheduler.settings.max_model_len - request.num_prompt_tokens, 0)
            self.records.append(
                Arrived(
                    self.now,
                    request.id,
                    request.num_prompt_tokens,
                    most,
                    request.priority,
                    request.cache_salt,
                )
            )
            refusal = self.scheduler.add_request(request)
            if refusal:
                self.records.append(Rejected(self.now, request.id, refusal))

    def _let_go(self) -> None:
        """Give up whoever's client has gone away by now. One that has ended already is left alone."""
        while self.cancels and self.cancels[0][1] <= self.now:
            request = self.scheduler.requests.get(self.cancels.popleft()[0])
            if request is not None:
                self.scheduler.abort(request.id)
                self.records.append(Cancelled(self.now, request.id, request.num_output_tokens, self.now))

    def _record(self, plan: Plan) -> None:
        """Write down what was decided, and who was admitted by it."""
        rows = plan.rows
        self.records += [
            Admitted(self.now, row.id, self.now, row.num_computed_tokens) for row in rows if row.kind == "new"
        ]
        preempted, evicted = tuple(plan.preempted), tuple(plan.evicted)
        self.records.append(Step(self.now, self.now, STEP, rows, preempted, evicted))

    def _deliver(self) -> None:
        """Let the model answer to the oldest plan that is out, and take in what it says."""
        plan, step = self.out.popleft()
        # Somebody may have been given up, or have ended with a stop token, while its row was under way.
        sampling = [entry[0] for entry in plan.entries if entry[4] and entry[0].finish_reason is None]
        tokens = [self.sample(entry[0]) if entry[4] else None for entry in plan.entries]
        finished = {request.id for request in self.scheduler.commit(plan, tokens)}
        self.silent_steps = 0 if sampling else self.silent_steps + 1
        for request in sampling:
            if request.num_output_tokens == 1:
                self.records.append(FirstToken(step + STEP, request.id, step))
            if request.id in finished:
                self.records.append(_end(request, step))

    def _wait(self) -> bool:
        """Go to the next arrival or cancellation. False if there is none, and nothing happens any more."""
        times = [self.coming[0].arrival_time] if self.coming else []
        if self.scheduler.requests:
            times += [time for _, time in self.cancels]
        if times:
            self.now = min(times)
            return True
        if self.scheduler.requests:
            self._stall()
        return False

    def _goes_in_circles(self) -> bool:
        """Whether requests are computed and preempted in turn, and none will ever get a token.

        Whoever is served first gets at least one token of each step's budget and isn't preempted by others,
        so it gets through its prefill in `max_model_len` steps, or never.
        """
        if self.silent_steps <= self.scheduler.settings.max_model_len + self.scheduler.max_uncommitted:
            return False
        self._stall()
        return True

    def _stall(self) -> None:
        self.records.append(Stalled(self.now, tuple(self.scheduler.requests)))


def _end(request: Request, step: int) -> Finished:
    reason = request.finish_reason
    assert reason == "length" or reason == "stop"
    return Finished(step + STEP, request.id, reason, request.num_output_tokens, step)
