"""Times, lengths and contents together: a workload, from one seed."""

from collections.abc import Iterable, Iterator
from itertools import islice
from random import Random

from engine.workload.lengths import Lengths
from engine.workload.records import Arrival, Workload, WorkloadError


def stream(seed: int, purpose: str) -> Random:
    """Draws for one purpose, as `"arrivals"`: every purpose has a stream of its own under the one seed.

    So two workloads of one seed that differ in their lengths alone have the same arrivals.
    """
    return Random(f"{seed}/{purpose}")


def open_loop(
    name: str,
    times: Iterable[int],
    lengths: Iterator[Lengths],
    num_requests: int,
    *,
    seed: int | None = None,
    about: str = "",
) -> Workload:
    """`num_requests` arrivals, named r0, r1, …

    `seed` is only written down: whoever made the streams drew from it.
    """
    if num_requests < 1:
        raise WorkloadError(f"{num_requests} requests: 1 or more")
    pairs = zip(islice(times, num_requests), lengths, strict=False)
    arrivals = tuple(Arrival(at, f"r{index}", length.prompt, length.output) for index, (at, length) in enumerate(pairs))
    if len(arrivals) < num_requests:
        raise WorkloadError(
            f"{num_requests} requests asked for, and times or lengths for {len(arrivals)}: ask for fewer"
        )
    return Workload(name, arrivals, seed, about)
