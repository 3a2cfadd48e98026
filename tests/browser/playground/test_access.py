"""The playground for everybody: axe in every state and theme, the keyboard alone, narrow screens, faults."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser.driving import EVERY_LOOK, findings
from tests.browser.look.conftest import OpenPage, open_page
from tests.browser.look.test_access import SMALL_TARGETS
from tests.browser.playground.driving import Playground

__all__ = ["open_page"]


def states(page: Page) -> dict[str, list[str]]:
    """What axe finds in each state that the playground can be in."""
    one, found = Playground(page), {}

    def look(state: str) -> None:
        found[state] = [*findings(page, within="course-playground"), *page.evaluate(SMALL_TARGETS)]
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), state

    look("a bad link")
    one.press("Run")
    look("starting")
    expect(one.status).to_contain_text("simulated in", timeout=120_000)
    one.idle()
    for title in ("More about what arrives", "More settings of the engine", "The same on the command line"):
        page.locator("summary", has_text=title).click()
    look("done")
    one.set("Arrival rate", "40")
    look("compared")
    one.set("KV blocks", "10")
    look("can't be")
    page.get_by_label("Begin with an incident").select_option("head-of-line")
    expect(one.status).to_contain_text("17 requests simulated in", timeout=60_000)
    one.idle()
    look("an incident")
    return found


@EVERY_LOOK
def test_axe_finds_nothing_in_any_state(open_page: OpenPage, width: int, theme: str) -> None:
    page = open_page("playground/#v=1&num_requests=30&speed=1", width=width, color_scheme=theme)
    assert {state: found for state, found in states(page).items() if found} == {}


def test_the_keyboard_alone_sets_runs_and_stops(open_page: OpenPage) -> None:
    page = open_page("playground/#v=1&num_requests=30", width=1280)
    one = Playground(page)
    page.get_by_label("Begin with an incident").focus()
    reached = []
    for _ in range(45):
        page.keyboard.press("Tab")
        reached.append(page.evaluate("document.activeElement.id || document.activeElement.textContent.trim()"))
        if reached[-1] == "Run":
            break
    assert {"play-rate", "play-policy", "play-enable_prefix_caching", "Run"} <= set(reached)
    page.keyboard.press("Enter")
    expect(one.status).to_contain_text("30 requests simulated in", timeout=120_000)
    one.idle()
    page.get_by_label("Arrival rate, slider").focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator(".play-changed")).to_contain_text("Arrival rate: 20 →")


def test_at_320_pixels_nothing_is_cut_off_and_the_buttons_stay_in_sight(open_page: OpenPage) -> None:
    page = open_page("playground/", width=320, height=700)
    assert page.evaluate("document.documentElement.scrollWidth") == 320
    page.get_by_label("Prompt, mean length", exact=True).scroll_into_view_if_needed()
    run = page.get_by_role("button", name="Run", exact=True)
    expect(run).to_be_in_viewport()
    page.get_by_label("Seed", exact=True).focus()
    box, bar = page.get_by_label("Seed", exact=True).bounding_box(), page.locator(".play-top").bounding_box()
    assert box is not None
    assert bar is not None
    assert box["y"] + box["height"] <= bar["y"] or box["y"] >= bar["y"] + bar["height"]


def test_python_that_doesnt_arrive_is_said_and_can_be_tried_again(open_page: OpenPage) -> None:
    page = open_page("playground/#v=1&num_requests=30")
    one = Playground(page)
    page.route("**/py/**", lambda route: route.abort())
    one.press("Run")
    expect(one.status).to_contain_text("Python could not be loaded", timeout=60_000)
    one.idle()
    page.unroute("**/py/**")
    one.press("Run")
    expect(one.status).to_contain_text("30 requests simulated in", timeout=120_000)


def test_without_the_players_module_the_numbers_are_there(open_page: OpenPage) -> None:
    page = open_page("playground/#v=1&num_requests=30")
    page.route("**/trace-player.js", lambda route: route.abort())
    one = Playground(page)
    one.run()
    expect(one.status).to_contain_text("The trace player could not be loaded.")
    assert len(one.table()) > 10


def test_it_runs_offline_once_it_was_loaded(open_page: OpenPage) -> None:
    page = open_page("playground/#v=1&num_requests=30")
    one = Playground(page)
    one.run()
    page.context.set_offline(True)
    one.set("Number of requests", "31")
    expect(one.status).to_contain_text("31 requests simulated in")


def test_a_pointer_that_rests_on_the_form_starts_python(open_page: OpenPage) -> None:
    page = open_page("playground/")
    with page.expect_request("**/py/**/python.mjs"):
        page.locator("course-playground").hover()


def test_a_low_window_keeps_room_for_the_form(open_page: OpenPage) -> None:
    """As zoomed to 400 %: what stays in sight leaves most of the window to what is set."""
    page = open_page("playground/", width=320, height=256)
    page.locator(".play-field input").nth(8).scroll_into_view_if_needed()
    covered = page.locator(".course-header, .play-top").evaluate_all(
        """all => all.map((one) => one.getBoundingClientRect())
          .reduce((sum, { top, bottom }) => sum + Math.max(0, Math.min(256, bottom) - Math.max(top, 0)), 0)"""
    )
    assert 0 < covered < 128
