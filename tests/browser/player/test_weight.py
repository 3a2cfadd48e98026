"""What the player costs: bytes, the wait for a first drawing, and for a large trace. `make bench-web` measures exactly.

Times here are processor time of the page's main thread, more than twice what a quiet machine takes: others may load
this one. On a slower machine they are as much longer as some other work in the page.
"""

from __future__ import annotations

import brotli
import pytest
from playwright.sync_api import Browser, Page

from coursekit.bench.player import measure_first, measure_large, measure_pool
from coursekit.node import run_node
from tests.browser.driving import PROJECT, slower

pytestmark = pytest.mark.alone

MOST_BYTES = 60_000


def test_the_module_is_small(tmp_path_factory: pytest.TempPathFactory) -> None:
    out = tmp_path_factory.mktemp("bundle") / "trace-player.js"
    run_node(PROJECT, [PROJECT.site_build / "player.mjs", PROJECT.browser / "trace-player.js", out])
    raw = out.read_bytes()
    assert len(brotli.compress(raw, quality=11, lgwin=24)) < MOST_BYTES
    assert b"import(" not in raw
    assert b"://" not in raw.replace(b"http://www.w3.org/2000/svg", b""), "it asks nobody"


@pytest.fixture
def page(chromium: Browser, site: str) -> Page:
    page = chromium.new_page()
    page.goto(f"{site}empty.html")
    return page


def test_a_hundred_requests_are_drawn_at_once(page: Page) -> None:
    assert measure_first(page, "./trace-player.js", 3)["processor_ms"] < 200 * slower(page)
    page.close()


def test_a_million_rows_open_scroll_and_zoom_in_time(page: Page) -> None:
    measured = measure_large(page, "./trace-player.js", 1)
    assert measured["open_processor_ms"] < 2000 * slower(page)
    assert measured["memory_mb"] < 100
    for how in ("scroll", "zoom"):
        assert measured["frames"][how]["processor_ms"] < 1000 / 50 * slower(page)
    page.close()


def test_a_move_in_a_pool_of_a_million_blocks_takes_a_few_frames(page: Page) -> None:
    assert measure_pool(page, "./trace-player.js")["processor_ms"] < 50 * slower(page)
    page.close()
