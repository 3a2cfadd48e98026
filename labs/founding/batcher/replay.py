"""A batcher's run as a trace, beside the run that was wanted, for the trace player."""

from collections.abc import Iterator

from engine.naive import continuous_batch
from engine.trace import Admitted, Arrived, Finished, FirstToken, Header, Record, Row, Step, Trace
from labs.founding.batcher.run import BatcherRun
from labs.kit.replay import Replay
from labs.kit.result import Violation


def replay(run: BatcherRun, violation: Violation) -> Replay | None:
    """Both runs, at the step that broke; None where no step was seen."""
    if not run.num_steps:
        return None
    needs = run.workload.needs()
    arrivals = {name: job.arrives for name, job in zip(needs, run.workload.jobs, strict=True)}
    yours = Trace(
        Header("your batcher", "simulated", settings={"max_num_seqs": run.workload.slots}), tuple(_records(run))
    )
    return Replay(
        words="Your run (A) beside the one that was wanted (B), at the step where it went wrong:",
        trace=yours,
        compare=continuous_batch(needs, run.workload.slots, arrivals),
        moment=f"step:{min(violation.step, run.num_steps - 1)}",
        choice=violation.who if violation.who in needs else "",
        views="compare",
    )


def _records(run: BatcherRun) -> Iterator[Record]:
    needs = run.workload.needs()
    for step in range(run.num_steps):
        there = run.workload.arrived(step)
        yield from (Arrived(step, name, 1, needs[name]) for name in run.workload.arrivals(step))
        served = [name for name in dict.fromkeys(run.rows[step]) if name in there]
        new = [name for name in served if not run.served(name, step - 1)]
        yield from (Admitted(step, name, step) for name in new)
        yield Step(step, step, rows=tuple(_row(run, name, step) for name in served))
        yield from (FirstToken(step + 1, name, step) for name in new)
        for name in served:
            done = run.served(name, step)
            if done >= needs[name] and done == run.served(name, run.num_steps):
                yield Finished(step + 1, name, "length", done, step)


def _row(run: BatcherRun, name: str, step: int) -> Row:
    before = run.served(name, step - 1)
    return Row(name, run.rows[step].count(name), before, "running" if before else "new")
