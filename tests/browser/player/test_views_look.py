"""How the views look: on a phone, in both themes, to axe, in the system's colours."""

from __future__ import annotations

from functools import cache

import pytest
from playwright.sync_api import expect

from engine.request import Request
from engine.settings import Settings
from engine.simulate import simulate
from engine.trace import Trace
from tests.browser.driving import findings
from tests.browser.player.conftest import ALL, PHONE, OpenViews, settle
from tests.browser.player.test_views_page import STEP, block_map, choose
from tests.browser.player.test_views_why import explained
from tests.browser.player.views_traces import trace


@cache
def pool_of(num_blocks: int) -> Trace:
    """Twelve requests in a pool of some size."""
    settings = Settings(
        num_blocks=num_blocks, max_model_len=64, block_size=4, max_num_seqs=4, max_num_batched_tokens=64,
        startup_rule=False,
    )  # fmt: skip
    requests = [Request(f"r{k}", range(100 * k, 100 * k + 20), 6, arrival_time=k) for k in range(1, 13)]
    return simulate(settings, requests, name=f"a pool of {num_blocks - 1}")


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


def test_a_tree_of_more_branches_than_a_call_takes_arguments_is_drawn(open_views: OpenViews) -> None:
    page = open_views(views="prefix")
    page.evaluate(
        """() => {
          const ids = Array.from({ length: 130_000 }, (_, place) => `r${place}`);
          const settings = { num_blocks: 130_001, block_size: 4 };
          const head = { format: "inside-the-batch.trace", schema: 1, name: "wide", source: "simulated", settings };
          const feed = here.begin(head);
          feed.append(ids.map((id) => ({ event: "arrived", at: 0, id, num_prompt_tokens: 4, max_tokens: 1 })));
          const rows = ids.map((id, place) => [id, 4, 0, "new", [place + 1]]);
          feed.append([{ event: "step", step: 0, at: 0, rows }]);
        }"""
    )
    expect(page.locator(".branch")).to_have_count(40)
    expect(page.locator(".trees > .quiet")).to_contain_text("129,960 more branches not drawn")


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
    looks = "all => all.map((one) => getComputedStyle(one)).map((look) => look.borderColor + look.borderStyle)"
    for drawn in ("branch.alone", "branch.cached"):
        piece = page.locator(f".{drawn}").evaluate_all(looks)[0]
        swatch = page.locator(f".prefix .swatch.{drawn.removeprefix('branch.')}").evaluate_all(looks)
        assert swatch == [piece], f"the legend shows {drawn} as it is drawn"
    assert page.locator(".square text").all_inner_texts() or page.locator(".square text").count()
    assert findings(page) == []


def test_no_word_of_a_view_is_wider_than_a_phone(open_views: OpenViews) -> None:
    page = open_views(explained(), trace("shared"), views=f"compare {ALL}", step=5, width=320)
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
