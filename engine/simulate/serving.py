"""Serve requests, or a whole workload, and get a trace."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from typing import Final

from engine.admission import NO_LIMITS, Candidates, ServerLimits, strict
from engine.cost import StepCost
from engine.policies import Policy
from engine.request import Request
from engine.settings import Settings
from engine.simulate.fast import FastForward, cannot_fast_forward
from engine.simulate.step_by_step import Coming, Sampler, StepByStep, distinct_token
from engine.simulate.windows import WindowLog
from engine.trace import Header, Trace
from engine.workload.closed import ClosedLoop
from engine.workload.records import FIRST_OWN_CONTENT, Arrival, Workload, answer_token_ids, prompt_token_ids


def simulate(
    settings: Settings,
    requests: Iterable[Request],
    *,
    sample: Sampler = distinct_token,
    cancel_at: Mapping[str, int] | None = None,
    name: str = "simulation",
    seed: int | None = None,
    record_why: bool = False,
) -> Trace:
    """Run `requests` through an engine until all have ended, and return what it did. Time is in steps.

    Each request arrives at its `arrival_time`; those of one time arrive in the order given. `cancel_at` says
    at what time clients give up. `seed` is only noted down: whoever drew the workload knows it. If nobody
    can ever run again, the trace ends with a `Stalled` record. With `record_why` each step says which rules
    decided it.

    Raises `ValueError` for a request that was used before, or two of one id.
    """
    cancels = cancel_at or {}
    in_order = sorted(requests, key=lambda request: request.arrival_time)
    coming = (Coming(request, cancels.get(request.id)) for request in in_order)
    run = StepByStep(settings, coming, sample, record_why=record_why)
    while run.step():
        pass
    return Trace(Header(name, "simulated", "step", asdict(settings), seed), tuple(run.records))


def serve(
    settings: Settings,
    workload: Workload,
    cost: StepCost,
    limits: ServerLimits = NO_LIMITS,
    *,
    policy: Policy | None = None,
    candidates: Candidates = strict,
    record_why: bool = False,
) -> Trace:
    """Serve `workload` on an engine whose steps last what `cost` says, and return what it did, in nanoseconds.

    The model is pretended: each answer is as long as the workload says. `policy` stands for the one that the
    settings name, `candidates` says who may be tried for admission. If nobody can ever run again, the trace ends
    with a `Stalled` record. With `record_why` each step says which rules decided it. `fast_forward` gives the same
    trace sooner.

    Raises `WorkloadError` for a workload that can't be, and `ValueError` for a duration below 0.
    """
    workload.check()
    model = PretendedModel()
    coming = model.requests(workload)
    run = StepByStep(settings, coming, model.sample, cost, limits, policy, candidates, record_why=record_why)
    while run.step():
        pass
    return Trace(header_of(settings, workload), tuple(run.records))


def serve_closed(
    settings: Settings,
    clients: ClosedLoop,
    cost: StepCost,
    limits: ServerLimits = NO_LIMITS,
    *,
    record_why: bool = False,
) -> Trace:
    """Serve clients who wait for their answers before they ask again, step by step.

    What they send depends on what they got, so there is no workload beforehand and nothing to fast-forward.
    """
    model = PretendedModel()

    def answered(request_id: str, at: int) -> Coming | None:
        arrival = clients.answered(request_id, at)
        return None if arrival is None else model.coming(arrival)

    first = [model.coming(arrival) for arrival in clients.first()]
    run = StepByStep(settings, first, model.sample, cost, limits, answered=answered, record_why=record_why)
    while run.step():
        pass
    return Trace(Header("closed loop", "simulated", "ns", asdict(settings)), tuple(run.records))


def header_of(settings: Settings, workload: Workload) -> Header:
    """The header of a trace of this workload on such an engine."""
    return Header(workload.name, "simulated", "ns", asdict(settings), workload.seed, workload.about)


class PretendedModel:
    """Turns arrivals into requests with token ids, and knows their answers."""

    def __init__(self) -> None:
        self._answers: Final[dict[str, range]] = {}

    def requests(self, arrivals: Iterable[Arrival]) -> Iterator[Coming]:
        """A request for each arrival, made when it is asked for."""
        return map(self.coming, arrivals)

    def coming(self, arrival: Arrival) -> Coming:
        """The request of the next arrival."""
        number = len(self._answers)
        self._answers[arrival.id] = answer_token_ids(arrival, FIRST_OWN_CONTENT + number)
        return Coming(request_of(arrival, number), arrival.cancel_at)

    def sample(self, request: Request) -> int:
        """The next token of its answer."""
        return self._answers[request.id][request.num_output_tokens]


def request_of(arrival: Arrival, number: int) -> Request:
    """The request that the `number`-th arrival makes."""
    return Request(
        arrival.id,
        prompt_token_ids(arrival, FIRST_OWN_CONTENT + number),
        arrival.num_output_tokens,
        priority=arrival.priority,
        cache_salt=arrival.cache_salt,
        arrival_time=arrival.at,
        tenant=arrival.tenant,
        deadline=arrival.deadline,
        predicted_output_tokens=arrival.predicted_output_tokens,
    )


def fast_forward(
    settings: Settings,
    workload: Workload,
    cost: StepCost,
    limits: ServerLimits = NO_LIMITS,
    *,
    policy: Policy | None = None,
    candidates: Candidates = strict,
    record_why: bool = False,
) -> Trace:
    """The trace of `serve`, to the last bit, sooner: by `engine.simulate.fast` where that can be.

    Reasons are made one step at a time: with `record_why` this is `serve`. Takes and raises what `serve` does.
    """
    if record_why or cannot_fast_forward(settings, policy):
        return serve(settings, workload, cost, limits, policy=policy, candidates=candidates, record_why=record_why)
    workload.check()
    log = WindowLog()
    FastForward(settings, workload, cost, limits, policy=policy, candidates=candidates, log=log).run()
    return Trace(header_of(settings, workload), tuple(log.records(cost, settings.block_size)))
