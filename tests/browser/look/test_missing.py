"""Where a module doesn't arrive, the page says so and keeps no room for what it would have drawn."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.driving import findings

PAGES = {"playground/": "course-playground", "progress/": "course-progress", "lessons/founding/": "course-lab"}


@pytest.mark.parametrize("address", PAGES)
@pytest.mark.parametrize("module", ["course.js", "lib/tables.js", "course-*.js"])
def test_a_page_says_that_part_of_it_is_missing(site: str, chromium: Browser, address: str, module: str) -> None:
    context = chromium.new_context(base_url=site, viewport={"width": 375, "height": 700}, color_scheme="dark")
    page = context.new_page()
    page.goto(address)
    expect(page.locator(".course-missing")).to_be_hidden()
    page.route(f"**/assets/course/{module}", lambda route: route.abort())
    page.reload()
    expect(page.get_by_role("alert")).to_contain_text("Part of this page didn't arrive.")
    room = page.locator(PAGES[address]).first.evaluate("node => parseFloat(getComputedStyle(node).minHeight) || 0")
    assert room == 0
    assert findings(page, within=".course-missing") == []
    context.close()
