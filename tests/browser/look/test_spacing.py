"""A reader's own distances between letters, words, lines and paragraphs lose nothing: WCAG 2.2, 1.4.12."""

from __future__ import annotations

import pytest

from tests.browser.look.conftest import OpenPage
from tests.browser.look.pages import visited, written

WIDER = """
* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important; }
p { margin-bottom: 2em !important; }
"""
CUT = """() => [...document.querySelectorAll("header *, article *, footer *")]
  .filter((one) => one.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && one.clientWidth > 4)
  .filter((one) => getComputedStyle(one).overflowX === "hidden" && one.scrollWidth > one.clientWidth + 1)
  .map((one) => one.outerHTML.slice(0, 120))"""


@pytest.mark.parametrize("width", [1280, 320])
def test_wider_text_is_cut_off_nowhere(open_page: OpenPage, width: int) -> None:
    page = open_page(width=width)
    for address in visited(page, written()):
        page.add_style_tag(content=WIDER)
        assert page.evaluate("document.documentElement.scrollWidth") == width, address
        assert page.evaluate(CUT) == [], address
