"""Why was it slow? Every instant of a request's life, given to one of five causes.

The causes add up exactly to the request's time from arrival to end, because each instant is given once: steps
in their order, and the stretch between two of them to what the request was doing then.
"""

from collections.abc import Callable, Collection
from typing import NamedTuple, TypeAlias

from engine.metrics.handovers import Progress
from engine.metrics.requests import RequestTimes, request_times
from engine.trace import Arrived, Row, Step, Trace


class Slowness(NamedTuple):
    """Where one request's time went, in the trace's unit."""

    queueing: int = 0
    """It waited to be admitted for the first time."""
    own_prefill: int = 0
    """Its own prompt was computed."""
    others_prefill: int = 0
    """Its steps lasted longer because others' prompts were computed in them, or it had no place in them."""
    recompute: int = 0
    """It had lost its blocks: until it was admitted again and as far as it had been."""
    decode: int = 0
    """Its answer was made."""
    unexplained: int = 0
    """What a trace without steps can't tell apart: the time from admission, or arrival, to the first token."""

    @property
    def total(self) -> int:
        """All of it: from arrival to end."""
        return sum(self)


Stretch: TypeAlias = Callable[[Step, int], int]
"""How much longer a step lasted for this many of its tokens: what others' prefill took of it."""


def by_tokens(step: Step, num_tokens: int) -> int:
    """The tokens' share of the step's tokens, as time.

    A rule of thumb that needs no knowledge of the machine. It charges small chunks too much, for a decoding
    step costs most of its time before any prompt is added to it; a cost model says it better.
    """
    scheduled = sum(row.num_scheduled_tokens for row in step.rows)
    return step.duration * num_tokens // scheduled if scheduled else 0


def slowness(trace: Trace, ids: Collection[str] | None = None, stretch: Stretch = by_tokens) -> dict[str, Slowness]:
    """Why each of the requests `ids`, or every one, took as long as it did.

    Only requests that ended are in it, whatever their outcome. Without steps in the trace, all from admission to the
    first token is `unexplained` and all after it is `decode`.
    """
    asked = [times for times in request_times(trace) if times.ended is not None and (ids is None or times.id in ids)]
    if not any(step.rows for step in trace.of(Step)):
        return {times.id: _without_steps(times) for times in asked}
    lives = {times.id: _Life(times) for times in asked}
    here: dict[str, _Life] = {}
    progress = Progress()
    for record in trace.records:
        if isinstance(record, Arrived):
            progress.arrived(record)
            if record.id in lives:
                here[record.id] = lives[record.id]
        elif isinstance(record, Step):
            here = {name: life for name, life in here.items() if life.end > record.at}
            _follow(record, here, progress, stretch)
    return {name: life.explained() for name, life in lives.items()}


def _without_steps(times: RequestTimes) -> Slowness:
    assert times.ended is not None
    admitted = times.arrived if times.admitted is None else times.admitted
    if times.first_token is None:
        return Slowness(queueing=admitted - times.arrived, unexplained=times.ended - admitted)
    return Slowness(
        queueing=admitted - times.arrived,
        unexplained=times.first_token - admitted,
        decode=times.ended - times.first_token,
    )


def _follow(step: Step, here: dict[str, "_Life"], progress: Progress, stretch: Stretch) -> None:
    """Give this step's time to a cause, for everybody who is there."""
    prefilling = {row.id: row.num_scheduled_tokens for row in step.rows if not progress.is_decode(row)}
    rows, all_prefilling = {row.id: row for row in step.rows}, sum(prefilling.values())
    for name in step.preempted:
        if name in here:
            here[name].lost = True
    for name, life in here.items():
        others = all_prefilling - prefilling.get(name, 0)
        life.spend(step, rows.get(name), stretch(step, others) if others else 0)
    for name in progress.follow(step):
        if name in here:
            here[name].has_answer = True


class _Life:
    """One request's time, given out step by step."""

    def __init__(self, times: RequestTimes) -> None:
        assert times.ended is not None
        self.now = times.arrived
        self.end = times.ended
        self.spent = dict.fromkeys(Slowness._fields, 0)
        self.admitted = self.lost = self.has_answer = False
        self.reached = 0

    def spend(self, step: Step, row: Row | None, for_others: int) -> None:
        """Give the time up to the end of `step` to causes; `for_others` of it went to others' prefill."""
        end = min(step.at + step.duration, self.end)
        self._give(self.cause, min(step.at, end))
        if row is not None:
            self.admitted = True
            self.reached = max(self.reached, row.num_computed_tokens)
        if self.cause not in ("queueing", "recompute") and for_others:
            # Whoever has no place in a step that computes others' prompts waits for them alone.
            self._give("others_prefill", end if row is None else min(self.now + for_others, end))
        self._give(self.cause, end)
        if row is not None:
            self._compute(row.num_computed_tokens + row.num_scheduled_tokens)

    @property
    def cause(self) -> str:
        """What it is doing."""
        if not self.admitted:
            return "queueing"
        if self.lost:
            return "recompute"
        return "decode" if self.has_answer else "own_prefill"

    def _compute(self, num_tokens: int) -> None:
        if num_tokens >= self.reached:
            self.reached = num_tokens
            self.lost = False

    def _give(self, cause: str, until: int) -> None:
        # Steps of an asynchronous engine overlap: what is given is given once.
        if until > self.now:
            self.spent[cause] += until - self.now
            self.now = until

    def explained(self) -> Slowness:
        self._give(self.cause, self.end)
        return Slowness(**self.spent)
