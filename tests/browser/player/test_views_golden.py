"""The views as they were when they were looked at, in both themes; `test_views_tables.py` is the table beside each."""

from __future__ import annotations

import pytest

from engine.naive import continuous_batch, static_batches
from tests.browser.player.conftest import ALL, OpenViews
from tests.browser.player.golden import looks_like
from tests.browser.player.test_views_compare import JOBS
from tests.browser.player.test_views_page import choose
from tests.browser.player.views_traces import trace

VIEWS = ALL.removeprefix("timeline ").removesuffix(" why")
BATCHES = (static_batches(JOBS, 2), continuous_batch(JOBS, 2))
PICTURES = [("shared", 5, "light"), ("shared", 5, "dark"), ("tight", 5, "light"), ("timed", 18, "dark")]


@pytest.mark.parametrize(("name", "step", "theme"), PICTURES)
def test_the_views_look_as_they_did(open_views: OpenViews, name: str, step: int, theme: str) -> None:
    page = open_views(trace(name), views=VIEWS, step=step, width=560, color_scheme=theme)
    choose(page, request=1)
    looks_like(page.locator(".views"), f"views-{name}-{theme}")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_two_traces_look_as_they_did(open_views: OpenViews, theme: str) -> None:
    page = open_views(*BATCHES, views="compare", step=2, width=800, color_scheme=theme)
    looks_like(page.locator(".panel-compare"), f"compare-{theme}")
