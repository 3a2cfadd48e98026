"""A prefix cache's run as a trace, for the trace player."""

from labs.founding.prefix.run import PrefixRun
from labs.kit.replay import Moment, Replay, pool_trace
from labs.kit.result import Violation


def replay(run: PrefixRun, violation: Violation) -> Replay | None:
    """The cache call by call, at the one that broke; None where no trace can tell what the tables did."""
    if not run.num_steps:
        return None
    workload = run.workload
    moments = [
        Moment(state.tables, call.name, len(call.tokens), state.found, call.cache_salt)
        for call, state in zip(workload.calls, run.states[: violation.step + 1], strict=False)
    ]
    trace = pool_trace("your prefix cache", workload.num_blocks, workload.block_size, moments)
    if trace is None:
        return None
    return Replay(
        words="Your cache, call by call. It opens where it went wrong:",
        trace=trace,
        moment=f"step:{len(moments) - 1}",
        choice=moments[-1].who,
        views="blocks",
    )
