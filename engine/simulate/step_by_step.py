"""One step at a time: the plain simulation, which every faster one must equal.

What happens at one time happens in this order: tokens are handed over, requests arrive, clients give up,
the server gives up, the next step is planned. Arrivals and departures during a step are taken in at their
own times and change nothing about the step under way, but that whoever is gone gets no token of it.

Asynchronous scheduling is simplified in one point: a step is planned when it starts, not when the one
before it does.
"""

import heapq
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple, TypeAlias

from engine.admission import NO_LIMITS, Candidates, Crowd, ServerLimits, strict
from engine.asynchronous import scheduler_for
from engine.cost import StepCost
from engine.plan import Plan
from engine.policies import Policy
from engine.request import Request
from engine.settings import Settings
from engine.simulate.why import WhyLog
from engine.simulate.work import one_step, work_of
from engine.trace import (
    Admitted,
    Arrived,
    Cancelled,
    Finished,
    FirstToken,
    Record,
    Rejected,
    Stalled,
    Step,
    TimedOut,
)

Sampler: TypeAlias = Callable[[Request], int]
"""The pretended model: the next token id of a request's answer."""


class Coming(NamedTuple):
    """A request that will arrive, and when its client gives up, if it does."""

    request: Request
    cancel_at: int | None = None


class Departure(NamedTuple):
    """When a request will be given up, if it is still there (or, for `max_wait`, still waits) by then."""

    at: int
    kind: int
    """0: the client goes away. 1: it waited too long. 2: it took too long."""
    order: int
    id: str


CLIENT_LEFT, WAITED_TOO_LONG, TOOK_TOO_LONG = range(3)


class _Flight(NamedTuple):
    """A plan whose tokens aren't delivered yet."""

    plan: Plan
    number: int
    """The index of its step."""
    end: int


def distinct_token(request: Request) -> int:
    """A token that stands in no other place of any answer, so that answers share nothing by accident."""
    return (request.order + 1 << 32) + request.num_output_tokens


