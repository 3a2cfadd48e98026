"""An allocator's run as a trace, for the trace player."""

from labs.founding.allocator.run import AllocatorRun
from labs.kit.replay import Moment, Replay, pool_trace
from labs.kit.result import Violation


def replay(run: AllocatorRun, violation: Violation) -> Replay | None:
    """The pool call by call, at the one that broke; None where no trace can tell what the tables did."""
    if not run.num_steps:
        return None
    workload = run.workload
    trace = pool_trace("your allocator", workload.num_blocks, workload.block_size, _moments(run, violation))
    if trace is None:
        return None
    return Replay(
        words="Your pool, call by call; step 0 is the new one. It opens where it went wrong:",
        trace=trace,
        moment=f"step:{min(violation.step, run.num_steps - 1)}",
        choice=violation.who if violation.who in run.states[-1].tables else "",
        views="blocks",
    )


def _moments(run: AllocatorRun, violation: Violation) -> list[Moment]:
    moments = [Moment(run.states[0].tables)]
    for step, state in enumerate(run.states[1 : violation.step + 1], 1):
        call = run.call(step)
        assert call is not None
        tokens = {"allocate": call.num_tokens, "append": 1, "free": 0}[call.kind]
        moments.append(Moment(state.tables, call.name, tokens))
    return moments
