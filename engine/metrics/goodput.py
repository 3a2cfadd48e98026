"""Goodput: how many requests were served as promised."""

from collections.abc import Iterable
from typing import NamedTuple

from engine.metrics.latency import e2e, tpot, ttft
from engine.metrics.requests import RequestTimes


class Limits(NamedTuple):
    """A promise: the longest that each latency may be, in the trace's unit. None: not promised."""

    ttft: float | None = None
    tpot: float | None = None
    e2e: float | None = None


def is_good(request: RequestTimes, limits: Limits) -> bool:
    """Whether a request finished, and within every limit.

    An answer of one token has no TPOT and keeps every promise of one, as in vLLM's benchmark.
    """
    if request.outcome != "finished":
        return False
    values = (ttft(request), tpot(request), e2e(request))
    return all(limit is None or value is None or value <= limit for value, limit in zip(values, limits, strict=True))


def goodput(requests: Iterable[RequestTimes], limits: Limits) -> tuple[int, float]:
    """How many requests were good, and their share of all that arrived: whoever was refused counts too.

    The share is 0 where nobody came. Divide the number by a duration for requests a second.
    """
    good = [is_good(request, limits) for request in requests]
    return sum(good), sum(good) / len(good) if good else 0.0
