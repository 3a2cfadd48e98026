"""Tables for people: columns of text, and the report of a trace as tables."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from engine.views.numbers import percent, seconds, short, unit_of

LATENCIES: Final = ("ttft", "tpot", "itl", "e2e", "queue_time")
"""The rows of a report's latencies, in this order."""


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Lines under a head, the first column to the left and all others to the right."""
    lines = [list(head), *map(list, rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(head))]
    lines.insert(1, ["-" * width for width in widths])
    return "\n".join(_line(line, widths) for line in lines)


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    first, *others = zip(cells, widths, strict=True)
    text = "  ".join([first[0].ljust(first[1]), *(cell.rjust(width) for cell, width in others)])
    return text.rstrip()


def report_tables(report: Mapping[str, Any]) -> str:
    """A report of `engine.metrics` as tables: requests, latencies with their intervals, and the rest."""
    parts = [_requests(report), _latencies(report), _others(report)]
    return "\n\n".join(part for part in parts if part)


def _requests(report: Mapping[str, Any]) -> str:
    counts = report["requests"]
    told = [f"{counts[name]:,} {name.replace('_', ' ')}" for name in counts if counts[name]]
    return f"{report['name']} ({report['source']}): " + (", ".join(told) or "no request")


def _latencies(report: Mapping[str, Any]) -> str:
    known = [name for name in LATENCIES if report.get(name, {}).get("n")]
    if not known:
        return ""
    percents = [key for key in report[known[0]] if key.startswith("p")]
    in_seconds = report["unit"] == "s"
    rows = [
        [
            name.replace("_", " "),
            f"{report[name]['n']:,}",
            seconds(report[name]["mean"]) if in_seconds else short(report[name]["mean"]),
            *(_with_interval(report[name][percent], in_seconds) for percent in percents),
        ]
        for name in known
    ]
    # "?": there are too few values for a bound on this side.
    return table(["95 % intervals", "n", "mean", *map(str.upper, percents)], rows)


def _with_interval(percentile: Mapping[str, float | None], in_seconds: bool) -> str:
    """A value and its interval, all in the value's unit: 19.8 s (19.5-?)."""
    value = percentile["value"] or 0.0
    unit, size = unit_of(value) if in_seconds else ("", 1.0)
    low, high = ("?" if (bound := percentile[side]) is None else short(bound / size) for side in ("low", "high"))
    return f"{short(value / size)} {unit}".rstrip() + f" ({low}-{high})"


SHARES: Final = frozenset({"goodput share", "hit rate tokens", "kv mean use", "kv peak use", "kv mean waste"})
"""Numbers of a report that are shares of a whole."""

TIMES: Final = frozenset({"duration", "wall time"})
"""Numbers of a report that are times; what the simulation itself took is in seconds, whatever a trace's unit."""

RATES: Final = frozenset({"throughput requests", "throughput output tokens", "goodput rate"})
"""Numbers of a report that are counted over its time."""


def _others(report: Mapping[str, Any]) -> str:
    """Every other number with its unit, one a line, those of an inner object under its name."""
    lines = []
    for key, value in report.items():
        if key in ("name", "source", "unit", "requests", *LATENCIES):
            continue
        inner = value.items() if isinstance(value, dict) else [("", value)]
        for name, number in inner:
            label = f"{key} {name}".strip().replace("_", " ").replace("wall seconds", "wall time")
            lines.append([label, _with_unit(label, number, report["unit"])])
    return "\n".join(_line(line, [max(len(one[0]) for one in lines), 0]) for line in lines)


def _with_unit(label: str, number: float, unit: str) -> str:
    """A number as people read it: 85.4 ms, 5.66 /s, 7.6 %; a count stays one."""
    if label in SHARES:
        return percent(number)
    if label in TIMES and (unit == "s" or label == "wall time"):
        return seconds(number)
    told = f"{number:,.6g}" if isinstance(number, float) else f"{number:,}"
    if label in TIMES:
        return f"{told} {unit}" + "s" * (number != 1)
    return f"{told} /{unit}" if label in RATES else told
