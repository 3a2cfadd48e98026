"""A chart's picture: a Vega-Lite specification drawn once, when the site is built, so that pages load no chart library.

One picture serves both themes, since its colours are the page's own. What was drawn is kept by the specification.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from hashlib import sha256
from html import escape
from importlib.metadata import version
from os import getpid
from typing import Any

import vl_convert

from coursekit.project import here
from engine.views.charts import chart_words

VEGA_LITE = "5.21"
"""The newest version of the one that JupyterLab draws."""

_OPENING = re.compile(r'<svg [^>]*?width="([\d.]+)" height="([\d.]+)" viewBox="([^"]+)">')
_UNSEEN = re.compile(r'<path [^>]*?(?:d="M0,0h0v0h0Z"|display="none")[^>]*?/>')
_FOR_EVENTS = re.compile(r' (?:pointer-events|role|class|aria-[a-z]+)="[^"]*"')


def is_chart(value: Any) -> bool:
    """Whether something that a fence shows is a Vega-Lite specification."""
    return isinstance(value, dict) and "vega-lite" in str(value.get("$schema"))


def chart_svg(chart: Mapping[str, Any], title: str) -> str:
    """The chart as one SVG without ids, whose `title` names it and whose words tell what it shows.

    Raises `ValueError` for a specification that can't be drawn.
    """
    return _named(_drawn(chart), title, chart_words(chart))


def _drawn(chart: Mapping[str, Any]) -> str:
    # Drawn as one image with a name of its own, so its parts need none.
    still = {**chart, "config": {**chart.get("config", {}), "aria": False}}
    key = sha256(json.dumps([VEGA_LITE, version("vl-convert-python"), still]).encode()).hexdigest()[:24]
    kept = here().build / "charts" / f"{key}.svg"
    if not kept.is_file():
        kept.parent.mkdir(parents=True, exist_ok=True)
        # Whole or not at all: another build may be reading.
        draft = kept.with_suffix(f".{getpid()}")
        draft.write_text(vl_convert.vegalite_to_svg(still, vl_version=VEGA_LITE), encoding="utf-8")
        draft.replace(kept)
    return kept.read_text(encoding="utf-8")


def _named(svg: str, title: str, words: str) -> str:
    opening = _OPENING.match(svg)
    assert opening, svg[:200]
    width, height, box = opening.groups()
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="course-figure course-figure-chart" role="img" viewBox="{box}" '
        f'width="{width}" height="{height}" style="max-width:100%;height:auto">'
        f"<title>{escape(title)}</title><desc>{escape(words)}</desc>"
    )
    return head + _FOR_EVENTS.sub("", _UNSEEN.sub("", svg[opening.end() :]))
