"""What a trace says in numbers. Every metric is a pure function of a trace, or of the times in it.

`requests` gives the times of each request, `latency` and `handovers` the four latencies, `percentiles` their
summary with its uncertainty, `tokens` and `memory` what was computed twice and what memory was used for,
`goodput` and `fairness` whether it was good for anybody and for everybody, `slowness` why one request was
slow, `report` all of it at once. `hit_rate` is the one that needs no engine: what a cache of some size would
have found.
"""

from engine.metrics.fairness import jain_index, service, service_gap
from engine.metrics.goodput import Limits, goodput
from engine.metrics.hit_rate import HitRate, hit_rate
from engine.metrics.latency import e2e, queue_time, tpot, ttft
from engine.metrics.percentiles import Summary, summarise
from engine.metrics.report import report
from engine.metrics.requests import RequestTimes, request_times
from engine.metrics.slowness import Slowness, slowness

__all__ = [
    "HitRate",
    "Limits",
    "RequestTimes",
    "Slowness",
    "Summary",
    "e2e",
    "goodput",
    "hit_rate",
    "jain_index",
    "queue_time",
    "report",
    "request_times",
    "service",
    "service_gap",
    "slowness",
    "summarise",
    "tpot",
    "ttft",
]
