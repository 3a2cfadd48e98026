"""What stands on a page stays there while its modules draw: the cumulative layout shift is small."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Route, expect

from tests.browser.look.conftest import READY

PAGES = (
    *("", "lessons/founding/", "labs/founding/", "notebook/", "progress/", "live/", "playground/", "your-server/"),
    *("instructors/labs/", "reference/source/"),
)
LIMIT = 0.05
DRAWN = "course-playground form, course-server textarea, .progress-list > *, .notebook-list > *, .lab-tasks li"
OBSERVE = """window.shifts = [];
new PerformanceObserver((list) => shifts.push(...list.getEntries().map(({ value, sources }) =>
    [value, ...sources.map(({ node, previousRect, currentRect }) =>
        `${node?.localName ?? node?.nodeName}.${node?.className} ${previousRect.y} -> ${currentRect.y}`)])))
    .observe({ type: "layout-shift", buffered: true });"""


@pytest.mark.parametrize("width", [pytest.param(1280, marks=pytest.mark.long), 375])
def test_nothing_jumps_while_a_page_is_drawn(site: str, chromium: Browser, width: int) -> None:
    moved = {}
    for address in PAGES:
        context = chromium.new_context(base_url=site, viewport={"width": width, "height": 800})
        context.add_init_script(OBSERVE)
        page = context.new_page()
        page.goto(address)
        page.wait_for_function(READY)
        page.wait_for_load_state("networkidle")
        if page.locator("course-playground, course-server, course-progress, course-notebook, course-lab").count():
            expect(page.locator(DRAWN).first).to_be_attached()
        shifts = page.evaluate("document.fonts.ready.then(() => new Promise(requestAnimationFrame)).then(() => shifts)")
        if sum(shift[0] for shift in shifts) >= LIMIT:
            moved[address] = shifts
        context.close()
    assert moved == {}


@pytest.mark.parametrize("address", ["reference/commands/", "lessons/founding/"])
def test_nothing_jumps_when_faces_arrive_after_the_text(site: str, chromium: Browser, address: str) -> None:
    """What stands in until then is as wide and as high: lines break alike."""
    context = chromium.new_context(base_url=site, viewport={"width": 375, "height": 800})
    context.add_init_script(OBSERVE)
    page = context.new_page()
    held: list[Route] = []
    page.route("**/*.woff2", lambda route: held.append(route))
    page.goto(address, wait_until="commit")
    page.wait_for_function(READY)
    page.wait_for_function("performance.getEntriesByName('first-contentful-paint').length")
    assert page.evaluate("document.fonts.status") == "loading"
    for route in held:
        route.continue_()
    shifts = page.evaluate("document.fonts.ready.then(() => new Promise(requestAnimationFrame)).then(() => shifts)")
    assert sum(shift[0] for shift in shifts) < LIMIT, shifts
    context.close()


TOP = "document.getElementById('queue').getBoundingClientRect().top"


@pytest.mark.parametrize("width", [375, 1280])
def test_a_reload_comes_back_to_what_was_read(site: str, chromium: Browser, width: int) -> None:
    """The browser scrolls back before the checks above have drawn their buttons: there is room for them."""
    context = chromium.new_context(base_url=site, viewport={"width": width, "height": 800}, reduced_motion="reduce")
    page = context.new_page()
    page.goto("lessons/founding/")
    page.wait_for_load_state("networkidle")
    page.evaluate("document.getElementById('queue').scrollIntoView()")
    page.wait_for_timeout(1000)
    before = page.evaluate(TOP)
    page.reload()
    page.wait_for_function(READY)
    page.wait_for_load_state("networkidle")
    page.wait_for_timeout(1000)
    assert page.evaluate(TOP) == pytest.approx(before, abs=40)
    context.close()
