"""The views in a browser: by keys alone, read aloud, on a phone, in both themes, one choice lit up in all."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from coursekit.rules import rules_json
from engine.request import Request
from engine.settings import Settings
from engine.simulate import simulate
from engine.trace import Trace
from tests.browser.driving import PROJECT, findings
from tests.browser.player.conftest import OpenTrace, settle
from tests.browser.player.test_views_compare import changed, with_row
from tests.browser.player.test_views_why import explained
from tests.browser.player.views_oracle import tell
from tests.browser.player.views_traces import trace

OpenViews = Callable[..., Page]
VIEWS_OF_STATE = "blocks prefix queue meters why"
ALL = f"timeline {VIEWS_OF_STATE}"
PHONE = 375
STEP = 7
"""Of the trace `shared`: r2 and r3 share three blocks, r1's last one is only cached."""


@pytest.fixture
def open_views(open_trace: OpenTrace) -> OpenViews:
    """A player with these views on these traces: `open_views(trace("shared"), views="blocks", step=7)`."""

    def opened(*traces: Trace, views: str = ALL, step: int | None = None, **options: Any) -> Page:
        page = open_trace("empty", **options)
        page.route("**/rules.json", lambda route: route.fulfill(json=json.loads(rules_json(PROJECT.engine))))
        page.evaluate(
            """async ([texts, views]) => {
              const player = document.querySelector("trace-player");
              player.setAttribute("views", views);
              await (texts.length > 1 ? player.openPair(...texts) : player.open(texts[0]));
            }""",
            [[one.to_jsonl() for one in traces], views],
        )
        if step is not None:
            page.evaluate("step => document.querySelector('trace-player').go({ step })", step)
        settle(page)
        return page

    return opened


@cache
def pool_of(num_blocks: int) -> Trace:
    """Twelve requests in a pool of some size."""
    settings = Settings(
        num_blocks=num_blocks, max_model_len=64, block_size=4, max_num_seqs=4, max_num_batched_tokens=64,
        startup_rule=False,
    )  # fmt: skip
    requests = [Request(f"r{k}", range(100 * k, 100 * k + 20), 6, arrival_time=k) for k in range(1, 13)]
    return simulate(settings, requests, name=f"a pool of {num_blocks - 1}")


def choose(page: Page, **choice: int | None) -> None:
    page.evaluate("choice => document.querySelector('trace-player').choose(choice)", choice)
    settle(page)


def block_map(page: Page) -> Locator:
    return page.get_by_role("slider", name="Block map")


# ---- keys


def test_the_arrow_keys_say_each_block_in_the_words_of_the_module(open_views: OpenViews, tmp_path: Path) -> None:
    said = tell(tmp_path, "blocks", trace("shared"))
    place = next(place for place, step in enumerate(trace("shared").steps()) if step.step == STEP)
    page = open_views(trace("shared"), views="blocks", step=place)
    squares = block_map(page)
    squares.focus()
    for words in said[place]["said"]:
        assert squares.get_attribute("aria-valuetext") == words
        expect(page.locator(".blocks .strip")).to_have_text(words)
        page.keyboard.press("ArrowRight")
    page.keyboard.press("Home")
    assert squares.get_attribute("aria-valuetext") == said[place]["said"][0]
    page.keyboard.press("End")
    assert squares.get_attribute("aria-valuetext") == said[place]["said"][-1]


def test_a_chosen_block_lights_up_its_holders_everywhere(open_views: OpenViews) -> None:
    place = next(place for place, step in enumerate(trace("shared").steps()) if step.step == STEP)
    page = open_views(trace("shared"), step=place)
    block_map(page).focus()
    page.keyboard.press("Enter")
    settle(page)
    expect(page.locator("[role=status]")).to_have_text("Lit up: r2 and r3.")
    pressed = page.locator(".queue .chip[aria-pressed=true]")
    expect(pressed).to_have_text(["r2", "r3"])
    expect(page.locator(".branch.lit")).to_have_count(3)
    expect(page.locator(".stack .piece.lit")).to_have_count(2)
    expect(page.locator(".square.lit")).to_have_count(7)
    page.keyboard.press("Enter")
    settle(page)
    expect(page.locator("[role=status]")).to_have_text("Nothing is chosen.")
    expect(pressed).to_have_count(0)


