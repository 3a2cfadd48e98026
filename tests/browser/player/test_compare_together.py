"""Two traces on one axis show one stretch of it: what zooms, pans or fits one side does so to both."""

from __future__ import annotations

import re
from typing import Literal

import pytest
from playwright.sync_api import Page, expect

from engine.trace import Trace
from tests.browser.player.conftest import ALL, PHONE, OpenViews, settle
from tests.browser.player.player_traces import crowd
from tests.browser.player.test_views_compare import changed, with_row
from tests.browser.player.views_traces import trace

STEP = 7


def told_otherwise(whole: Trace, names: str | None = None, unit: Literal["step", "ns"] = "ns") -> Trace:
    """The same with other names for its requests, or on another clock."""
    text = re.sub(r'"r(\d+)"', rf'"{names}\1"', whole.to_jsonl()) if names else whole.to_jsonl()
    renamed = Trace.from_jsonl(text)
    return Trace(renamed.header._replace(unit=unit), renamed.records)


PICTURES = """() => [...document.querySelector("trace-player").shadowRoot.querySelectorAll(".side canvas")]
  .map((canvas) => canvas.toDataURL())"""


def picture(page: Page) -> str:
    """What both sides show: the same trace on both must look the same."""
    page.locator(".player").evaluate("() => document.activeElement?.shadowRoot?.activeElement?.blur()")
    settle(page)
    left, right = page.evaluate(PICTURES)
    assert left == right
    return str(left)


@pytest.mark.parametrize("side", [0, 1])
def test_keys_and_hands_on_one_side_move_both(side: int, open_views: OpenViews) -> None:
    page = open_views(trace("timed"), trace("timed"), views="compare", step=9, width=1000)
    whole = picture(page)
    node = page.locator(".side .timeline-scroll").nth(side)
    seen = {whole}
    for key in ("+", "Shift+ArrowRight", "-"):
        node.focus()
        page.keyboard.press(key)
        now = picture(page)
        assert now not in seen, key
        seen.add(now)
    node.focus()
    page.keyboard.press("0")
    assert picture(page) == whole
    node.hover(position={"x": 200, "y": 60})
    page.keyboard.down("Control")
    page.mouse.wheel(0, -120)
    page.keyboard.up("Control")
    page.get_by_role("slider", name="Moment").hover()
    zoomed = picture(page)
    assert zoomed != whole
    box = node.bounding_box()
    assert box
    page.mouse.move(box["x"] + 300, box["y"] + 60)
    page.mouse.down()
    page.mouse.move(box["x"] + 200, box["y"] + 60, steps=4)
    page.mouse.up()
    page.get_by_role("slider", name="Moment").hover()
    assert picture(page) not in (whole, zoomed)
    page.get_by_role("button", name="Whole trace").click()
    assert picture(page) == whole


def test_one_bar_drives_both(open_views: OpenViews) -> None:
    page = open_views(trace("timed"), trace("timed"), views="compare", step=9, width=1000)
    whole = picture(page)
    expect(page.get_by_role("button", name="Zoom in")).to_have_count(1)
    page.get_by_role("button", name="Zoom in").click()
    assert picture(page) != whole
    page.get_by_role("button", name="By step").click()
    by_steps = picture(page)
    assert by_steps != whole
    page.get_by_role("button", name="Zoom in").click()
    before = picture(page)
    page.get_by_role("slider", name="Moment").press("End")
    assert picture(page) != before, "the last step comes into sight on both"


def test_traces_on_unlike_axes_move_apart(open_views: OpenViews) -> None:
    page = open_views(trace("timed"), trace("shared"), views="compare", step=3, width=1000)
    expect(page.get_by_role("button", name="Zoom in")).to_have_count(2)
    left, right = page.evaluate(PICTURES)
    page.get_by_role("button", name="Zoom in").first.click()
    settle(page)
    now = page.evaluate(PICTURES)
    assert now[0] != left
    assert now[1] == right


def test_a_side_without_steps_leaves_both_by_time(open_views: OpenViews) -> None:
    page = open_views(trace("timed"), trace("client"), views="compare", width=1000)
    expect(page.get_by_role("button", name="Zoom in")).to_have_count(1)
    expect(page.get_by_role("button", name="By step")).to_have_count(0)


