"""axe finds nothing, before and after every element was used, on a wide screen and a narrow one."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.driving import findings
from tests.browser.elements.conftest import open_page
from tests.browser.elements.storage import put

# The pages of this test have no theme: colours and distances are judged on the built site.
OPTIONS = {"rules": {"color-contrast": {"enabled": False}, "target-size": {"enabled": False}}}


def test_the_lesson_before_anything_is_done(page: Page) -> None:
    assert findings(page, OPTIONS) == []


def test_the_lesson_with_everything_done_and_open(page: Page) -> None:
    put(page, "note", "founding", {"text": "mine"}, was=[{"at": 1, "data": {"text": "theirs"}}])
    page.evaluate("localStorage.setItem('inside-the-batch/check/old', '{half')")
    page.reload()
    page.get_by_label("It makes a step faster").check()
    page.locator("course-check").first.get_by_role("button", name="Check").click()
    page.get_by_label("Your answer", exact=True).fill("a few words")
    page.get_by_role("button", name="Show the model answer").click()
    page.get_by_role("button", name="Mark complete").click()
    snippet = page.locator("course-snippet")
    snippet.get_by_role("button", name="Edit").click()
    editor = snippet.get_by_role("textbox")
    editor.press("Control+a")
    editor.press_sequentially("nothing")
    page.keyboard.press("Control+Enter")
    expect(snippet.locator(".snippet-traceback")).to_be_visible()
    assert findings(page, OPTIONS) == []


@pytest.mark.parametrize("address", ["notebook.html", "progress.html", "home.html"])
def test_the_other_pages(context: BrowserContext, address: str) -> None:
    page = context.new_page()
    page.goto("home.html")
    put(page, "note", "founding", {"text": "mine"}, was=[{"at": 1, "data": {"text": "theirs"}}])
    put(page, "bookmark", "founding#slots", {"label": "Slots"})
    put(page, "pause", "equal-lengths", {"hash": "h", "text": "the same", "opened": True})
    put(page, "visit", "last", {"lesson": "founding", "heading": "slots"})
    open_page(page, address)
    page.wait_for_load_state("networkidle")
    assert findings(page, OPTIONS) == []


def test_the_whole_lesson_works_by_the_keyboard_alone(page: Page) -> None:
    """Tab reaches every control in the order of the page, and Enter or Space works each."""
    reached: list[str] = []
    for _ in range(60):
        page.keyboard.press("Tab")
        name = page.evaluate(
            "() => { const at = document.activeElement; return at === document.body ? '' : "
            "(at.getAttribute('aria-label') || at.labels?.[0]?.textContent || at.textContent).trim(); }"
        )
        if not name and reached:
            break
        reached.append(name)
    wanted = [
        "Bookmark this lesson",
        "Bookmark “Slots”",
        "Check",
        "Your answer",
        "Show the model answer",
        "Run",
        "Bookmark “Pages”",
        "Mark complete",
        "Your notes on this lesson",
    ]
    found = [name for name in reached if name in wanted]
    assert list(dict.fromkeys(found)) == wanted, json.dumps(reached)
