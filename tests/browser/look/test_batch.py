"""The batch on the home page: it moves by itself once, can be paused, and stands still where that is asked for."""

from __future__ import annotations

from playwright.sync_api import Browser, Page, expect

from tests.browser.look.conftest import OpenPage


def steps_done(page: Page) -> int:
    return int(page.get_by_role("slider", name="Steps done").input_value())


def test_it_stands_still_at_the_end_where_less_motion_is_asked_for(open_page: OpenPage) -> None:
    page = open_page(reduced_motion="reduce")
    page.wait_for_timeout(1500)
    assert steps_done(page) == 15
    expect(page.locator("course-batch")).to_contain_text("done after 10 steps, 3 slot-steps idle")
    expect(page.locator("course-batch")).to_contain_text("done after 15 steps, 18 slot-steps idle")


def test_it_plays_by_itself_pauses_and_goes_on(open_page: OpenPage) -> None:
    page = open_page(reduced_motion="no-preference")
    page.wait_for_function("document.querySelector('course-batch input').value >= 1")
    page.get_by_role("button", name="Pause").click()
    paused = page.locator("course-batch").get_attribute("style")
    page.wait_for_timeout(700)
    assert page.locator("course-batch").get_attribute("style") == paused
    page.get_by_role("button", name="Play").click()
    page.wait_for_function("then => document.querySelector('course-batch').getAttribute('style') !== then", arg=paused)


def test_it_ends_and_plays_again(open_page: OpenPage) -> None:
    page = open_page(reduced_motion="no-preference")
    slider = page.get_by_role("slider", name="Steps done")
    slider.fill("14")
    assert steps_done(page) == 14
    page.get_by_role("button", name="Play").click()
    again = page.get_by_role("button", name="Play again")
    expect(again).to_be_visible()
    assert steps_done(page) == 15
    again.click()
    page.wait_for_function("document.querySelector('course-batch input').value < 3")


def test_the_keyboard_walks_through_the_steps_and_says_where(open_page: OpenPage) -> None:
    page = open_page()
    slider = page.get_by_role("slider", name="Steps done")
    slider.focus()
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    assert slider.get_attribute("aria-valuetext") == "1 step done"
    waiting = page.locator('.batch-chip[data-where="waits"]')
    assert waiting.all_inner_texts() == ["d", "e", "f"] * 2


def test_without_scripts_the_engines_own_pictures_stand_there(chromium: Browser, site: str) -> None:
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(site)
    pictures = page.locator("course-batch svg")
    expect(pictures).to_have_count(2)
    expect(pictures.first).to_be_visible()
    page.get_by_text("The same in words").click()
    expect(page.locator(".figure-words")).to_contain_text("h takes slot 2 after 7 steps and finishes after 10 steps.")
    context.close()
