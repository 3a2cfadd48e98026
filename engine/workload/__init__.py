"""What arrives: requests with their times, lengths and contents, drawn from one seed or read from a file.

A workload knows nothing of any engine. `records` says what one is, `arrivals` draws times, `lengths` draws
prompts and answers, `content` says which prompts begin alike, `build` puts the three together.
"""

from engine.workload.arrivals import constant, gamma, poisson, ramp, replay
from engine.workload.build import open_loop
from engine.workload.content import fresh, sessions, shared_prefix
from engine.workload.lengths import Lengths, cycle, fixed, lognormal
from engine.workload.records import Arrival, Segment, Workload, WorkloadError

__all__ = [
    "Arrival",
    "Lengths",
    "Segment",
    "Workload",
    "WorkloadError",
    "constant",
    "cycle",
    "fixed",
    "fresh",
    "gamma",
    "lognormal",
    "open_loop",
    "poisson",
    "ramp",
    "replay",
    "sessions",
    "shared_prefix",
]
