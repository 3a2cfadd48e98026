"""What is read stays in its place in a browser that doesn't see to it itself; Chromium is made one such."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

WITHOUT = """const supports = CSS.supports.bind(CSS);
CSS.supports = (...asked) => asked[0] !== "overflow-anchor" && supports(...asked);
addEventListener("DOMContentLoaded", () => {
    const style = document.createElement("style");
    style.textContent = "* { overflow-anchor: none !important; }";
    document.head.append(style);
});"""
TOP = "document.getElementById('queue').getBoundingClientRect().top"
GROWN = """by => {
    const part = document.querySelector("#batching");
    part.append(Object.assign(document.createElement("div"), { style: `height: ${by}px` }));
}"""


@pytest.fixture
def page(site: str, chromium: Browser) -> Iterator[Page]:
    """The lesson, drawn, read at one of its sections."""
    context = chromium.new_context(base_url=site, viewport={"width": 900, "height": 700}, reduced_motion="reduce")
    context.add_init_script(WITHOUT)
    page = context.new_page()
    page.goto("lessons/founding/")
    page.wait_for_load_state("networkidle")
    page.evaluate("document.getElementById('queue').scrollIntoView({ behavior: 'instant' })")
    yield page
    context.close()


def top_at_rest(page: Page) -> float:
    """Where the section stands once nothing moves it any more."""
    before, now = None, page.evaluate(TOP)
    while now != before:
        page.wait_for_timeout(250)
        before, now = now, page.evaluate(TOP)
    assert isinstance(now, int | float)
    return float(now)


def test_what_grows_above_moves_nothing(page: Page) -> None:
    before = top_at_rest(page)
    page.evaluate(GROWN, 250)
    assert top_at_rest(page) == pytest.approx(before, abs=1)


def test_another_width_is_left_to_the_browser(page: Page) -> None:
    top_at_rest(page)
    scrolled = page.evaluate("scrollY")
    page.set_viewport_size({"width": 700, "height": 700})
    top_at_rest(page)
    # Players draw themselves anew a moment later, a line higher or lower; the text above has become a thousand longer.
    assert page.evaluate("scrollY") == pytest.approx(scrolled, abs=100)
