"""The timeline under a hand and under the keys: exact values, zoom, pan, ten thousand rows, a link between views."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import Page, expect

from tests.browser.player.conftest import OpenTrace, settle

TIMELINE = ".timeline-scroll"


def strip(page: Page) -> str:
    settle(page)
    return page.locator(".timeline .strip").inner_text().replace("\u00a0", " ")


def said(page: Page) -> str:
    return page.locator("[role=status]").inner_text().strip()


def canvas(page: Page) -> str:
    """What is drawn, as text that changes when it does."""
    settle(page)
    return str(page.locator(f"{TIMELINE} canvas").evaluate("(canvas) => canvas.toDataURL()"))


def point(page: Page, x: float, y: float) -> None:
    """Move the pointer to a place within the timeline."""
    box = page.locator(TIMELINE).bounding_box()
    assert box
    page.mouse.move(box["x"] + x, box["y"] + y)


def test_a_pointer_reads_exact_values_and_a_click_chooses(open_trace: OpenTrace) -> None:
    page = open_trace("plain")
    point(page, 400, 39 + 26)
    assert strip(page) == "b, decoding; steps 1 to 3; 3 tokens."
    point(page, 400, 300)
    assert strip(page).startswith("4 requests in 6 steps: 4 finished.")
    point(page, 120, 39)
    page.mouse.down()
    page.mouse.up()
    point(page, 5, 300)
    assert strip(page) == "a, prompt; step 0; 1 token."


def test_times_are_given_with_all_their_digits(open_trace: OpenTrace) -> None:
    page = open_trace("unfinished")
    point(page, 250, 39)
    assert strip(page) == "a, prompt; step 0; from 1 ms to 3 ms, 2 ms in all; 4 tokens."
    point(page, 800, 39 + 26)
    assert strip(page) == "b, waiting; since step 1; from 4 ms and goes on, 2 ms in all."


def test_the_arrow_keys_walk_among_requests_and_stretches_and_say_where_they_are(open_trace: OpenTrace) -> None:
    page = open_trace("tight")
    page.locator(TIMELINE).focus()
    page.keyboard.press("ArrowDown")
    assert said(page) == "r1: arrived at 1; 7 prompt tokens, at most 8 to answer; finished at 9 after 8 tokens."
    for _ in range(2):
        page.keyboard.press("ArrowDown")
    stretches = [strip(page)]
    for _ in range(5):
        page.keyboard.press("ArrowRight")
        assert said(page) == strip(page)
        stretches.append(strip(page))
    assert [words.split("; ")[0] for words in stretches] == [
        *("r3, waiting", "r3, prompt", "r3, decoding"),
        *("r3, preempted", "r3, computed again", "r3, decoding"),
    ]
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Enter")
    expect(page.locator("span.now")).to_have_text("step 5")
    page.keyboard.press("End")
    assert said(page).startswith("r4: ")
    page.keyboard.press("Home")
    assert said(page).startswith("r1: ")


def test_zoom_and_pan_by_buttons_keys_wheel_drag_and_fingers(open_trace: OpenTrace) -> None:
    page = open_trace("timed", has_touch=True)
    whole = canvas(page)
    page.get_by_role("button", name="Zoom in").click()
    closer = canvas(page)
    assert closer != whole
    page.get_by_role("button", name="Whole trace").click()
    assert canvas(page) == whole
    page.locator(TIMELINE).focus()
    focused = canvas(page)
    page.keyboard.press("+")
    page.keyboard.press("Shift+ArrowRight")
    assert canvas(page) != focused
    page.keyboard.press("0")
    assert canvas(page) == focused
    point(page, 400, 100)
    page.keyboard.down("Control")
    page.mouse.wheel(0, -200)
    page.keyboard.up("Control")
    zoomed = canvas(page)
    page.mouse.wheel(80, 0)
    panned = canvas(page)
    assert len({focused, zoomed, panned}) == 3
    page.mouse.down()
    point(page, 500, 100)
    page.mouse.up()
    assert canvas(page) not in (zoomed, panned)
    assert strip(page).startswith("12 requests"), "a drag chooses nothing"
    page.keyboard.press("0")
    pinch(page)
    assert canvas(page) != focused


def pinch(page: Page) -> None:
    """Two fingers move apart."""
    box = page.locator(TIMELINE).bounding_box()
    assert box
    devtools = page.context.new_cdp_session(page)
    x, y = box["x"] + 400, box["y"] + 100
    for kind, away in (("touchStart", 40), ("touchMove", 80), ("touchMove", 160), ("touchEnd", None)):
        points = [] if away is None else [{"x": x - away, "y": y, "id": 1}, {"x": x + away, "y": y, "id": 2}]
        devtools.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})


def test_the_ruler_takes_the_moment_along(open_trace: OpenTrace) -> None:
    page = open_trace("plain")
    point(page, 400, 10)
    page.mouse.down()
    first = page.locator("span.now").inner_text()
    point(page, 850, 10)
    page.mouse.up()
    expect(page.locator("span.now")).to_have_text("step 5")
    assert first != "step 5"


def test_the_axis_counts_steps_where_one_asks_for_it(open_trace: OpenTrace) -> None:
    page = open_trace("ends")
    by_time = canvas(page)
    page.get_by_role("button", name="By step").click()
    assert canvas(page) != by_time
    expect(page.get_by_role("button", name="By step")).to_have_attribute("aria-pressed", "true")
    page.get_by_role("button", name="By time").click()
    assert open_trace("plain").get_by_role("button", name="By step").count() == 0


@pytest.mark.parametrize("how", ["moment", "choice"])
def test_what_runs_and_what_is_chosen_is_brought_into_sight(open_trace: OpenTrace, how: str) -> None:
    page = open_trace("crowd")
    act = "go({ step: Infinity })" if how == "moment" else "choose({ request: 90 })"
    page.evaluate(f"document.querySelector('trace-player').{act}")
    settle(page)
    assert page.locator(TIMELINE).evaluate("(node) => node.scrollTop") > 1000


def test_ten_thousand_rows_scroll(open_trace: OpenTrace) -> None:
    page = open_trace("empty")
    header = {"format": "inside-the-batch.trace", "schema": 1, "name": "many", "source": "recorded"}
    lines = [json.dumps(header)]
    lines += [
        json.dumps({"event": "arrived", "at": k, "id": f"q{k}", "num_prompt_tokens": 1, "max_tokens": 1})
        for k in range(10_000)
    ]
    page.evaluate("(text) => document.querySelector('trace-player').open(text)", "\n".join(lines))
    timeline = page.locator(TIMELINE)
    timeline.evaluate("(node) => node.scrollTo(0, 1e9)")
    point(page, 20, 300)
    page.mouse.down()
    page.mouse.up()
    assert strip(page).startswith("q99")
    timeline.focus()
    page.keyboard.press("End")
    assert said(page).startswith("q9999: ")
    page.keyboard.press("PageUp")
    assert said(page).startswith("q9989: ")


def test_a_chosen_block_lights_its_holders(open_trace: OpenTrace) -> None:
    page = open_trace("shared")
    page.evaluate("document.querySelector('trace-player').go({ step: 4 })")
    plain = canvas(page)
    page.evaluate("document.querySelector('trace-player').choose({ block: 1 })")
    assert canvas(page) != plain


def test_a_prompt_in_many_chunks_is_seen_in_the_readers_own_colours(open_trace: OpenTrace) -> None:
    head = {"format": "inside-the-batch.trace", "schema": 1, "name": "chunks", "source": "simulated"}
    arrived = {"event": "arrived", "at": 0, "id": "a", "num_prompt_tokens": 2000, "max_tokens": 9}
    steps = [{"event": "step", "step": n, "at": n, "rows": [["a", 1, n]]} for n in range(1_500)]
    page = open_trace("empty", forced_colors="active")
    page.evaluate(
        "text => document.querySelector('trace-player').open(text)",
        "\n".join(json.dumps(record) for record in (head, arrived, *steps)),
    )
    settle(page)
    colours = page.evaluate(
        """() => {
            const canvas = document.querySelector("trace-player").shadowRoot.querySelector("canvas");
            const at = (y) => [...canvas.getContext("2d").getImageData(canvas.width / 2, y, 1, 1).data].join();
            return [at(39), at(70)];
        }"""
    )
    assert colours[0] != colours[1], "the row is filled, and below it is paper"
