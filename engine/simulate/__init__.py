"""The simulator: requests arrive, the scheduler decides, a pretended model answers, and time passes.

Time advances here and nowhere else. `step_by_step` runs the scheduler one step at a time and is the truth:
`simulate` serves requests with it and counts steps, `serve` serves a workload in nanoseconds. `fast_forward`
gives the same trace without doing what only repeats itself.
"""

from engine.simulate.serving import fast_forward, serve, serve_closed, simulate
from engine.simulate.step_by_step import distinct_token

__all__ = ["distinct_token", "fast_forward", "serve", "serve_closed", "simulate"]
