"""The views in a browser: by keys alone, read aloud, one choice lit up in all, as a trace grows."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from coursekit.rules import rules_json
from tests.browser.driving import PROJECT
from tests.browser.player.conftest import VIEWS_OF_STATE, OpenViews, settle
from tests.browser.player.test_views_why import explained
from tests.browser.player.views_oracle import tell
from tests.browser.player.views_traces import trace

STEP = 7
"""Of the trace `shared`: r2 and r3 share three blocks, r1's last one is only cached."""


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
