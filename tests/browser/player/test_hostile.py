"""Traces that no server writes, and pages that do what no page should, leave the player and its page whole."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.player.conftest import OpenTrace, settle
from tests.browser.player.views_traces import trace

Records = list[dict[str, Any]]
MANY = 150_000
"""More than a call may have arguments."""


def header(**settings: Any) -> dict[str, Any]:
    given = {"block_size": 1, "enable_prefix_caching": True, **settings}
    return {"format": "inside-the-batch.trace", "schema": 1, "name": "odd", "source": "simulated", "settings": given}


def arrived(*names: str) -> Iterator[dict[str, Any]]:
    for name in names:
        yield {"event": "arrived", "at": 0, "id": name, "num_prompt_tokens": 8, "max_tokens": 9}


def step(number: int, *rows: list[Any]) -> dict[str, Any]:
    return {"event": "step", "step": number, "at": number, "rows": list(rows)}


def finished(name: str, at: int) -> dict[str, Any]:
    return {"event": "finished", "at": at, "id": name, "reason": "stop", "num_output_tokens": 1}


def many_rows() -> Records:
    names = [f"r{number}" for number in range(MANY)]
    first = step(0, *([name, 1, 0, "new", [], [1]] for name in names))
    return [header(num_blocks=9), *arrived(*names), first, step(1, ["r0", 1, 1])]


def comb() -> Records:
    """Three thousand requests, each sharing a block more than the one before."""
    names = [f"r{number}" for number in range(3_000)]
    rows = [[name, 1, 0, "new", [3_000 + number], list(range(1, number + 1))] for number, name in enumerate(names)]
    return [header(num_blocks=9_000), *arrived(*names), step(0, *rows), step(1)]


def backwards() -> Records:
    """A cached chain, handed out from its highest block down."""
    row = ["a", 50_000, 0, "new", list(range(50_000, 0, -1))]
    return [header(num_blocks=60_000), *arrived("a"), step(0, row), finished("a", 1), step(1)]


def names() -> Records:
    """A name as long as a book, and one that is a tag."""
    odd = ["x" * 50_000, "<img src=x onerror=alert(1)>", "__proto__", ""]
    rows = [[name, 1, 0, "new", [number + 1]] for number, name in enumerate(odd)]
    return [header(num_blocks=9), *arrived(*odd), step(0, *rows), step(1)]


def lanes() -> Records:
    """Sixty-four replicas that each use the last of sixteen million blocks."""
    ids = [f"r{number}" for number in range(64)]
    steps = [step(0, [name, 1, 0, "new", [2**24 - 1]]) | {"lane": f"lane {name}"} for name in ids]
    return [header(num_blocks=2**24), *arrived(*ids), *steps]


ODD: dict[str, Callable[[], Records]] = {made.__name__: made for made in (backwards, names, lanes, many_rows, comb)}
LARGE = ("many_rows", "comb")


def look_everywhere(page: Page) -> None:
    page.evaluate(
        """async () => {
            const frame = () => new Promise((go) => requestAnimationFrame(() => setTimeout(go)));
            const player = document.querySelector("trace-player");
            for (const words of player.shadowRoot.querySelectorAll("details.words")) words.open = true;
            const last = player.model.steps.count - 1;
            for (const moment of [{ step: 0 }, { step: last }, { step: 0 }]) {
                player.go(moment);
                await frame();
            }
            for (const choice of [{ request: 0, block: null }, { request: null, block: 1 }]) {
                player.choose(choice);
                await frame();
            }
        }"""
    )


@pytest.mark.parametrize("name", [pytest.param(name, marks=[pytest.mark.long] * (name in LARGE)) for name in ODD])
def test_every_view_shows_it_and_the_page_keeps_its_width(name: str, open_trace: OpenTrace) -> None:
    page = open_trace("empty")
    page.set_default_timeout(30_000)
    text = "".join(f"{json.dumps(record)}\n" for record in ODD[name]())
    page.evaluate(
        """async (text) => {
            const player = document.querySelector("trace-player");
            player.setAttribute("views", "timeline blocks prefix queue meters why");
            await player.open(text);
        }""",
        text,
    )
    settle(page)
    look_everywhere(page)
    settle(page)
    expect(page.locator(".panel:visible")).to_have_count(6)
    assert page.evaluate("document.documentElement.scrollWidth") <= 900
    assert all(page.locator(".panel .words > p").all_inner_texts())


def test_a_player_that_is_moved_while_it_reads_shows_what_it_was_given(open_trace: OpenTrace) -> None:
    page = open_trace("empty")
    page.evaluate(
        """async (text) => {
            const player = document.querySelector("trace-player");
            const opened = player.open(new Blob([text]));
            player.remove();
            await new Promise((go) => setTimeout(go));
            document.querySelector("main").append(player);
            await opened;
        }""",
        trace("timed").to_jsonl(),
    )
    expect(page.locator(".title strong")).to_have_text("timed")


def test_a_drag_goes_on_over_a_resize_and_ends_with_the_player(open_trace: OpenTrace) -> None:
    page = open_trace("timed")
    page.get_by_role("button", name="Zoom in").click()
    box = page.locator(".timeline-scroll").bounding_box()
    assert box
    page.mouse.move(box["x"] + 400, box["y"] + 60)
    page.mouse.down()
    page.mouse.move(box["x"] + 300, box["y"] + 60, steps=3)
    page.set_viewport_size({"width": 500, "height": 900})
    settle(page)
    page.mouse.move(box["x"] + 200, box["y"] + 60, steps=3)
    assert page.locator("canvas").evaluate("node => node.offsetWidth - node.parentElement.clientWidth") == 0
    page.evaluate("() => { window.kept = document.querySelector('trace-player'); window.kept.remove(); }")
    page.mouse.up()
    page.evaluate("document.querySelector('main').append(window.kept)")
    settle(page)
    expect(page.locator(".title strong")).to_have_text("timed")


def test_a_press_that_is_let_go_elsewhere_is_over_and_selects_nothing(open_trace: OpenTrace) -> None:
    page = open_trace("timed")
    page.get_by_role("button", name="Zoom in").click()
    settle(page)
    box = page.locator(".timeline-scroll").bounding_box()
    assert box
    seen = "document.querySelector('trace-player').shadowRoot.querySelector('canvas').toDataURL()"
    page.mouse.move(box["x"] + 300, box["y"] + 60)
    page.mouse.down()
    page.mouse.move(box["x"] + 300, box["y"] + box["height"] + 90)
    page.mouse.up()
    assert page.evaluate("getSelection().toString()") == ""
    page.mouse.move(box["x"] + 300, box["y"] + 60)
    page.mouse.move(5, 5)
    settle(page)
    before = page.evaluate(seen)
    page.mouse.move(box["x"] + 300, box["y"] + 60)
    page.mouse.move(box["x"] + 200, box["y"] + 60, steps=3)
    page.mouse.move(5, 5)
    settle(page)
    assert page.evaluate(seen) == before, "nothing is pressed any more, so nothing is dragged"
