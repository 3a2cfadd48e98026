"""When requests arrive: endless streams of times in whole nanoseconds.

All of these are *open loop*: the next arrival never waits for an answer. That is what people do, and what
shows a queue. A client that waits for its answer before it asks again slows down together with the server
and hides the queue (coordinated omission, Tene 2013).

Draws are rounded to nanoseconds before they are added up, so that the same seed gives the same times
wherever Python runs.
"""

from collections.abc import Iterable, Iterator
from itertools import accumulate, repeat
from math import sqrt
from random import Random

from engine.workload.records import WorkloadError

SECOND = 1_000_000_000
"""Nanoseconds in a second."""


def constant(rate: float) -> Iterator[int]:
    """`rate` requests a second at even distances, the first at time 0."""
    return accumulate(repeat(_mean_gap(rate)), initial=0)


def poisson(rate: float, draws: Random) -> Iterator[int]:
    """`rate` requests a second, each independent of all others: exponential gaps (CV 1)."""
    gap = _mean_gap(rate)
    return accumulate(round(draws.expovariate(1.0) * gap) for _ in repeat(None))


def gamma(rate: float, burstiness: float, draws: Random) -> Iterator[int]:
    """`rate` requests a second with gamma-distributed gaps of shape `burstiness`.

    The squared coefficient of variation of the gaps is 1 / burstiness: 1 is Poisson, less comes in bursts,
    more is smoother. The name and its meaning are those of vLLM's `bench serve --burstiness`.
    """
    if not burstiness > 0:
        raise WorkloadError(f"burstiness {burstiness}: it is a gamma shape, more than 0; 1 means Poisson")
    gap = _mean_gap(rate)
    return accumulate(round(draws.gammavariate(burstiness, 1.0 / burstiness) * gap) for _ in repeat(None))


def ramp(start_rate: float, end_rate: float, seconds: float, draws: Random) -> Iterator[int]:
    """Poisson arrivals whose rate goes in a straight line from one value to another, then stays.

    Unit-rate arrivals are mapped through the inverse of the integrated rate (the time-rescaling theorem).
    """
    for name, rate in (("start_rate", start_rate), ("end_rate", end_rate)):
        if rate < 0:
            raise WorkloadError(f"{name} {rate}: requests a second, 0 or more")
    if not (end_rate > 0 and seconds > 0):
        raise WorkloadError(f"a ramp to {end_rate} requests a second in {seconds} s: both take more than 0")
    slope = (end_rate - start_rate) / seconds
    in_ramp = (start_rate + end_rate) / 2 * seconds
    expected = 0.0
    while True:
        expected += draws.expovariate(1.0)
        if expected > in_ramp:
            at = seconds + (expected - in_ramp) / end_rate
        elif slope == 0:
            at = expected / start_rate
        else:
            at = (sqrt(start_rate * start_rate + 2 * slope * expected) - start_rate) / slope
        yield round(at * SECOND)


def replay(times: Iterable[int]) -> Iterator[int]:
    """The given times, moved so that the first is 0."""
    stream = iter(times)
    for first in stream:
        yield 0
        for at in stream:
            yield at - first


def _mean_gap(rate: float) -> int:
    if not 0 < rate <= SECOND:
        raise WorkloadError(f"rate {rate}: requests a second, more than 0 and at most {SECOND:,}")
    return round(SECOND / rate)
