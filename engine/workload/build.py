"""Times, lengths and contents together: a workload."""

from collections.abc import Iterator
from itertools import islice

from engine.workload.lengths import Lengths
from engine.workload.records import Arrival, Workload, WorkloadError


def open_loop(
    name: str,
    times: Iterator[int],
    lengths: Iterator[Lengths],
    num_requests: int,
    *,
    tenants: tuple[str, ...] = ("",),
    seed: int | None = None,
) -> Workload:
    """`num_requests` arrivals, named r0, r1, … and dealt to the tenants in turn.

    `seed` is only written down: whoever made the streams drew from it.
    """
    if num_requests < 1:
        raise WorkloadError(f"{num_requests} requests: 1 or more")
    pairs = zip(islice(times, num_requests), lengths, strict=False)
    arrivals = tuple(
        Arrival(at, f"r{index}", length.prompt, length.output, tenants[index % len(tenants)])
        for index, (at, length) in enumerate(pairs)
    )
    if len(arrivals) < num_requests:
        raise WorkloadError(
            f"{num_requests} requests asked for, and times or lengths for {len(arrivals)}: ask for fewer"
        )
    return Workload(name, arrivals, seed)
