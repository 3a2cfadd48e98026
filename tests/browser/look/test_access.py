"""Every page of ours: axe finds nothing in either theme, nothing is cut off on a narrow screen, and the keyboard
reaches what the header offers."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.driving import findings
from tests.browser.look.conftest import OpenPage
from tests.browser.look.pages import addresses, visited, written


@pytest.mark.parametrize(
    ("width", "theme"),
    [
        (1280, "light"),
        (375, "dark"),
        pytest.param(1280, "dark", marks=pytest.mark.long),
        pytest.param(375, "light", marks=pytest.mark.long),
    ],
)
def test_axe_finds_nothing(open_page: OpenPage, width: int, theme: str) -> None:
    page = open_page(width=width, color_scheme=theme)
    # The reference's pages are made alike and are long: axe reads all of them once.
    pages = addresses() if (width, theme) == (1280, "light") else written()
    assert {address: found for address in visited(page, pages) if (found := findings(page))} == {}


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_once_a_lesson_was_worked_on(open_page: OpenPage, theme: str) -> None:
    page = open_page("lessons/founding/", color_scheme=theme)
    right, wrong = (page.locator("course-check[data-kind=choice]").nth(number) for number in (0, 1))
    for check, value in ((right, "true"), (wrong, "false")):
        check.locator(f'[data-correct="{value}"] input').first.check()
        check.get_by_role("button", name="Check").click()
    number = page.locator("course-check[data-kind=number]").first
    number.locator("input").fill("5")
    number.get_by_role("button", name="Check").click()
    number.get_by_text("Hint").click()
    page.get_by_label("Your answer", exact=True).first.fill("some words of mine")
    page.get_by_role("button", name="Show the model answer").first.click()
    page.get_by_role("button", name="Bookmark this lesson").click()
    page.get_by_role("button", name="Mark complete").click()
    page.get_by_text("Settings of this figure").first.click()
    assert findings(page) == []
    for address in ("notebook/", "progress/", ""):
        page.goto(address)
        page.wait_for_load_state("networkidle")
        assert findings(page) == []


def test_nothing_is_cut_off_at_320_pixels(open_page: OpenPage) -> None:
    page = open_page(width=320)
    for address in visited(page):
        assert page.evaluate("document.documentElement.scrollWidth") == 320, address
        page.evaluate("scrollTo(500, 0)")
        assert page.evaluate("scrollX") == 0, address


SMALL_TARGETS = """() => [
    ...document.querySelectorAll("button, summary, input, select, textarea, .course-button, nav a"),
  ]
  .filter((one) => one.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
  .filter((one) => !one.closest(".md-search__inner, .md-skip"))
  .map((one) => [one.closest("label") ?? one, one])
  .map(([target, one]) => [target.getBoundingClientRect(), one])
  .filter(([box]) => box.width < 24 || box.height < 24)
  .map(([, one]) => one.outerHTML.slice(0, 120))"""


def test_a_target_measures_24_pixels_or_more(open_page: OpenPage) -> None:
    """WCAG 2.2, 2.5.8: links within a sentence excepted, and what is seen only when focused."""
    page = open_page(width=375)
    assert {address: small for address in visited(page) if (small := page.evaluate(SMALL_TARGETS))} == {}


def test_the_keyboard_alone_opens_the_menu_and_the_search(open_page: OpenPage) -> None:
    page = open_page("lessons/founding/", width=640)
    menu = page.get_by_role("button", name="Menu")
    menu.focus()
    page.keyboard.press("Enter")
    link = page.get_by_role("navigation", name="Menu").get_by_role("link", name="My notebook")
    expect(link).to_be_visible()
    page.keyboard.press("Escape")
    expect(link).to_be_hidden()
    expect(menu).to_be_focused()
    for _ in range(12):
        page.keyboard.press("Shift+Tab")
        if page.evaluate("document.activeElement.matches('.md-search__input')"):
            break
    page.keyboard.type("prefix")
    expect(page.locator(".md-search-result__item").first).to_be_visible()


def test_a_ring_shows_what_has_the_focus(open_page: OpenPage) -> None:
    page = open_page("lessons/founding/")
    bare = []
    for _ in range(60):
        page.keyboard.press("Tab")
        found = page.evaluate(
            """() => { let one = document.activeElement;
              while (one.shadowRoot?.activeElement) one = one.shadowRoot.activeElement;
              const rings = [one, one.closest("label, form, li")].filter(Boolean).map((each) => getComputedStyle(each));
              const ring = rings.some((style) => style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2);
              return ring || one === document.body ? null : one.outerHTML.slice(0, 120); }"""
        )
        if found:
            bare.append(found)
    assert bare == []


def test_the_keyboard_reaches_a_table_that_scrolls_and_only_that(open_page: OpenPage) -> None:
    page = open_page("reference/readers/", width=375)
    table = page.locator(".md-typeset__scrollwrap").first
    expect(table).to_have_attribute("tabindex", "0")
    page.set_viewport_size({"width": 1280, "height": 800})
    expect(table).not_to_have_attribute("tabindex", "0")
