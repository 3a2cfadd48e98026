"""The timeline of a dozen traces as it was when it was looked at, in both themes; its table says the same."""

from __future__ import annotations

import pytest

from engine.metrics.requests import request_times
from engine.trace import Step
from tests.browser.player.conftest import OpenTrace, settle
from tests.browser.player.golden import looks_like
from tests.browser.player.player_traces import TRACES

MIDDLE = """() => { const player = document.querySelector("trace-player");
  const { steps, requests, end } = player.model;
  player.go(steps.count ? { step: steps.count >> 1 } : { at: end / 2 });
  if (requests.count > 1) player.choose({ request: 1 }); }"""


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("name", sorted(TRACES))
def test_the_timeline_looks_as_it_did(open_trace: OpenTrace, name: str, theme: str) -> None:
    page = open_trace(name, width=640, color_scheme=theme)
    page.evaluate(MIDDLE)
    settle(page)
    looks_like(page.locator(".timeline-scroll"), f"timeline-{name}-{theme}")


@pytest.mark.parametrize("name", sorted(TRACES))
def test_its_table_says_what_the_trace_says(open_trace: OpenTrace, name: str) -> None:
    page, made = open_trace(name), TRACES[name]()
    page.locator(".panel-timeline summary").click()
    page.evaluate(MIDDLE)
    settle(page)
    times = request_times(made)
    preempted = {name for step in made.steps() for name in step.preempted}
    rows = page.locator(".panel-timeline table").first.locator("tbody tr").all_inner_texts()
    assert len(rows) == len(times)
    for row, one in zip(rows, times, strict=True):
        cells = row.split("\t")
        assert cells[0] == one.id
        assert cells[-1].startswith(WORDS[one.outcome]), row
        assert (cells[5] == "no") == (one.id not in preempted), row
    sentence = page.locator(".panel-timeline .words > p").inner_text()
    assert sentence.startswith(f"{len(times):,} request")
    if made.steps():
        assert f"in {len(made.steps()):,} step" in sentence
    if len(times) > 1:
        table = page.locator(".panel-timeline table").nth(1)
        tokens = sum(row.num_scheduled_tokens for step in made.of(Step) for row in step.rows if row.id == times[1].id)
        stretches = [line.split("\t") for line in table.locator("tbody tr").all_inner_texts()]
        if made.steps():
            assert sum(int(stretch[4].replace(",", "")) for stretch in stretches) == tokens


WORDS = {
    "finished": "finished",
    "timed_out": "timed out",
    "rejected": "rejected",
    "cancelled": "cancelled",
    "unfinished": "goes on",
}