def test_chips_are_one_tab_stop_and_the_focus_stays_when_the_step_changes(open_views: OpenViews) -> None:
    page = open_views(trace("tight"), views="queue", step=3)
    chips = page.get_by_role("group", name="Running").get_by_role("button")
    expect(chips).not_to_have_count(0)
    assert chips.evaluate_all("all => all.filter(({ tabIndex }) => tabIndex === 0).length") == 1
    chips.first.focus()
    page.keyboard.press("ArrowRight")
    expect(chips.nth(1)).to_be_focused()
    page.keyboard.press("Enter")
    settle(page)
    expect(chips.nth(1)).to_have_attribute("aria-pressed", "true")
    name = chips.nth(1).inner_text()
    page.evaluate("document.querySelector('trace-player').go({ step: 4 })")
    settle(page)
    assert page.evaluate("document.querySelector('trace-player').shadowRoot.activeElement.textContent") == name


def test_the_prefix_tree_reads_its_branches_and_chooses_one(open_views: OpenViews) -> None:
    place = next(place for place, step in enumerate(trace("shared").steps()) if step.step == STEP)
    page = open_views(trace("shared"), views="prefix", step=place)
    branches = page.get_by_role("group", name="Prefix tree").get_by_role("button")
    branches.first.focus()
    words = "3 blocks of 4 tokens after 0 blocks: shared by 2: r2 and r3."
    expect(branches.first).to_have_accessible_name(words)
    expect(page.locator(".prefix .strip")).to_have_text(words)
    page.keyboard.press("ArrowDown")
    expect(branches.nth(1)).to_be_focused()
    page.keyboard.press("Enter")
    settle(page)
    expect(page.locator(".branch.lit")).to_have_count(2)


def test_each_reason_has_a_link_to_its_line(open_views: OpenViews) -> None:
    page = open_views(explained(), views="why", step=0)
    first = explained().steps()[0].why
    items = page.locator(".reasons li")
    expect(items).to_have_count(len(first))
    rule = json.loads(rules_json(PROJECT.engine))[first[0].rule]
    link = items.first.get_by_role("link")
    expect(link).to_contain_text(f"{rule['module']}, line {rule['line']}")
    assert link.evaluate("link => link.href").endswith(rule["url"].removeprefix("../../"))


# ---- in words


@pytest.mark.parametrize("view", ["blocks", "queue", "prefix", "meters"])
def test_the_table_in_words_says_what_the_module_says(view: str, open_views: OpenViews, tmp_path: Path) -> None:
    told = tell(tmp_path, "words", trace("shared"), {"view": view})[4]
    page = open_views(trace("shared"), views=view, step=4)
    words = page.locator(f".panel-{view} > details.words")
    words.locator("summary").click()
    expect(words.locator("> p")).to_have_text(told["sentence"])
    tables = words.locator("table")
    expect(tables).to_have_count(len(told["tables"]))
    for table, wanted in zip(tables.all(), told["tables"], strict=True):
        assert table.locator("caption").inner_text() == wanted["caption"]
        assert table.locator("thead th").all_inner_texts() == wanted["heads"]
        rows = [row.locator("th, td").all_inner_texts() for row in table.locator("tbody tr").all()]
        assert rows == wanted["rows"]


# ---- two traces


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


def test_every_view_says_what_a_trace_without_steps_and_blocks_lacks(open_views: OpenViews) -> None:
    page = open_views(trace("client"))
    page.get_by_role("slider", name="Moment").press("End")
    settle(page)
    expect(page.locator(".panel-blocks")).to_contain_text("This trace knows nothing of blocks.")
    expect(page.locator(".panel-prefix")).to_contain_text("doesn't tell who shares which")
    expect(page.locator(".panel-queue")).to_contain_text("The trace has no steps")
    expect(page.locator(".panel-why")).to_contain_text("This trace has no steps")
    expect(page.locator(".panel-meters")).to_contain_text("n\u00a0=\u00a02")


def test_a_trace_that_comes_in_pieces_ends_up_as_one_that_came_whole(open_views: OpenViews) -> None:
    whole = explained()
    step = len(whole.steps()) - 1
    page = open_views(whole, views=VIEWS_OF_STATE, step=step)
    expect(page.locator(".panel-why a").first).to_be_visible()
    wanted = {view: page.locator(f".panel-{view}").text_content() or "" for view in VIEWS_OF_STATE.split()}
    header, *records = [json.loads(line) for line in whole.to_jsonl().splitlines()]
    page.evaluate(
        """async ([header, records]) => {
          const run = document.querySelector("trace-player").begin(header);
          for (const record of records) {
            run.append([record]);
            await new Promise((go) => requestAnimationFrame(go));
          }
          run.end({ complete: true });
        }""",
        [header, records],
    )
    page.evaluate("step => document.querySelector('trace-player').go({ step })", step)
    for view, text in wanted.items():
        expect(page.locator(f".panel-{view}")).to_have_text(text)


# ---- how it looks


