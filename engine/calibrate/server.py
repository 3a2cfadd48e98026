"""A server by counts: one engine or several in lockstep, with a clock.

What a recording shows beyond a scheduler's rules, from vLLM 0.19 (each is looked at in
`docs/reference/calibration.md`):

- A request that reached the server is queued when the engine next looks: at once if it idles, else when
  the tokens of a step have arrived. So TTFT from `queued_ts` leaves out the wait for that moment.
- Asynchronously the engine plans step s + 1 when the tokens of step s - 1 have arrived, while step s runs. So
  whoever is queued then waits for the rest of step s and for its own step.
- Engines of a mixture of experts (data parallel, with experts shared out among them) step together: the work
  of a step is the sum over them all.
- A router sends a request to the engine of the lowest 4 * waiting + running, as of the last report; reports come
  every 100 ms, and in between it counts what it sent as waiting.
- The first step is slower: something is compiled, loaded or captured.
"""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from engine.blocks import blocks_needed
from engine.calibrate.replica import Job, Replica, Work
from engine.cost import StepCost
from engine.settings import Settings

REPORT_EVERY: Final = 100_000_000
"""Nanoseconds between two reports of the engines' queues to the router (vLLM's coordinator)."""

WAITING_WEIGHT: Final = 4
"""How much more a waiting request counts than a running one, to vLLM's router."""


class Call(NamedTuple):
    """A request as its client knows it. Times are nanoseconds."""

    id: str
    reached: int
    """When it reached the server."""
    num_prompt_tokens: int
    num_output_tokens: int


class Timing(NamedTuple):
    """What happened to a request, in nanoseconds."""

    queued: int
    admitted: int
    """-1 where nobody saw it."""
    first_token: int
    ended: int


class StepsOf(NamedTuple):
    """In which steps a request was admitted, got its first token and its last."""

    admitted: int
    first_token: int
    ended: int


@dataclass(frozen=True, kw_only=True)
class Server:
    """Everything about a server but what its steps cost."""

    settings: Settings
    num_replicas: int = 1
    appends_everything: bool = False
    """Whether freed blocks without a hash queue up behind all others, as in 0.19."""
    report_phase: int = 0
    """When the router gets its first report, in nanoseconds after the first request."""


@dataclass
class Run:
    """What a server did. `steps` holds the work of each step, the other lists one item a call."""

    timings: list[Timing]
    steps_of: list[StepsOf]
    steps: list[Work] = field(default_factory=list)
    num_preemptions: int = 0


def run(server: Server, calls: Sequence[Call], cost: StepCost, warm_up: int = 0) -> Run:
    """Serve `calls`, which are in the order of `reached`. The first step takes `warm_up` nanoseconds more.

    Raises `ValueError` for a pool that can't hold one of them: it would wait for ever.
    """
    check_pool(server.settings, calls)
    return _Serving(server, calls, cost, warm_up).run()


def check_pool(settings: Settings, calls: Sequence[Call]) -> None:
    """Raise `ValueError`, with the number of blocks that would do, unless every call fits into the pool alone."""
    longest = max(call.num_prompt_tokens + call.num_output_tokens for call in calls)
    needed = blocks_needed(longest, settings.block_size)
    if needed > settings.num_lendable_blocks:
        raise ValueError(
            f"num_blocks {settings.num_blocks}: the longest request takes {longest} tokens, which are {needed} blocks "
            f"of {settings.block_size}; give {needed + 1} or more, as 2588"
        )


class _Serving:
    """One run under way."""

    def __init__(self, server: Server, calls: Sequence[Call], cost: StepCost, warm_up: int) -> None:
        self.calls, self.cost, self.warm_up = calls, cost, warm_up
        self.replicas = [
            Replica(server.settings, appends_everything=server.appends_everything) for _ in range(server.num_replicas)
        ]
        self.router = _Router(self.replicas, calls[0].reached + server.report_phase)
        self.depth = 2 if server.settings.async_scheduling else 1
        self.now = calls[0].reached
        self.free_at = self.now
        """When the accelerator has done all steps that it was given."""
        self.jobs: list[Job] = []
        self.queued: list[int] = []
        self.starts: list[int] = []
        """When each step was planned."""
        self.ends: list[int] = []
        """When each step's tokens arrived."""
        self.ended: dict[int, int] = {}
        """The step that ended each job."""
        self.steps: list[Work] = []

    def run(self) -> Run:
        out: deque[int] = deque()
        while len(self.ended) < len(self.calls):
            self._queue()
            if any(replica.is_busy for replica in self.replicas):
                self._plan(out)
                if len(out) < self.depth and self.steps[-1] != Work():
                    continue
            elif not out:
                self.now = max(self.now, self.calls[len(self.jobs)].reached)
                continue
            self._deliver(out.popleft())
        return Run(
            [self._timing(job) for job in self.jobs],
            [StepsOf(job.admitted, job.first_token, self.ended[job.number]) for job in self.jobs],
            self.steps,
            sum(replica.num_preemptions for replica in self.replicas),
        )

    def _queue(self) -> None:
        """Take in who has reached the server."""
        while len(self.jobs) < len(self.calls) and self.calls[len(self.jobs)].reached <= self.now:
            call = self.calls[len(self.jobs)]
            job = Job(len(self.jobs), call.num_prompt_tokens, call.num_output_tokens)
            self.jobs.append(job)
            self.queued.append(self.now)
            self.router.choose(call.reached).waiting.append(job)

    def _plan(self, out: deque[int]) -> None:
        step = len(self.steps)
        works = [replica.plan(step) for replica in self.replicas]
        work = works[0] if len(works) == 1 else Work(*map(sum, zip(*works, strict=True)))
        duration = self.cost(*work) + (0 if step else self.warm_up) if work != Work() else 0
        self.free_at = max(self.free_at, self.now) + duration
        self.steps.append(work)
        self.starts.append(self.now)
        self.ends.append(self.free_at)
        out.append(step)

    def _deliver(self, step: int) -> None:
        self.now = max(self.now, self.ends[step])
        for replica in self.replicas:
            for job in replica.commit(step):
                self.ended[job.number] = step

    def _timing(self, job: Job) -> Timing:
        return Timing(
            self.queued[job.number],
            self.starts[job.admitted],
            self.ends[job.first_token],
            self.ends[self.ended[job.number]],
        )


class _Router:
    """Sends each request to a replica."""

    def __init__(self, replicas: Sequence[Replica], first_report: int) -> None:
        self._replicas = replicas
        self._next_report = first_report
        self._scores = [0] * len(replicas)

    def choose(self, now: int) -> Replica:
        """The replica that is told to have the least to do."""
        if len(self._replicas) == 1:
            return self._replicas[0]
        if self._next_report <= now:
            self._scores = [WAITING_WEIGHT * len(one.waiting) + len(one.running) for one in self._replicas]
            self._next_report += REPORT_EVERY * ((now - self._next_report) // REPORT_EVERY + 1)
        chosen = self._scores.index(min(self._scores))
        self._scores[chosen] += WAITING_WEIGHT
        return self._replicas[chosen]
