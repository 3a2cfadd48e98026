"""With storage switched off for the site, every page works as ever, and the course says once that nothing is kept."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.driving import NewContext
from tests.browser.look.conftest import READY

OFF = """for (const name of ["localStorage", "sessionStorage"])
    Object.defineProperty(window, name, { get() { throw new DOMException("off", "SecurityError"); } });"""


OTHERS = ("", "notebook/", "progress/", "live/", "your-server/", "playground/")


@pytest.mark.parametrize(
    "address", ["lessons/founding/", *(pytest.param(address, marks=pytest.mark.long) for address in OTHERS)]
)
def test_a_page_works_and_says_once_that_nothing_is_kept(address: str, new_context: NewContext) -> None:
    """`new_context` fails on any complaint of the page: the theme asked for its settings, and stopped at that."""
    context = new_context(color_scheme="light")
    context.add_init_script(OFF)
    page = context.new_page()
    page.goto(address)
    page.wait_for_function(READY)
    expect(page.get_by_text("storage is switched off for this site")).to_have_count(1)
    page.get_by_role("button", name="Light or dark").click()
    page.locator("#course-theme").get_by_text("Dark", exact=True).click()
    expect(page.locator("body")).to_have_attribute("data-md-color-scheme", "slate")


def test_the_search_finds(new_context: NewContext) -> None:
    context = new_context()
    context.add_init_script(OFF)
    page = context.new_page()
    page.goto("")
    page.locator(".md-search__input").click()
    page.keyboard.type("prefix")
    expect(page.locator(".md-search-result__item").first).to_be_visible()
