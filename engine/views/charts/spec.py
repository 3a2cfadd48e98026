"""What all charts share: how they look, and that they can be read without being seen.

A chart is a Vega-Lite specification and nothing else, so anything that draws those draws it. Its words stand in
`description`, its table in `usermeta`. Its colours are the page's, each with a value for where there are none.
"""

from collections.abc import Iterable, Mapping, Sequence
from math import ceil, floor, log10
from typing import Any, Final

from engine.views.html import html_table
from engine.views.palette import PENCILS
from engine.views.svg import FONT

SCHEMA: Final = "https://vega.github.io/schema/vega-lite/v5.json"
"""The version of Vega-Lite that JupyterLab draws; it is a name, and nothing is fetched from there."""

MIME: Final = "application/vnd.vegalite.v5+json"
"""Under which JupyterLab knows a specification."""

OURS: Final = "inside-the-batch"
"""The key of a specification's `usermeta` that is ours."""

INK: Final = "var(--course-ink,currentColor)"
"""Of words."""

SOFT: Final = "var(--course-ink-soft,currentColor)"
"""Of lesser words and of axes."""

GRID: Final = "var(--course-rule,#c8ccc0)"
"""Of the lines behind a chart."""

LINES: Final = tuple(pencil.line for pencil in PENCILS)
"""Of curves, in the order of their names: the outlines, for a fill is too light for a thin line."""

DASHES: Final = ([1, 0], [7, 3], [2, 3], [9, 3, 2, 3], [4, 2], [1, 2])
"""Curves are told apart by these too, so that no colour is needed."""

WIDTH: Final = 520
"""Of what the axes enclose, in pixels."""


class Chart(dict[str, Any]):
    """A Vega-Lite specification that shows itself in a notebook."""

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, Any]:
        # No HTML: JupyterLab would rather show that.
        return {MIME: dict(self), "text/plain": chart_words(self)}


def chart(
    parts: Mapping[str, Any],
    *,
    words: str,
    caption: str,
    heads: Sequence[str],
    rows: Sequence[Sequence[str]],
    height: int,
) -> Chart:
    """A chart of `parts` of a specification, in the course's look; the rest is what it says to who doesn't see it."""
    return Chart(
        {
            "$schema": SCHEMA,
            "description": words,
            "width": WIDTH,
            "height": height,
            **parts,
            "config": _look(),
            "usermeta": {
                # As SVG, for a canvas knows no custom properties; and without a menu that leads to another host.
                "embedOptions": {"renderer": "svg", "actions": False},
                OURS: {"caption": caption, "heads": list(heads), "rows": [list(row) for row in rows]},
            },
        }
    )


def chart_words(chart: Mapping[str, Any]) -> str:
    """What a chart shows, in sentences."""
    return str(chart["description"])


def chart_table(chart: Mapping[str, Any]) -> str:
    """What a chart shows, as an HTML table."""
    table = chart["usermeta"][OURS]
    return html_table(table["caption"], table["heads"], table["rows"])


def _look() -> dict[str, Any]:
    # Axes take the same room whatever their labels are, so that a chart has the same bytes where other fonts are.
    words = {"labelColor": INK, "titleColor": INK, "labelFont": FONT, "titleFont": FONT, "titleFontWeight": 500}
    return {
        "background": "transparent",
        "font": FONT,
        "view": {"stroke": GRID},
        "axis": {
            **words,
            "labelFontSize": 13,
            "titleFontSize": 13,
            "titlePadding": 10,
            "gridColor": GRID,
            "domainColor": SOFT,
            "tickColor": SOFT,
            "minExtent": 46,
            "maxExtent": 46,
        },
        "axisX": {"minExtent": 22, "maxExtent": 22},
        "text": {"color": INK, "font": FONT, "fontSize": 13},
        "rule": {"color": SOFT},
        "legend": {"labelColor": INK, "labelFont": FONT, "labelFontSize": 13, "title": None},
    }


def log_axis(values: Iterable[float]) -> dict[str, Any]:
    """An axis for a logarithmic scale over `values`: ticks at 1, 2 and 5 times the powers of ten, or at these alone."""
    found = list(values)
    low, high = min(found), max(found)
    powers = [10.0**power for power in range(floor(log10(low)), ceil(log10(high)) + 1)]
    steps = (1,) if high / low > 100 else (1, 2, 5)
    ticks = [float(f"{step * power:.1g}") for power in powers for step in steps]
    return {"values": [tick for tick in ticks if low / 1.001 <= tick <= high * 1.001], "format": "~g"}


def seconds(value: float) -> str:
    """A time in three figures: `0.0231 s`, `12.3 s`, `140 s`."""
    return f"{_figures(value)} s"


def _figures(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"