@pytest.mark.parametrize("lendable", [10, 199, 4_000, 100_000])
def test_the_block_map_is_usable_on_a_phone(lendable: int, open_views: OpenViews) -> None:
    page = open_views(pool_of(lendable + 1), views="blocks", step=5, width=PHONE)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE
    box = page.locator(".squares").bounding_box()
    assert box
    assert box["height"] <= 330
    count = page.locator(".square").count()
    each = -(-lendable // count)
    assert (box["width"] * box["height"] / count) ** 0.5 >= 10, "a square can be seen and touched"
    squares = block_map(page)
    squares.focus()
    page.keyboard.press("End")
    last = squares.get_attribute("aria-valuetext") or ""
    assert f"{lendable:,}" in last
    if each > 1:
        expect(page.locator(".blocks > .quiet")).to_contain_text("Each square stands for")
    page.mouse.click(box["x"] + 5, box["y"] + 5)
    settle(page)
    expect(page.locator(".blocks .strip")).to_contain_text("Block")


def test_trees_of_many_salts_are_no_longer_than_one_of_many_branches(open_views: OpenViews) -> None:
    settings = Settings(num_blocks=400, max_model_len=64, block_size=4, max_num_seqs=4, startup_rule=False)
    requests = [Request(f"r{k}", range(20), 2, cache_salt=f"salt {k}", arrival_time=k) for k in range(60)]
    page = open_views(simulate(settings, requests, name="salts"), views="prefix")
    page.get_by_role("slider", name="Moment").press("End")
    settle(page)
    box = page.locator(".trees").bounding_box()
    assert box
    assert box["height"] < 1400
    drawn = page.locator(".tree").count()
    assert 10 < drawn < 60
    expect(page.locator(".trees > .quiet")).to_contain_text(f"{60 - drawn} more branches not drawn")
    page.locator(".panel-prefix summary").click()
    expect(page.locator(".panel-prefix tbody tr").nth(59)).to_be_attached()


def test_the_rows_in_words_stand_for_as_many_blocks_as_the_squares(open_views: OpenViews) -> None:
    page = open_views(pool_of(100_001), views="blocks", step=5, width=1000)
    page.locator(".panel-blocks details.words summary").click()
    assert float(page.locator(".square .fill").first.get_attribute("height") or 0) >= 2, "a few held ones are seen"
    for width in (1000, PHONE):
        page.set_viewport_size({"width": width, "height": 900})
        settle(page)
        said = page.locator(".blocks > .quiet").inner_text().split(":")[0]
        assert said.startswith("Each square stands for ")
        expect(page.locator(".panel-blocks .words > p")).to_contain_text(f"{said}.")
        table = page.locator(".panel-blocks table").nth(1)
        expect(table.locator("caption")).to_contain_text(f"{said.removeprefix('Each square stands for ')} each")
        squares = [int(row.split("\t")[1].replace(",", "")) for row in table.locator("tbody tr").all_inner_texts()]
        assert sum(squares) == page.locator(".square").count()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [PHONE, 1000])
def test_axe_finds_nothing_in_any_state(scheme: str, width: int, open_views: OpenViews) -> None:
    place = next(place for place, step in enumerate(trace("shared").steps()) if step.step == STEP)
    page = open_views(trace("shared"), step=place, width=width, color_scheme=scheme)
    assert findings(page) == []
    for summary in page.locator("details.words summary:visible").all():
        summary.click()
    choose(page, request=None, block=1)
    assert findings(page) == []
    choose(page, request=0, block=None)
    assert findings(page) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_in_reasons_and_comparison(scheme: str, open_views: OpenViews) -> None:
    page = open_views(explained(), views="why queue prefix", step=6, color_scheme=scheme)
    assert findings(page) == []
    page = open_views(trace("timed"), trace("timed"), views="compare", step=6, color_scheme=scheme)
    page.locator(".panel-compare details.words summary").click()
    assert findings(page) == []


def test_forced_colours_leave_shapes_and_letters(open_views: OpenViews) -> None:
    place = next(place for place, step in enumerate(trace("shared").steps()) if step.step == STEP)
    page = open_views(trace("shared"), step=place, forced_colors="active")
    edges = page.locator(".square .edge").evaluate_all("all => all.map((edge) => getComputedStyle(edge).stroke)")
    assert len(set(edges)) == 1
    assert page.locator(".square text").all_inner_texts() or page.locator(".square text").count()
    assert findings(page) == []


def test_no_word_of_a_view_is_wider_than_a_phone(open_views: OpenViews) -> None:
    page = open_views(explained(), trace("shared"), views=f"compare {ALL}", step=5, width=320)
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
