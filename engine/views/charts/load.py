"""Load against the time to first token, and the knee: where more load begins to cost more than it brings."""

from collections.abc import Iterable, Sequence
from math import log10
from typing import Any, NamedTuple

from engine.metrics.latency import ttft
from engine.metrics.percentiles import nearest_rank
from engine.metrics.requests import RequestTimes
from engine.views.charts.spec import DASHES, INK, LINES, Chart, chart, log_axis, seconds
from engine.views.language import count


class LoadPoint(NamedTuple):
    """What one run at one load came to, in seconds."""

    load: float
    """Requests a second."""
    median: float
    """Of the times to first token."""
    tail: float
    """The 99th percentile of them."""
    num_requests: int
    num_lost: int = 0
    """Requests that never got a token; they are in no percentile."""


def load_point(load: float, requests: Sequence[RequestTimes], *, per_second: int = 1_000_000_000) -> LoadPoint:
    """The point of one run, whose times are in units of which `per_second` make a second.

    Raises `ValueError` if nobody got a token.
    """
    values = sorted(value / per_second for request in requests if (value := ttft(request)) is not None)
    if not values:
        raise ValueError(f"at a load of {load:g} nobody got a first token; there is nothing to draw")
    median, tail = (values[nearest_rank(len(values), percent) - 1] for percent in (50, 99))
    return LoadPoint(load, median, tail, len(requests), len(requests) - len(values))


def knee(points: Iterable[LoadPoint]) -> LoadPoint | None:
    """The point where the tail bends most: it lies furthest below the straight line from the first one to the last.

    The line is drawn where the eye would draw it, on the chart's logarithmic scale. None where the tail never bends
    upwards. (The idea of Satopää and others, "Finding a kneedle in a haystack", 2011.)
    """
    ordered = sorted(points)
    if len(ordered) < 3:
        return None
    first, last = ordered[0], ordered[-1]
    width, height = last.load - first.load, _decades(last) - _decades(first)

    def below(point: LoadPoint) -> float:
        return height * (point.load - first.load) - width * (_decades(point) - _decades(first))

    deepest = max(ordered, key=below)
    return deepest if height > 0 and below(deepest) > 0 else None


def _decades(point: LoadPoint) -> float:
    # Rounded, for the last bit of a logarithm differs between machines.
    return round(log10(max(point.tail, 1e-9)), 9)


def load_chart(points: Iterable[LoadPoint]) -> Chart:
    """Median and 99th percentile over the load, with the knee. Raises `ValueError` for less than two points."""
    ordered = sorted(points)
    if len(ordered) < 2:
        raise ValueError(f"{count(len(ordered), 'load')}: a curve needs two or more")
    bend = knee(ordered)
    rows = [[f"{point.load:g}", seconds(point.median), seconds(point.tail), f"{point.num_lost:,}"] for point in ordered]
    return chart(
        _parts(ordered, bend),
        words=_words(ordered, bend),
        caption="Time to first token at each load",
        heads=["requests a second", "half within", "99 % within", "without a token"],
        rows=rows,
        height=260,
    )


def _words(points: Sequence[LoadPoint], bend: LoadPoint | None) -> str:
    first, last = points[0], points[-1]
    told = [
        f"At a load of {first.load:g} a second half of the first tokens come within {seconds(first.median)} and 99 % "
        f"within {seconds(first.tail)}; at {last.load:g} it is {seconds(last.median)} and {seconds(last.tail)}."
    ]
    if bend is not None:
        told.append(
            f"The knee is at {bend.load:g}: up to there 99 % come within {seconds(bend.tail)}, and beyond it the wait "
            "grows much faster than the load."
        )
    return " ".join(told)


def _parts(points: Sequence[LoadPoint], bend: LoadPoint | None) -> dict[str, Any]:
    names = ("half of the requests", "99 % of the requests")
    values: list[dict[str, Any]] = [
        {"load": point.load, "seconds": float(f"{value:.4g}"), "of": name}
        for point in points
        for name, value in zip(names, (point.median, point.tail), strict=True)
    ]
    low = min(value["seconds"] for value in values)
    x = {
        "field": "load",
        "type": "quantitative",
        "title": "load, requests a second",
        "scale": {"nice": False, "zero": False},
        "axis": {"values": [point.load for point in points], "labelOverlap": True},
    }
    y = {
        "field": "seconds",
        "type": "quantitative",
        "title": "time to first token, seconds",
        # Room for the words below the lower curve.
        "scale": {"type": "log", "nice": False, "domainMin": float(f"{low / 2:.3g}")},
        "axis": log_axis(value["seconds"] for value in values),
    }
    series: dict[str, Any] = {"field": "of", "type": "nominal", "legend": None}
    colour = series | {"scale": {"domain": list(names), "range": [LINES[0], LINES[5]]}}
    dash = series | {"scale": {"domain": list(names), "range": [DASHES[0], DASHES[1]]}}
    # Points of their own: those that a line brings along make a legend in the Vega-Lite that JupyterLab has.
    layers: list[dict[str, Any]] = [
        {
            "data": {"values": values},
            "mark": {"type": "line", "strokeWidth": 2.5},
            "encoding": {"x": x, "y": y, "color": colour, "strokeDash": dash},
        },
        {
            "data": {"values": values},
            "mark": {"type": "circle", "size": 40, "opacity": 1},
            "encoding": {"x": x, "y": y, "color": colour},
        },
        *(
            {
                "data": {"values": [value]},
                "mark": {"type": "text", "align": "left", "color": INK, "dx": 10, "dy": dy},
                "encoding": {"x": x, "y": y, "text": {"field": "of"}},
            }
            for value, dy in zip(values[:2], (16, -22), strict=True)
        ),
    ]
    return {"layer": [*layers, *_bend(bend, points)]}


def _bend(bend: LoadPoint | None, points: Sequence[LoadPoint]) -> list[dict[str, Any]]:
    if bend is None:
        return []
    data = {"values": [{"load": bend.load, "label": f"the knee: {bend.load:g} a second"}]}
    x = {"field": "load", "type": "quantitative"}
    right = bend.load > (points[0].load + points[-1].load) / 2
    label = {"type": "text", "align": "right" if right else "left", "baseline": "top", "y": 6, "dx": -6 if right else 6}
    return [
        {"data": data, "mark": {"type": "rule", "strokeDash": [4, 4], "strokeWidth": 1.5}, "encoding": {"x": x}},
        {"data": data, "mark": label, "encoding": {"x": x, "text": {"field": "label"}}},
    ]
