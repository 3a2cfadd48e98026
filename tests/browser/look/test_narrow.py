"""What a phone shows of a lesson: rows of buttons in one row, whole names, letters that can be read."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.look.conftest import OpenPage

ROWS = """all => new Set(all.map((one) => one.getBoundingClientRect())
  .map(({ top, bottom }) => Math.round((top + bottom) / 8))).size"""


@pytest.mark.parametrize("row", ["course-check .check-actions", "course-snippet .snippet-bar"])
def test_buttons_of_a_lesson_stand_in_one_row(open_page: OpenPage, row: str) -> None:
    page = open_page("lessons/founding/", width=375)
    assert page.locator(row).first.locator("button:visible").evaluate_all(ROWS) == 1


def test_the_name_of_a_snippet_is_whole_and_covers_no_code(open_page: OpenPage) -> None:
    page = open_page("lessons/founding/", width=320)
    snippet = page.locator("course-snippet[data-id=page-sizes]")
    name = snippet.evaluate(
        "node => { const style = getComputedStyle(node, '::before');"
        " return { over: style.textOverflow, bottom: parseFloat(style.height) }; }"
    )
    assert name["over"] == "clip"
    top = snippet.evaluate("node => node.getBoundingClientRect().top")
    code = snippet.locator(".highlight code").evaluate(
        "node => { const all = document.createRange(); all.selectNodeContents(node);"
        " return all.getBoundingClientRect().top; }"
    )
    assert code > top + name["bottom"]


def test_code_of_ones_own_stands_below_the_name(open_page: OpenPage) -> None:
    page = open_page("lessons/founding/", width=1280)
    snippet = page.locator("course-snippet[data-id=two-slots]")
    snippet.get_by_role("button", name="Edit").click()
    snippet.locator(".cm-content").press("Control+A")
    page.keyboard.type("print(1)")
    page.wait_for_function("localStorage.getItem('inside-the-batch/snippet/two-slots')")
    page.reload()
    expect(snippet.locator(".snippet-mine")).to_have_text("print(1)")
    name, code = snippet.evaluate(
        """node => { const all = document.createRange(); all.selectNodeContents(node.querySelector(".snippet-mine"));
          const top = node.getBoundingClientRect().top, style = getComputedStyle(node, "::before");
          return [parseFloat(style.height), all.getBoundingClientRect().top - top]; }"""
    )
    assert code > name


def test_the_letters_of_a_chart_can_be_read(open_page: OpenPage) -> None:
    page = open_page("lessons/founding/", width=375)
    letters = page.locator(".course-figure-chart text").evaluate_all(
        "all => Math.min(...all.map((one) => parseFloat(getComputedStyle(one).fontSize) * one.getScreenCTM().d || 99))"
    )
    assert letters >= 9


def test_a_button_that_is_off_looks_off_without_colours_of_ones_own(open_page: OpenPage) -> None:
    page = open_page("playground/", forced_colors="active")
    stop, run = (page.get_by_role("button", name=name, exact=True) for name in ("Stop", "Run"))
    expect(stop).to_have_attribute("aria-disabled", "true")
    colours = [one.evaluate("node => getComputedStyle(node).color") for one in (stop, run)]
    assert colours[0] != colours[1]


def test_paper_shows_the_moving_batch_as_a_picture_and_no_settings(open_page: OpenPage) -> None:
    page = open_page("")
    page.emulate_media(media="print")
    expect(page.locator("course-batch .batch")).to_be_hidden()
    expect(page.locator("course-batch .figure-pictures")).to_be_visible()
    expect(page.locator(".figure-settings")).to_be_hidden()
