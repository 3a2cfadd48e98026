"""All metrics of a trace at once, as plain data: what `--json` prints and tables are made from.

Times are in seconds for a trace in nanoseconds, and in steps for one in steps; `unit` says which.
"""

from collections import Counter
from typing import Any, Final

from engine.metrics.fairness import jain_index, service, service_gap
from engine.metrics.goodput import Limits, goodput
from engine.metrics.handovers import gaps
from engine.metrics.latency import latencies
from engine.metrics.memory import kv_summary
from engine.metrics.percentiles import Summary, summarise
from engine.metrics.requests import Outcome, RequestTimes, request_times
from engine.metrics.tokens import hit_rate_tokens, recompute
from engine.trace import Step, Trace

PER_UNIT: Final = {"ns": 1_000_000_000, "step": 1}
"""How many of a trace's units make one of a report's."""

OUTCOMES: Final[tuple[Outcome, ...]] = ("finished", "timed_out", "rejected", "cancelled", "unfinished")
"""How requests end, in the order of a report."""


def report(trace: Trace, limits: Limits | None = None) -> dict[str, Any]:
    """Everything that `trace` says about itself; what it doesn't know is left out.

    `limits` are in the trace's unit and add the goodput.
    """
    requests, per_unit = request_times(trace), PER_UNIT[trace.header.unit]
    found: dict[str, Any] = {"name": trace.header.name, "source": trace.header.source}
    found |= request_report(requests, per_unit, limits)
    found["unit"] = "s" if trace.header.unit == "ns" else "step"
    found["itl"] = in_units(summarise(gaps(trace)), per_unit)
    if any(step.rows for step in trace.of(Step)):
        price = recompute(trace)
        found |= {
            "preemptions": price.num_preemptions,
            "scheduled_tokens": price.num_scheduled_tokens,
            "recomputed_tokens": price.num_recomputed_tokens,
        }
        # Without steps nobody saw the cache: its hits would be zeros that mean nothing.
        rate = hit_rate_tokens(requests)
        if rate is not None:
            found["hit_rate_tokens"] = rate
    memory = kv_summary(trace)
    if memory is not None:
        found["kv"] = memory._asdict()
    if len({request.tenant for request in requests}) > 1:
        found["service"] = service(trace)
        found["jain_index"] = jain_index(found["service"].values())
        found["service_gap"] = service_gap(trace)
    return found


def request_report(requests: list[RequestTimes], per_unit: int, limits: Limits | None = None) -> dict[str, Any]:
    """The part of a report that the requests' times are enough for."""
    found: dict[str, Any] = {"requests": {"arrived": len(requests)} | _outcomes(requests)}
    for name, values in latencies(requests).items():
        found[name] = in_units(summarise(values), per_unit)
    seconds = _duration(requests) / per_unit
    tokens = sum([request.num_output_tokens for request in requests])
    found["duration"] = seconds
    if seconds:
        found["throughput"] = {
            "requests": found["requests"]["finished"] / seconds,
            "output_tokens": tokens / seconds,
        }
    if limits is not None:
        good, share = goodput(requests, limits)
        found["goodput"] = {"requests": good, "share": share}
        if seconds:
            found["goodput"]["rate"] = good / seconds
    return found


def in_units(summary: Summary, per_unit: int) -> dict[str, Any]:
    """A summary as plain data: n, mean, and p50 and so on, each with its value and interval."""
    if summary.mean is None:
        return {"n": 0}
    found: dict[str, Any] = {"n": summary.n, "mean": summary.mean / per_unit}
    for percent, value, low, high in summary.percentiles:
        found[f"p{percent:g}"] = {
            "value": value / per_unit,
            "low": None if low is None else low / per_unit,
            "high": None if high is None else high / per_unit,
        }
    return found


def _outcomes(requests: list[RequestTimes]) -> dict[str, int]:
    counts = Counter([request.outcome for request in requests])
    return {outcome: counts[outcome] for outcome in OUTCOMES}


def _duration(requests: list[RequestTimes]) -> int:
    """From the first arrival to the last end."""
    ends = [request.ended for request in requests if request.ended is not None]
    return max(ends) - min([request.arrived for request in requests]) if ends else 0
