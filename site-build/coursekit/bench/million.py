"""A million requests with only their outcomes kept: how long it takes, and what each costs in memory.

The memory is the whole process's, as the system counts it: what its peak grew by. So it has to be a process that did
little else before.
"""

from __future__ import annotations

import resource
import sys
from collections.abc import Iterator
from pathlib import Path
from time import process_time
from typing import NamedTuple

from coursekit.bench.loads import SEED, drawn_lengths
from engine.cost import DENSE_8B
from engine.settings import Settings
from engine.simulate.fast import FastForward
from engine.workload import Arrival, poisson, stream

SETTINGS = Settings(num_blocks=8192, max_model_len=32_768, enable_prefix_caching=False)
RATE = 6
MILLION = 1_000_000
WARM_UP = 10_000

_STATUS = Path("/proc/self/status")
_PEAK_UNIT = 1 if sys.platform == "darwin" else 1024


class Million(NamedTuple):
    """What the run came to."""

    requests: int
    steps: int
    seconds: float
    """Of processor time; drawing the arrivals is in it."""
    bytes_a_request: float

    def line(self) -> str:
        """The same for people."""
        return (
            f"{self.requests:,} requests in {self.steps:,} steps, only outcomes kept: {self.seconds:.1f} s of "
            f"processor time, {self.bytes_a_request:.1f} bytes of peak memory a finished request"
        )


def measure(num_requests: int = MILLION) -> Million:
    """Serve so many."""
    # What the first requests bring with them (modules, pools, queues) isn't any request's.
    _serve(WARM_UP)
    before, started = _peak_bytes(), process_time()
    run = _serve(num_requests)
    seconds = process_time() - started
    return Million(len(run.outcomes), run.v, seconds, (_peak_bytes() - before) / num_requests)


def arrivals(num_requests: int) -> Iterator[Arrival]:
    """One after another, so that only those who are there take memory."""
    times, lengths = poisson(RATE, stream(SEED, "arrivals")), drawn_lengths(())
    for number, at, length in zip(range(num_requests), times, lengths, strict=False):
        yield Arrival(at, str(number), length.prompt, length.output)


def _serve(num_requests: int) -> FastForward:
    return FastForward(SETTINGS, arrivals(num_requests), DENSE_8B).run()


def _peak_bytes() -> int:
    """The peak of memory so far. Linux counts in a process's own the memory of the one that started it, but here."""
    if _STATUS.exists():
        [peak] = [line.split()[1] for line in _STATUS.read_text().splitlines() if line.startswith("VmHWM:")]
        return int(peak) * 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * _PEAK_UNIT
