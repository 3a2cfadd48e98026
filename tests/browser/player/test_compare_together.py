"""Two traces on one axis show one stretch of it: what zooms, pans or fits one side does so to both."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.player.conftest import ALL, PHONE, OpenViews, settle
from tests.browser.player.test_views_compare import changed, with_row
from tests.browser.player.views_traces import trace

STEP = 7
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


def test_a_recording_without_steps_beside_a_simulation(open_views: OpenViews) -> None:
    page = open_views(trace("timed"), trace("client"), views=f"compare {ALL}")
    expect(page.locator(".compare .quiet").first).to_have_text(
        "B has no steps, so requests are compared and not decisions."
    )
    page.get_by_role("slider", name="Moment").press("End")
    settle(page)
    expect(page.get_by_role("slider", name="Moment")).not_to_have_attribute("aria-valuetext", "before the first step")
