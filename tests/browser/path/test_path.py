"""The whole path, with the mouse, with the keyboard alone, and in Firefox. No request leaves, nothing complains."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser

from tests.browser.driving import listen
from tests.browser.path.hands import Keyboard, Mouse
from tests.browser.path.journey import AFTERWARDS, IN_THE_LAB, IN_THE_LESSON, Student, progress_says

WAYS = {
    "mouse": ("chromium", Mouse),
    "keyboard": ("chromium", Keyboard),
    "firefox": ("firefox", Mouse),
}


@pytest.mark.parametrize(("browser_name", "hand"), WAYS.values(), ids=WAYS.keys())
def test_the_path(
    request: pytest.FixtureRequest, site: str, complaints: list[str], browser_name: str, hand: type[Mouse | Keyboard]
) -> None:
    browser: Browser = request.getfixturevalue(browser_name)
    context = browser.new_context(base_url=site, reduced_motion="reduce")
    context.set_default_timeout(60_000)
    listen(context, site, complaints)
    page, other_tab = context.new_page(), context.new_page()
    other_tab.goto("progress/")
    page.bring_to_front()
    student = Student(context, page, hand(page))
    for step in (*IN_THE_LESSON, *IN_THE_LAB):
        step(student)
        assert complaints == [], step.__name__
    progress_says(other_tab)
    for step in AFTERWARDS:
        step(student)
        assert complaints == [], step.__name__
    context.close()