def test_compare_goes_to_the_first_difference_on_both_sides(open_views: OpenViews) -> None:
    other = changed("shared", STEP, lambda step: with_row(step, 0, lambda row: row._replace(num_scheduled_tokens=2)))
    page = open_views(trace("shared"), other, views="compare")
    expect(page.locator(".compare .sum")).to_have_text("First difference: In step 7 r2 gets 1 token in A and 2 in B.")
    page.get_by_role("button", name="Go to the first difference").click()
    settle(page)
    expect(page.get_by_role("slider", name="Moment")).to_have_attribute("aria-valuetext", f"step {STEP}")
    left, right = (side.bounding_box() for side in page.locator(".side").all())
    assert left
    assert right
    assert left["y"] == right["y"]
    page.set_viewport_size({"width": PHONE, "height": 800})
    settle(page)
    left, right = (side.bounding_box() for side in page.locator(".side").all())
    assert left
    assert right
    assert right["y"] >= left["y"] + left["height"]


def test_each_view_says_whose_it_is_and_words_name_the_steps_that_differ(open_views: OpenViews) -> None:
    other = changed("shared", STEP, lambda step: with_row(step, 0, lambda row: row._replace(num_scheduled_tokens=2)))
    page = open_views(trace("shared"), other, views="compare timeline queue")
    for name in ("Timeline A", "Queue and batch A"):
        expect(page.get_by_role("group", name=name, exact=True)).to_be_visible()
    page.locator(".panel-compare summary").click()
    said = page.locator(".panel-compare .words > p")
    expect(said).to_contain_text(f"Other requests or other tokens run in step {STEP}.")
    assert page.locator("ul.legend:not([aria-label])").count() == 0


def test_a_recording_without_steps_beside_a_simulation(open_views: OpenViews) -> None:
    page = open_views(trace("timed"), trace("client"), views=f"compare {ALL}")
    expect(page.locator(".compare .quiet").first).to_have_text(
        "B has no steps, so requests are compared and not decisions."
    )
    page.get_by_role("slider", name="Moment").press("End")
    settle(page)
    expect(page.get_by_role("slider", name="Moment")).not_to_have_attribute("aria-valuetext", "before the first step")


# ---- the same requests in sight

SCROLLS = """() => [...here.shadowRoot.querySelectorAll(".side .timeline-scroll")].map(({ scrollTop }) => scrollTop)"""


def scrolled(page: Page) -> float:
    """How far both sides are scrolled."""
    settle(page)
    left, right = page.evaluate(SCROLLS)
    assert left == right
    return float(left)


@pytest.mark.parametrize("other", [crowd(4), told_otherwise(crowd(4), unit="step")], ids=["one clock", "two clocks"])
@pytest.mark.parametrize("side", [0, 1])
def test_one_side_scrolled_shows_the_same_requests_on_the_other(side: int, other: Trace, open_views: OpenViews) -> None:
    page = open_views(crowd(), other, views="compare", width=1000)
    node = page.locator(".side .timeline-scroll").nth(side)
    node.hover()
    page.mouse.wheel(0, 700)
    expect(node).to_have_js_property("scrollTop", 700)
    assert scrolled(page) == 700
    node.focus()
    page.keyboard.press("End")
    bottom = scrolled(page)
    assert bottom > 2000, "the last request is walked to, and seen on both"
    page.keyboard.press("PageUp")
    page.keyboard.press("PageUp")
    assert 700 < scrolled(page) < bottom
    page.keyboard.press("Home")
    assert scrolled(page) == 0


def test_both_go_where_the_first_runs_and_the_second_where_both_are_seen(open_views: OpenViews) -> None:
    page = open_views(crowd(), crowd(4), views="compare", width=1000)
    page.get_by_role("slider", name="Moment").press("End")
    assert scrolled(page) > 1000
    page.get_by_role("slider", name="Moment").press("Home")
    page.keyboard.press(".")
    assert scrolled(page) == 0


def test_a_workload_of_other_names_is_scrolled_by_itself(open_views: OpenViews) -> None:
    page = open_views(crowd(), told_otherwise(crowd(4), names="other"), views="compare", width=1000)
    node = page.locator(".side .timeline-scroll").first
    node.hover()
    page.mouse.wheel(0, 700)
    expect(node).to_have_js_property("scrollTop", 700)
    settle(page)
    assert page.evaluate(SCROLLS) == [700, 0]
