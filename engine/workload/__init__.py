"""What arrives: requests with their times, lengths and contents, drawn from one seed or read from a file.

A workload knows nothing of any engine. `records` says what one is, `arrivals` draws times, `lengths` draws
prompts and answers, `content` says which prompts begin alike, `clients` says who sends them and how patient
they are, `build` puts these together, and `closed` is the client that waits for its answers.
"""

from engine.workload.arrivals import constant, gamma, poisson, ramp, replay
from engine.workload.build import open_loop, stream
from engine.workload.clients import isolated, patient_for, predicted, tenants, wanted_within
from engine.workload.closed import ClosedLoop
from engine.workload.content import sessions, shared_prefix
from engine.workload.lengths import Lengths, cycle, fixed, lengths_of, lognormal
from engine.workload.records import Arrival, Segment, Workload, WorkloadError

__all__ = [
    "Arrival",
    "ClosedLoop",
    "Lengths",
    "Segment",
    "Workload",
    "WorkloadError",
    "constant",
    "cycle",
    "fixed",
    "gamma",
    "isolated",
    "lengths_of",
    "lognormal",
    "open_loop",
    "patient_for",
    "poisson",
    "predicted",
    "ramp",
    "replay",
    "sessions",
    "shared_prefix",
    "stream",
    "tenants",
    "wanted_within",
]
