"""Every kind of check on the built site, in both themes, narrow and wide, by keyboard and in forced colours; and every
check of the course, answered rightly and wrongly by a script through the page."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from coursekit.course_map import address, heads
from coursekit.project import here
from coursekit.source import read_page
from tests.browser.driving import findings
from tests.browser.elements.answering import answer
from tests.browser.look.conftest import OpenPage

KINDS_PAGE = "instructors/checks/"
"""It has a live example of every kind; `tests/docs/test_instructors.py` sees to that."""


def pages_with_checks() -> dict[str, list[str]]:
    """The addresses of the pages that hold checks, with the checks' ids."""
    pages = [read_page(path) for path in sorted(here().docs.rglob("*.md"))]
    found = {address(page.path, here().docs): [head["id"] for head in heads(page, "check")] for page in pages}
    return {place: ids for place, ids in found.items() if ids}


def answer_all(page: Page, names: list[str], *, right: bool) -> None:
    for name in names:
        answer(page.locator(f"course-check[data-id={name}]"), right=right)


@pytest.mark.parametrize("place", pages_with_checks())
def test_every_check_of_the_course_can_be_answered_wrongly_and_rightly(open_page: OpenPage, place: str) -> None:
    page = open_page(place)
    for name in pages_with_checks()[place]:
        box = page.locator(f"course-check[data-id={name}]")
        answer(box, right=False)
        expect(box.locator(".check-result")).to_have_attribute("data-state", "wrong")
        expect(
            box.locator("fieldset .check-feedback, .check-missed, .check-otherwise, .check-mistake, .check-model")
            .filter(visible=True)
            .first
        ).to_be_visible()
        answer(box, right=True)
        expect(box.locator(".check-result")).to_have_attribute("data-state", "right")
        expect(box.locator(".check-result")).to_contain_text("Right.")


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 320])
def test_axe_finds_nothing_in_any_state_and_nothing_is_cut_off(open_page: OpenPage, theme: str, width: int) -> None:
    names = pages_with_checks()[KINDS_PAGE]
    page = open_page(KINDS_PAGE, width=width, color_scheme=theme)
    assert findings(page) == []
    for right in (False, True):
        answer_all(page, names, right=right)
        assert findings(page) == []
        assert page.evaluate("document.documentElement.scrollWidth") == width
    for name in names:
        page.locator(f"course-check[data-id={name}]").get_by_role("button", name="I don't know").click()
    assert findings(page) == []


SIGNS = """() => [...document.querySelectorAll(
    ".check-option[data-state] > label, .check-item[data-state], .check-cell[data-state], .check-result[data-state]")]
  .filter((one) => ![["::before"], ["::after"]].some(([part]) => /[✓✗○]/.test(getComputedStyle(one, part).content)))
  .map((one) => one.outerHTML.slice(0, 100))"""


@pytest.mark.parametrize("forced", ["none", "active"])
def test_right_and_wrong_differ_by_a_sign_and_not_by_colour_alone(open_page: OpenPage, forced: str) -> None:
    page = open_page(KINDS_PAGE, forced_colors=forced)
    for right in (False, True):
        answer_all(page, pages_with_checks()[KINDS_PAGE], right=right)
        assert page.locator("course-check [data-state]").count() > 5
        assert page.evaluate(SIGNS) == []


def test_a_check_is_answered_by_the_keyboard_alone(open_page: OpenPage) -> None:
    page = open_page(KINDS_PAGE, width=640)
    box = page.locator("course-check[data-id=example-grid]")
    box.locator("select").first.focus()
    for at, cell in enumerate(box.locator(".check-cell").all()):
        expect(cell.locator("select")).to_be_focused()
        value = cell.get_attribute("data-value") or ""
        # Nobody's dash is the last in the menu; letters are typed, as a menu takes them.
        page.keyboard.press("End") if value == "–" else page.keyboard.type(value)
        page.keyboard.press("Tab")
        assert at < 12
    expect(box.get_by_role("button", name="Check", exact=True)).to_be_focused()
    before = page.evaluate("scrollY")
    page.keyboard.press("Enter")
    expect(box.locator(".check-result")).to_contain_text("Right.")
    expect(box.get_by_role("button", name="Check", exact=True)).to_be_focused()
    assert abs(page.evaluate("scrollY") - before) < 200
