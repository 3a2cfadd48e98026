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


def test_what_was_near_while_there_was_no_network_comes_once_there_is_one(site: str, chromium: Browser) -> None:
    context = chromium.new_context(base_url=site, viewport={"width": 900, "height": 700}, reduced_motion="reduce")
    page = context.new_page()
    page.goto("instructors/checks/")
    page.wait_for_load_state("networkidle")
    context.set_offline(True)
    order = page.locator("course-check[data-id=example-order]")
    with page.expect_event("requestfailed", lambda request: "sortable" in request.url):
        order.scroll_into_view_if_needed()
    expect(order.get_by_role("button", name="Check", exact=True)).to_be_visible()
    context.set_offline(False)
    expect(order.locator(".check-handle")).to_have_count(3)
    context.close()