class StepByStep:
    """One simulation under way: call `step` until it says that all is over, then look at `records`.

    `coming` yields requests in the order of their arrival. With `cost` left out, time is counted in steps,
    and a step's index is its time.
    """

    def __init__(
        self,
        settings: Settings,
        coming: Iterable[Coming],
        sample: Sampler,
        cost: StepCost | None = None,
        limits: ServerLimits = NO_LIMITS,
        policy: Policy | None = None,
        candidates: Candidates = strict,
        answered: Callable[[str, int], Coming | None] | None = None,
        *,
        record_why: bool = False,
    ) -> None:
        self.answered = answered
        self.records: list[Record] = []
        self.why = WhyLog(self.records) if record_why else None
        note = self.why.note if self.why else None
        self.scheduler = scheduler_for(settings, policy, candidates, record_why=note)
        self.sample = sample
        self.cost = cost or one_step
        self.counts_steps = cost is None
        self.limits = limits
        self.crowd = Crowd()
        self.coming: Iterator[Coming] = iter(coming)
        self.next: Coming | None = next(self.coming, None)
        self.sent: list[tuple[int, int, Coming]] = []
        """What clients sent because they were answered: (time, number, request)."""
        self.num_sent = 0
        self.departures: list[Departure] = []
        self.num_arrivals = 0
        self.now = 0
        self.index = 0
        """The index of the next step."""
        self.out: deque[_Flight] = deque()
        self.silent_steps = 0
        """Steps since one last sampled a token, or anybody left."""

    # ---- one step ----

    def step(self) -> bool:
        """Do one step, or go to where the next one can be. False when all is over."""
        self._happen_until(self.now + 1)
        if not (self.scheduler.requests or self.out):
            return self._wait()
        plan = self.scheduler.plan(self.now)
        stalled = self.scheduler.is_stalled(plan)
        end = self.now if stalled else self.now + self._duration(plan)
        self.out.append(_Flight(plan, self.index, end))
        if stalled:
            self._deliver()
            return self._wait()
        self._record(plan, end - self.now)
        self.index += 1
        # After a plan without rows there is nothing to wait for.
        while len(self.out) == self.scheduler.max_uncommitted or (self.out and not plan.entries):
            self._go_to(self.out[0].end)
            self._deliver()
        self._go_to(end)
        return not self._goes_in_circles()

    def _duration(self, plan: Plan) -> int:
        work = work_of(plan)
        duration = self.cost(*work)
        if duration < 0:
            raise ValueError(f"the cost model says {duration} for the work {work}; a step can't last less than 0")
        return duration

    def _record(self, plan: Plan, duration: int) -> None:
        """Write down what was decided, and who was admitted by it."""
        rows = plan.rows
        self.records += [
            Admitted(self.now, row.id, self.index, row.num_computed_tokens) for row in rows if row.kind == "new"
        ]
        why = self.why.take() if self.why else ()
        preempted, evicted = tuple(plan.preempted), tuple(plan.evicted)
        self.records.append(Step(self.index, self.now, duration, rows, preempted, evicted, why))

    def _deliver(self) -> None:
        """Let the model answer to the oldest plan that is out, and take in what it says."""
        plan, index, end = self.out.popleft()
        # Somebody may have been given up, or have ended with a stop token, while its row was under way.
        sampling = [entry[0] for entry in plan.entries if entry[4] and entry[0].finish_reason is None]
        tokens = [self.sample(entry[0]) if entry[4] else None for entry in plan.entries]
        finished = {request.id for request in self.scheduler.commit(plan, tokens)}
        self.silent_steps = 0 if any(entry[4] for entry in plan.entries) else self.silent_steps + 1
        for request in sampling:
            if request.num_output_tokens == 1:
                self.records.append(FirstToken(end, request.id, index))
            if request.id in finished:
                self.crowd.leave(request)
                self.records.append(_end(request, end, index))
                self._send_next(request.id, end)
        if self.why:
            self.why.add_to_step(index)

    # ---- arrivals and departures ----

    def _go_to(self, time: int) -> None:
        """Let time pass until `time`, and happen what happens before it."""
        if time > self.now:
            self._happen_until(time)
            self.now = time

    def _happen_until(self, time: int) -> None:
        """All arrivals and departures before `time`, each at its own time; an arrival first where they tie."""
        while True:
            arrival = self.next.request.arrival_time if self.next else time
            departure = self.departures[0].at if self.departures else time
            if min(arrival, departure) >= time:
                return
            if arrival <= departure:
                self._arrive()
            else:
                self._depart(heapq.heappop(self.departures))

    def _arrive(self) -> None:
        assert self.next is not None
        request, cancel_at = self.next
        self._fetch()
        at, most = request.arrival_time, request.max_tokens
        if most is None:
            most = max(self.scheduler.settings.max_model_len - request.num_prompt_tokens, 0)
        self.records.append(
            Arrived(
                at, request.id, request.num_prompt_tokens, most, request.priority, request.cache_salt, request.tenant
            )
        )
        self.crowd.num_waiting = len(self.scheduler.waiting)
        by_door = self.limits.refusal(request, self.crowd)
        refusal = by_door or self.scheduler.add_request(request)
        if refusal:
            self.records.append(Rejected(at, request.id, refusal))
            if self.why:
                self.why.refused(self.scheduler.settings, request, refusal, by_door=by_door is not None)
            self._send_next(request.id, at)
            return
        self.crowd.enter(request)
        self.num_arrivals += 1
        self._may_leave(request, CLIENT_LEFT, cancel_at)  # rule: cancelled
        if self.limits.max_wait is not None:
            self._may_leave(request, WAITED_TOO_LONG, at + self.limits.max_wait)  # rule: timed_out_waiting
        if self.limits.timeout is not None:
            self._may_leave(request, TOOK_TOO_LONG, at + self.limits.timeout)  # rule: timed_out

    def _fetch(self) -> None:
        """Look for the next arrival."""
        self.next = heapq.heappop(self.sent)[2] if self.sent else next(self.coming, None)

    def _send_next(self, request_id: str, at: int) -> None:
        """Let the client of a request that ended send its next one."""
        coming = self.answered(request_id, at) if self.answered else None
        if coming is None:
            return
        for one in (self.next, coming):
            if one is not None:
                heapq.heappush(self.sent, (one.request.arrival_time, self.num_sent, one))
                self.num_sent += 1
        self._fetch()

    def _may_leave(self, request: Request, kind: int, at: int | None) -> None:
        if at is not None and at >= request.arrival_time:
            heapq.heappush(self.departures, Departure(at, kind, self.num_arrivals, request.id))

    def _depart(self, departure: Departure) -> None:
        """Give a request up, unless it has ended already (or started, if only its waiting was limited)."""
        request = self.scheduler.requests.get(departure.id)
        if request is None or (departure.kind == WAITED_TOO_LONG and request.status != "waiting"):
            return
        self.scheduler.abort(request.id)
        self.silent_steps = 0
        self.crowd.leave(request)
        record = Cancelled if departure.kind == CLIENT_LEFT else TimedOut
        self.records.append(record(departure.at, request.id, request.num_output_tokens, self.index))
        if self.why:
            self.why.given_up(request, departure.kind)
        self._send_next(request.id, departure.at)

    # ---- nothing to do ----

    def _wait(self) -> bool:
        """Go to the next arrival or departure. False if there is none, and nothing happens any more."""
        times = [self.next.request.arrival_time] if self.next else []
        if self.scheduler.requests:
            times += [departure.at for departure in self.departures[:1]]
        if times:
            self.now = max(self.now, min(times))
            if self.counts_steps:
                self.index = self.now
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
        if self.why:
            self.why.add_to_step()


def _end(request: Request, at: int, index: int) -> Finished:
    reason = request.finish_reason
    assert reason == "length" or reason == "stop"
    return Finished(at, request.id, reason, request.num_output_tokens, index)
