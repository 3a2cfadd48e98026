"""AIPerf's `profile_export.jsonl`: a request a line, with `metadata` and `metrics`.

`metadata` has times in nanoseconds since 1970; each of the `metrics` says its own unit. `inter_token_latency` is
an average over one request, which is what TPOT is here; the gaps themselves are in `inter_chunk_latency`, where it
was saved. A request counts from `request_start_ns`.
"""

from collections.abc import Iterator
from itertools import accumulate
from typing import Final

from engine.readers.notes import Notes
from engine.readers.results import Served, spread, trace_of
from engine.readers.source import Source
from engine.readers.text import MILLISECOND, SECOND, Fields
from engine.trace import Trace

FIELDS: Final = frozenset({"metadata", "metrics"})
"""The keys that every line has."""

UNITS: Final = {"ns": 1, "us": 1_000, "ms": MILLISECOND, "s": SECOND, "sec": SECOND}
"""The units of time that a metric may have, in nanoseconds."""


def traces(source: Source, notes: Notes) -> list[Trace]:
    """The trace of the run; requests that warmed the server up are left out."""
    notes.add("inter_token_latency is an average over a request, which is TPOT here; ITL is from chunks")
    return [trace_of(_served(source, notes), source.name, "AIPerf", file=source.file)]


def _served(source: Source, notes: Notes) -> Iterator[Served]:
    for index, row in enumerate(source.rows()):
        metadata = row.inside("metadata")
        if metadata.text("benchmark_phase", "profiling") != "profiling":
            notes.count("requests of another phase than profiling were left out")
        else:
            yield _one(row, metadata, metadata.text("x_request_id") or f"r{index}")


def _one(row: Fields, metadata: Fields, name: str) -> Served:
    start = metadata.time("request_start_ns", 1)
    metrics = row.inside("metrics") if "metrics" in row else Fields({}, row.place, "metrics")
    cancelled = metadata.is_true("was_cancelled")
    if cancelled or row.values.get("error") is not None:
        at = "cancellation_time_ns" if cancelled and "cancellation_time_ns" in metadata else "request_end_ns"
        ended = metadata.time(at, 1)
        metadata.in_order(("request_start_ns", at), (start, ended))
        prompt = next((_count(metrics, key) for key in ("input_sequence_length", "error_isl") if key in metrics), 0)
        return Served(name, start, ended, prompt, 0, outcome="cancelled" if cancelled else "failed")
    ended = start + _time(metrics, "request_latency")
    first = start + _time(metrics, "time_to_first_token") if "time_to_first_token" in metrics else None
    metrics.in_order(("time_to_first_token", "request_latency"), (first, ended))
    output = _count(metrics, "output_sequence_length")
    tokens = _chunks(metrics, first, ended, output) if first is not None else []
    return Served(name, start, ended, _count(metrics, "input_sequence_length"), output, first, tokens=tokens)


def _chunks(metrics: Fields, first: int, ended: int, output: int) -> list[tuple[int, int]]:
    """When more tokens came, if the file says it."""
    if "inter_chunk_latency" not in metrics or output < 2:
        return []
    chunk = metrics.inside("inter_chunk_latency")
    unit = _unit(chunk)
    gaps = [Fields({"value": gap}, chunk.place, chunk.path).time("value", unit) for gap in chunk.list("value")]
    times = [min(first + at, ended) for at in accumulate(gaps)]
    return spread(times, output - 1) if times else []


def _time(metrics: Fields, name: str) -> int:
    metric = metrics.inside(name)
    return metric.time("value", _unit(metric))


def _count(metrics: Fields, name: str) -> int:
    return metrics.inside(name).whole("value")


def _unit(metric: Fields) -> int:
    unit = UNITS.get(metric.text("unit"))
    if unit is None:
        metric.refuse("unit", "one of " + ", ".join(UNITS))
    return unit
