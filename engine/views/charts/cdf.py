"""How long requests waited, as a curve: which share of them had their first token, or their answer, by when.

The share is of all that arrived. Whoever was refused or gave up never gets there, so a curve that ends below 100 %
says how many were lost; a curve of the survivors alone would hide it.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

from engine.metrics.latency import e2e, queue_time, ttft
from engine.metrics.percentiles import nearest_rank
from engine.metrics.requests import RequestTimes
from engine.views.charts.spec import DASHES, LINES, Chart, chart, log_axis, seconds
from engine.views.language import count

Latency = Literal["ttft", "e2e", "queue_time"]
"""Which latency: to the first token, to the whole answer, or to the admission."""

_MEASURES = {"ttft": ttft, "e2e": e2e, "queue_time": queue_time}
_TITLES = {
    "ttft": "time to first token",
    "e2e": "time to the whole answer",
    "queue_time": "time in the queue",
}
_POINTS = 80
_PERCENTS = (50, 95, 99)


def latency_cdf(
    runs: Mapping[str, Sequence[RequestTimes]], latency: Latency = "ttft", *, per_second: int = 1_000_000_000
) -> Chart:
    """The curve of each run, by its name: six at most, all of the same workload.

    Times are in units of which `per_second` make a second. Raises `ValueError` for more than six runs, or none.
    """
    if not 1 <= len(runs) <= len(LINES):
        raise ValueError(f"{len(runs)} curves; give 1 to {len(LINES)}, so that they can be told apart")
    curves = {
        name: sorted(value / per_second for request in requests if (value := _MEASURES[latency](request)) is not None)
        for name, requests in runs.items()
    }
    totals = {name: len(requests) for name, requests in runs.items()}
    heads = [f"{count(_total(totals), 'request')} each", *(f"{percent} % within" for percent in _PERCENTS), "never"]
    rows = [_row(name, curves[name], totals[name]) for name in runs]
    return chart(
        _parts(curves, totals, _TITLES[latency]),
        words=" ".join(_words(name, curves[name], totals[name], _TITLES[latency]) for name in runs),
        caption=f"{_TITLES[latency].capitalize()}, by the share of requests that arrived",
        heads=heads,
        rows=rows,
        height=240,
    )


def _total(totals: Mapping[str, int]) -> int:
    return max(totals.values())


def _within(values: Sequence[float], total: int, percent: float) -> float | None:
    """By when that share of all requests was there; None if it never was."""
    rank = nearest_rank(total, percent)
    return values[rank - 1] if total and rank <= len(values) else None


def _row(name: str, values: Sequence[float], total: int) -> list[str]:
    found = [_within(values, total, percent) for percent in _PERCENTS]
    return [name, *("never" if value is None else seconds(value) for value in found), f"{total - len(values):,}"]


def _words(name: str, values: Sequence[float], total: int, title: str) -> str:
    half, most = _within(values, total, 50), _within(values, total, 95)
    if half is None:
        return f"{name}: fewer than half of {count(total, 'request')} have a {title}."
    tail = f"95 % within {seconds(most)}" if most is not None else "95 % never"
    lost = f"; {total - len(values):,} have none" if len(values) < total else ""
    return f"{name}, {title} of {count(total, 'request')}: half within {seconds(half)}, {tail}{lost}."


def _parts(curves: Mapping[str, Sequence[float]], totals: Mapping[str, int], title: str) -> dict[str, Any]:
    names = list(curves)
    points = [point for name in names for point in _points(name, curves[name], totals[name])]
    run: dict[str, Any] = {"field": "run", "type": "nominal"}
    # Where a curve of shares is empty: below its end.
    legend = {"orient": "bottom-right", "symbolType": "stroke", "symbolSize": 500, "symbolStrokeWidth": 2.5}
    return {
        "data": {"values": points},
        "mark": {"type": "line", "interpolate": "step-after", "strokeWidth": 2.5},
        "encoding": {
            "x": {
                "field": "seconds",
                "type": "quantitative",
                "scale": {"type": "log", "nice": False},
                "title": f"{title}, seconds",
                "axis": log_axis([point["seconds"] for point in points] or [1.0]),
            },
            "y": {
                "field": "share",
                "type": "quantitative",
                "scale": {"domain": [0, 1]},
                "title": "share of requests",
                "axis": {"labelExpr": "format(100 * datum.value, '.0f') + ' %'", "tickCount": 5},
            },
            "color": run | {"scale": {"domain": names, "range": list(LINES[: len(names)])}, "legend": legend},
            "strokeDash": run | {"scale": {"domain": names, "range": list(DASHES[: len(names)])}, "legend": legend},
        },
    }


def _points(name: str, values: Sequence[float], total: int) -> Iterable[dict[str, Any]]:
    """The curve at so many ranks as the eye can tell apart, the first and the last among them."""
    ranks = sorted({round(1 + place * (len(values) - 1) / (_POINTS - 1)) for place in range(_POINTS)} if values else ())
    for rank in ranks:
        yield {"run": name, "seconds": _rounded(values[rank - 1]), "share": round(rank / total, 4)}


def _rounded(value: float) -> float:
    # A logarithm needs something above 0.
    return float(f"{max(value, 1e-6):.4g}")
