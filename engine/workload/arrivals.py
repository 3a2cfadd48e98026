"""When requests arrive: endless streams of times in whole nanoseconds, and the times of a file.

All of these are *open loop*: the next arrival never waits for an answer. That is what many people do
together, and what shows a queue. `engine.workload.closed` is the other kind.

Gaps are rounded to nanoseconds before they are added up: the last bits of the logarithms under a draw differ
between C libraries, and would differ more with every sum. So one seed gives the same times everywhere.
"""

from collections.abc import Iterable, Iterator
from itertools import accumulate, count, repeat
from math import sqrt
from random import Random
from typing import Final

from engine.workload.records import WorkloadError

SECOND: Final = 1_000_000_000
"""Nanoseconds in a second."""
LEAST_SHAPE: Final = 1e-4
"""The burstiest gamma gaps that are drawn: below, nearly every draw is lost under the smallest float."""


def constant(rate: float) -> Iterator[int]:
    """`rate` requests a second at even distances, the first at time 0.

    The n-th arrival is rounded by itself, so that the rate is kept however long the stream.
    """
    _check_rate("rate", rate)
    return (round(index * SECOND / rate) for index in count())


def poisson(rate: float, draws: Random) -> Iterator[int]:
    """`rate` requests a second, each independent of all others: exponential gaps, whose CV is 1."""
    _check_rate("rate", rate)
    return accumulate(round(draws.expovariate(1.0) * SECOND / rate) for _ in repeat(None))


def gamma(rate: float, burstiness: float, draws: Random) -> Iterator[int]:
    """`rate` requests a second with gamma-distributed gaps of shape `burstiness`.

    The squared coefficient of variation of the gaps is 1 / burstiness: 1 is Poisson, less comes in bursts,
    more is smoother. The name and its meaning are those of vLLM's `bench serve --burstiness`.
    """
    _check_rate("rate", rate)
    if not LEAST_SHAPE <= burstiness <= 1 / LEAST_SHAPE:
        raise WorkloadError(
            f"burstiness {burstiness}: a gamma shape from {LEAST_SHAPE:g} to {1 / LEAST_SHAPE:g}; 1 means Poisson"
        )
    scale = SECOND / (rate * burstiness)
    return accumulate(round(draws.gammavariate(burstiness, 1.0) * scale) for _ in repeat(None))


def ramp(start_rate: float, end_rate: float, seconds: float, draws: Random) -> Iterator[int]:
    """Poisson arrivals whose rate goes in a straight line from one value to another, and stays there.

    Arrivals of rate 1 are mapped through the inverse of the integrated rate (the time-rescaling theorem).
    `start_rate` may be 0.
    """
    if start_rate:
        _check_rate("start_rate", start_rate)
    _check_rate("end_rate", end_rate)
    if not 0 < seconds < float("inf"):
        raise WorkloadError(f"a ramp of {seconds} seconds: more than 0, as 60")
    return _ramp(start_rate, end_rate, seconds, draws)


def _ramp(start_rate: float, end_rate: float, seconds: float, draws: Random) -> Iterator[int]:
    slope = (end_rate - start_rate) / seconds
    in_ramp = (start_rate + end_rate) / 2 * seconds
    for unit_ns in accumulate(round(draws.expovariate(1.0) * SECOND) for _ in repeat(None)):
        unit_time = unit_ns / SECOND
        if unit_time > in_ramp:
            at = seconds + (unit_time - in_ramp) / end_rate
        elif slope == 0:
            at = unit_time / start_rate
        else:
            at = (sqrt(start_rate * start_rate + 2 * slope * unit_time) - start_rate) / slope
        yield round(at * SECOND)


def replay(times: Iterable[int], *, speed: float = 1.0) -> Iterator[int]:
    """The given times, moved so that the first is 0; at `speed` 2 they come twice as fast."""
    _check_rate("speed", speed)
    stream = iter(times)
    for first in stream:
        yield 0
        for at in stream:
            yield at - first if speed == 1.0 else round((at - first) / speed)


def _check_rate(name: str, rate: float) -> None:
    if not 1 / SECOND <= rate <= SECOND:
        raise WorkloadError(f"{name} {rate}: from {1 / SECOND:g} to {SECOND:,}, as 6")
