"""What the player opens, from wherever it comes, and how it is unharmed by what is no trace."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.driving import findings
from tests.browser.player.conftest import OpenTrace, listen_for, now, said, settle
from tests.browser.player.player_traces import TRACES


def test_its_own_markup_says_where_it_opens(open_trace: OpenTrace) -> None:
    page = open_trace("empty")
    page.evaluate(
        """() => { const one = document.querySelector("trace-player");
            const given = { moment: "step:3", choice: "r2", src: "tight.trace.jsonl" };
            for (const [name, value] of Object.entries(given)) one.setAttribute(name, value); }"""
    )
    expect(page.locator("span.now")).to_have_text("step 3")
    expect(page.locator(".timeline .strip")).to_contain_text("r2")
    expect(page.get_by_text("What is here without the player")).to_be_hidden()


def test_who_reads_on_isnt_told_of_a_player_that_opens_at_a_moment(open_trace: OpenTrace) -> None:
    page = open_trace("empty")
    page.evaluate("here.setAttribute('moment', 'step:3')")
    page.evaluate("here.src = 'tight.trace.jsonl'")
    expect(page.locator("span.now")).to_have_text("step 3")
    assert said(page) == ""
    page.evaluate("here.setAttribute('moment', 'step:4')")
    expect(page.locator("[role=status]")).to_contain_text("Step 4: ")


BAD = {
    "empty": ("", "this.trace.jsonl: got an empty file, expected a trace"),
    "csv": ("id,at\nr1,0\n", "this.trace.jsonl, line 1: got a table (CSV) with the columns id,at"),
    "bench": ('{"request_throughput": 1.5}', "line 1: got a result of vLLM's benchmark"),
    "page": ("<!doctype html><p>Hello</p>", "line 1: got a page or a picture"),
    "cut": (TRACES["plain"]().to_jsonl()[:-9], "expected a JSON object on one line"),
}


@pytest.mark.parametrize("name", sorted(BAD))
def test_what_is_no_trace_is_said_and_what_was_open_stays(open_trace: OpenTrace, name: str) -> None:
    text, words = BAD[name]
    page = open_trace("plain")
    listen_for(page, "trace-problem")
    problem = page.evaluate(
        """(text) => document.querySelector("trace-player").open(text, { name: "this.trace.jsonl" })
            .then(() => null, ({ name, message }) => ({ name, message }))""",
        text,
    )
    assert problem["name"] == "TraceProblem"
    assert words in problem["message"]
    expect(page.locator(".problem")).to_contain_text(words)
    assert said(page) == problem["message"], "it is read out, too"
    assert page.evaluate("heard") == [{"message": problem["message"]}]
    expect(page.locator(".player")).to_be_visible()
    page.keyboard.press("Tab")
    page.keyboard.press(".")
    assert now(page) == "step 0"
    assert findings(page) == []
    page.evaluate("(text) => document.querySelector('trace-player').open(text)", TRACES["tight"]().to_jsonl())
    expect(page.locator(".problem")).to_have_count(0)


def test_bytes_an_absent_file_and_a_file_that_is_too_large_are_said(
    open_trace: OpenTrace, complaints: list[str]
) -> None:
    page = open_trace("empty")
    tell = """(source) => document.querySelector("trace-player").open(source).catch((problem) => problem.message)"""
    binary = page.evaluate(f"({tell})(new File([new Uint8Array([255, 254, 0])], 'x.gz'))")
    assert binary.startswith("x.gz: got bytes that are no text")
    huge = "Object.defineProperty(new File([], 'huge'), 'size', { value: 3e9 })"
    assert "got 2862 MB, expected at most 256 MB" in page.evaluate(f"({tell})({huge})")
    page.evaluate("document.querySelector('trace-player').src = 'nowhere.trace.jsonl'")
    expect(page.locator(".problem")).to_contain_text("nowhere.trace.jsonl could not be loaded (status 404)")
    expect(page.get_by_text("What is here without the player")).to_be_visible()
    assert [each for each in complaints if "404" not in each] == []
    complaints.clear()


def test_a_trace_may_come_as_it_happens(open_trace: OpenTrace) -> None:
    page = open_trace("empty")
    page.evaluate(
        """() => { const player = document.querySelector("trace-player");
            const header = { format: "inside-the-batch.trace", schema: 1, name: "now", source: "live", unit: "ns" };
            window.feed = player.begin(header);
            feed.append([{ event: "arrived", at: 0, id: "a", num_prompt_tokens: 4, max_tokens: 9 }]); }"""
    )
    expect(page.locator(".badge")).to_have_text("Live, running")
    step = "{ event: 'step', step: %d, at: %d, duration: 5, rows: [['a', 1, %d]] }"
    page.evaluate(f"feed.append([{step % (0, 5, 0)}, {step % (1, 10, 1)}])")
    expect(page.locator("span.now")).to_have_text("step 1, 10 ns")
    page.keyboard.press("Tab")
    page.keyboard.press("<")
    page.evaluate(f"feed.append([{step % (2, 15, 2)}])")
    settle(page)
    assert now(page) == "before the first step", "who looks back isn't torn away"
    page.evaluate("feed.gap({ from: 20, to: 40, lost: 3 })")
    expect(page.locator(".note")).to_have_text("1 stretch of it is lost.")
    page.evaluate("feed.end({ complete: false, why: 'the server went away' })")
    expect(page.locator(".note")).to_have_text("Not whole: the server went away. 1 stretch of it is lost.")
    assert said(page) == page.locator(".note").inner_text()
    expect(page.locator(".badge")).to_have_text("Live")
    assert (
        page.evaluate(
            "(() => { try { feed.append([{ event: 'slept' }]); } catch (problem) { return problem.name; } })()"
        )
        == "TraceProblem"
    )
    assert findings(page) == []


def test_a_player_that_is_moved_goes_on_where_it_stood(open_trace: OpenTrace) -> None:
    page = open_trace("tight")
    page.evaluate(
        """() => { const player = document.querySelector("trace-player");
            player.go({ step: 5 });
            player.choose({ request: 1 });
            player.remove();
            window.kept = player; }"""
    )
    page.evaluate("document.querySelector('main').append(kept)")
    assert now(page) == "step 6"
    expect(page.locator(".timeline .strip")).to_contain_text("r2")
    expect(page.locator(".player")).to_have_count(1)


def test_a_trace_may_be_opened_before_the_player_is_on_the_page(open_trace: OpenTrace) -> None:
    page = open_trace("empty")
    page.evaluate(
        """() => { window.late = document.createElement("trace-player");
            const header = { format: "inside-the-batch.trace", schema: 1, name: "late", source: "live" };
            const feed = late.begin(header);
            feed.append([{ event: "arrived", at: 0, id: "a", num_prompt_tokens: 1, max_tokens: 9 }]);
            feed.append([{ event: "step", step: 0, at: 0, rows: [["a", 1, 0]] }]);
            document.querySelector("main").append(late); }"""
    )
    assert now(page) == "step 0"
