"""A `chart` fence: one picture for both themes, its words and its table beside it, drawn when the site is built."""

import re
from typing import Any
from xml.etree import ElementTree

import pytest

from coursekit.evaluate import shared
from coursekit.figures.chart import chart_svg, is_chart
from coursekit.figures.figure import compile_figure
from engine.views.charts import LoadPoint, load_chart

POINTS = [LoadPoint(load, 0.1, tail, 100) for load, tail in ((1, 0.2), (2, 0.21), (3, 0.4), (4, 4.0))]

BODY = """from engine.views.charts import LoadPoint, load_chart
loads = [LoadPoint(load, 0.1, tail, 100) for load, tail in ((1, 0.2), (2, 0.21), (3, 0.4), (4, 4.0))]
load_chart(loads)
---
At 4{= loads[-1].load =} a second the tail is 4{= loads[-1].tail =} s.
"""


def compiled(body: str, kind: str = "chart") -> tuple[str, list[str]]:
    engine = shared()
    block = compile_figure({"id": "x", "title": "A <title>"}, body, [], engine.shown, engine.value, kind=kind)
    return block.html, [fault.what for fault in block.faults]


def test_a_chart_is_a_picture_its_words_and_its_table() -> None:
    page, faults = compiled(BODY)
    assert faults == []
    assert page.startswith('<figure class="course-figure" id="chart-x">')
    order = [
        page.index(part)
        for part in ("<svg", "figcaption", "<p>At a load of 1 a second", "<table", "Settings of this chart")
    ]
    assert order == sorted(order)


def test_the_picture_is_an_image_with_a_name_and_no_ids() -> None:
    svg = chart_svg(load_chart(POINTS), "A <title>")
    root = ElementTree.fromstring(svg)
    assert root.get("role") == "img"
    assert [child.text for child in root[:2]] == ["A <title>", load_chart(POINTS)["description"]]
    assert not re.search(r'\sid="|aria-|url\(#|<script|href', svg)


def test_every_colour_is_the_pages_own_so_that_one_picture_serves_both_themes() -> None:
    svg = chart_svg(load_chart(POINTS), "x")
    colours = set(re.findall(r'(?:fill|stroke)="([^"]*)"', svg)) - {"none", "transparent"}
    assert colours
    assert all(colour.startswith("var(--course-") for colour in colours), colours


def test_the_same_chart_has_the_same_bytes() -> None:
    assert chart_svg(load_chart(POINTS), "x") == chart_svg(load_chart(reversed(POINTS)), "x")


@pytest.mark.parametrize(
    ("body", "fault"),
    [
        ('"words"\n---\n', "the chart shows no picture"),
        (
            '{"$schema": "vega-lite/v5", "mark": 3, "description": ""}\n---\n',
            "the chart can't be drawn: Vega-Lite to SVG",
        ),
        (BODY.replace("4{= loads[-1].tail", "5{= loads[-1].tail"), "the caption says 5"),
        ("{3: 4}\n---\n", "the chart fails: TypeError: it gives a dict"),
    ],
)
def test_what_is_wrong_with_it_is_said(body: str, fault: str) -> None:
    assert any(what.startswith(fault) for what in compiled(body)[1]), compiled(body)[1]


def test_a_figure_may_show_a_chart_too() -> None:
    assert compiled(BODY, "figure")[1] == []


@pytest.mark.parametrize("value", ["<svg", {"a": 1}, None, 3])
def test_nothing_else_is_taken_for_a_chart(value: Any) -> None:
    assert not is_chart(value)
