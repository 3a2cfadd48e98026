"""How the player looks: to axe in every state, on a narrow page, in the system's colours and on paper."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import Page, expect

from tests.browser.driving import findings
from tests.browser.player.conftest import OpenTrace, settle

THEMES = ("light", "dark")


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("name", ["tight", "shared", "client", "ends", "stalled", "nobody"])
def test_axe_finds_nothing_in_any_state(open_trace: OpenTrace, name: str, theme: str) -> None:
    page = open_trace(name, color_scheme=theme)
    for toggle in page.get_by_role("group", name="Views").get_by_role("button").all():
        if toggle.get_attribute("aria-pressed") == "false":
            toggle.click()
    for summary in page.locator(".words > summary").all():
        summary.click()
    settle(page)
    assert findings(page) == []
    page.locator(".timeline-scroll").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press(">")
    settle(page)
    assert findings(page) == []


SMALL = """() => [...document.querySelector("trace-player").shadowRoot
    .querySelectorAll("button, summary, select, input")]
  .filter((one) => one.checkVisibility())
  .filter((one) => { const { width, height } = one.getBoundingClientRect(); return width < 24 || height < 24; })
  .map((one) => one.outerHTML.slice(0, 120))"""


def test_it_fits_320_pixels_with_targets_of_24(open_trace: OpenTrace) -> None:
    page = open_trace("crowd", width=320)
    for toggle in page.get_by_role("group", name="Views").get_by_role("button").all():
        if toggle.get_attribute("aria-pressed") == "false":
            toggle.click()
    settle(page)
    assert page.evaluate("document.documentElement.scrollWidth") == 320
    assert page.evaluate(SMALL) == []


def pixel(page: Page, x: int, y: int) -> int:
    """Red, green and blue of one pixel of the timeline, added up."""
    return int(
        page.evaluate(
            """([x, y]) => { const root = document.querySelector("trace-player").shadowRoot;
                const { data } = root.querySelector("canvas").getContext("2d").getImageData(x, y, 1, 1);
                return data[0] + data[1] + data[2]; }""",
            [x, y],
        )
    )


def test_forced_colours_and_print_show_the_moment(open_trace: OpenTrace) -> None:
    page = open_trace("tight", forced_colors="active")
    assert {pixel(page, 15, 39), pixel(page, 2, 2)} <= {0, 765}, "the system's colours alone"
    dark = open_trace("tight", color_scheme="dark")
    dark.evaluate("document.querySelector('trace-player').go({ step: 4 })")
    settle(dark)
    assert pixel(dark, 2, 2) < 200
    dark.emulate_media(media="print")
    settle(dark)
    assert pixel(dark, 2, 2) > 700, "paper is light"
    expect(dark.locator("span.now")).to_be_visible()
    expect(dark.get_by_role("button", name="Play")).to_be_hidden()


def test_on_paper_the_timeline_has_all_its_rows(open_trace: OpenTrace) -> None:
    page = open_trace("tight", width=600)
    drawn = "document.querySelector('trace-player').shadowRoot.querySelector('canvas').height"
    rows = page.evaluate(drawn)
    page.emulate_media(media="print")
    page.set_viewport_size({"width": 900, "height": 800})
    # What is printed may need a face that nothing else did.
    page.evaluate("document.fonts.dispatchEvent(new Event('loadingdone'))")
    settle(page)
    assert page.evaluate(drawn) == rows


def test_names_of_any_length_leave_a_phones_page_as_wide_as_it_is(open_trace: OpenTrace) -> None:
    page = open_trace("empty", width=320)
    name = "chatcmpl-" + "0f1e2d3c" * 15
    records = [
        {"format": "inside-the-batch.trace", "schema": 1, "name": name, "source": "recorded", "about": name},
        {"event": "arrived", "at": 0, "id": name, "num_prompt_tokens": 4, "max_tokens": 2, "tenant": name},
        {"event": "arrived", "at": 0, "id": f"{name}-b", "num_prompt_tokens": 4, "max_tokens": 2},
        {"event": "step", "step": 0, "at": 0, "rows": [[name, 4, 0, "new", [1]]], "why": [["no_seat", name, {}]]},
    ]
    page.evaluate(
        """async (text) => {
          here.setAttribute("views", "timeline blocks prefix queue meters");
          await here.open(text);
          here.choose({ request: 0 });
        }""",
        "\n".join(json.dumps(record) for record in records),
    )
    settle(page)
    assert page.evaluate("document.documentElement.scrollWidth") == 320
