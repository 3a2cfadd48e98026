"""The frame in the lesson: it keeps still, wears the page's theme and has a name."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.browser.driving import NewContext
from tests.browser.lab.lab import Lab


def test_it_takes_no_focus_and_moves_nothing(new_context: NewContext) -> None:
    lab = Lab(new_context().new_page())
    lab.page.goto("lessons/founding/")
    lab.card.locator(".lab-door button").click()
    scrolled = lab.page.evaluate("scrollY")
    lab.page.mouse.wheel(0, -400)
    lab.page.wait_for_function("scrolled => scrollY < scrolled", arg=scrolled)
    lab.page.wait_for_timeout(300)
    before = lab.page.evaluate("scrollY")
    lab.wait_until_ready()
    lab.page.wait_for_timeout(1000)
    assert lab.page.evaluate("scrollY") == before
    assert lab.page.evaluate("document.activeElement.localName") != "iframe"
    lab.press("Run all")
    before = lab.page.evaluate("scrollY")
    lab.wait_for_kernel("idle", seconds=60)
    assert lab.page.evaluate("scrollY") == before


def test_it_has_a_title_and_follows_the_theme(new_context: NewContext) -> None:
    lab = Lab(new_context(color_scheme="dark").new_page()).open()
    expect(lab.page.locator("course-lab iframe")).to_have_attribute("title", re.compile("^Notebook: "))
    theme = "document.body.dataset.jpThemeName"
    assert lab.ask(theme) == "JupyterLab Dark"
    lab.page.emulate_media(color_scheme="light")
    lab.wait_for_value(theme, "JupyterLab Light")


def test_a_snippet_opens_as_a_notebook_of_its_own(new_context: NewContext) -> None:
    page = new_context().new_page()
    page.goto("lessons/founding/")
    snippet = page.locator("course-snippet").first
    name = snippet.get_attribute("data-id")
    snippet.get_by_role("button", name="Run", exact=True).click()
    expect(snippet.locator(".snippet-status")).to_contain_text("Finished", timeout=60_000)
    snippet.get_by_role("link", name="Open in the lab").click()
    lab = Lab(page)
    lab.start()
    assert f"path=snippet-{name}.ipynb" in lab.ask("location.search")
    lab.run(1)
    lab.wait_for_kernel("idle")
    assert "Error" not in lab.output(1)
    assert lab.output(1) != "[]"
