"""Static against continuous batching: jobs that decode, slots that hold them, and nothing else.

There is no memory and no prompt to speak of: a job of four steps is a request with a prompt of one token
and an answer of four. Every step costs the same, however full it is. Time is counted in steps, so a step's
index is its time, and where nobody is there yet the index skips ahead.
"""

from collections import deque
from collections.abc import Callable, Iterable, Mapping

from engine.trace import Admitted, Arrived, Finished, FirstToken, Header, Record, Row, Step, Trace


def static_batches(jobs: Mapping[str, int], slots: int, arrivals: Mapping[str, int] | None = None) -> Trace:
    """Serve `jobs` in fixed batches: who is waiting fills the slots, and they open again when all are done.

    `jobs` gives each job's decode steps. `slots` is how many fit in a batch. `arrivals` gives the step
    before which a job isn't there; a job without one is there from the start. An answer is handed over
    when its own last step is done, but its slot stays empty until the batch ends.

    Raises `ValueError` for no slots, an empty job, or an arrival of nobody.
    """
    return _serve("static batching", _when_empty, jobs, slots, arrivals)


def continuous_batch(jobs: Mapping[str, int], slots: int, arrivals: Mapping[str, int] | None = None) -> Trace:
    """Serve `jobs` one step at a time: a slot that falls free is filled before the next step.

    Arguments and errors are those of `static_batches`. The rule is Orca's iteration-level scheduling.
    """
    return _serve("continuous batching", _always, jobs, slots, arrivals)


# The whole difference between the two: when do the slots open for who waits?


def _when_empty(num_running: int) -> bool:
    return num_running == 0


def _always(num_running: int) -> bool:
    return True


def _serve(
    name: str,
    slots_open: Callable[[int], bool],
    jobs: Mapping[str, int],
    slots: int,
    arrivals: Mapping[str, int] | None,
) -> Trace:
    times = _arrival_times(jobs, slots, arrivals or {})
    coming = deque(sorted(jobs, key=times.__getitem__))  # a stable sort: ties keep the order of `jobs`
    waiting: deque[str] = deque()
    running: dict[str, int] = {}  # job -> steps done so far
    records: list[Record] = []
    now = 0
    while coming or waiting or running:
        while coming and times[coming[0]] <= now:
            waiting.append(coming.popleft())
            records.append(Arrived(times[waiting[-1]], waiting[-1], 1, jobs[waiting[-1]]))
        if slots_open(len(running)):
            while waiting and len(running) < slots:
                running[waiting.popleft()] = 0
        if not running:
            now = times[coming[0]]
            continue
        records += _one_step(now, running, jobs)
        now += 1
        running = {job: done + 1 for job, done in running.items() if done + 1 < jobs[job]}
    return Trace(Header(name, "simulated", settings={"max_num_seqs": slots}), tuple(records))


def _one_step(now: int, running: Mapping[str, int], jobs: Mapping[str, int]) -> Iterable[Record]:
    """The records of one step in which every running job decodes one token."""
    yield from (Admitted(now, job, now) for job, done in running.items() if done == 0)
    rows = tuple(Row(job, 1, done, "running" if done else "new") for job, done in running.items())
    yield Step(now, now, rows=rows)
    for job, done in running.items():
        if done == 0:
            yield FirstToken(now + 1, job, now)
        if done + 1 == jobs[job]:
            yield Finished(now + 1, job, "length", jobs[job], now)


def _arrival_times(jobs: Mapping[str, int], slots: int, arrivals: Mapping[str, int]) -> dict[str, int]:
    if slots < 1:
        raise ValueError(f"slots: got {slots}; a batch needs at least 1")
    for job, steps in jobs.items():
        if steps < 1:
            raise ValueError(f"jobs[{job!r}]: got {steps} steps; a job needs at least 1")
    for job, time in arrivals.items():
        if job not in jobs:
            raise ValueError(f"arrivals[{job!r}]: no such job; jobs are {', '.join(jobs)}")
        if time < 0:
            raise ValueError(f"arrivals[{job!r}]: got {time}; steps count from 0")
    return {job: arrivals.get(job, 0) for job in jobs}
