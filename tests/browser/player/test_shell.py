"""The player's shell: driven by pointer and by keys alone, read aloud, linked to, and unharmed by what is no trace."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import Page, expect

from tests.browser.driving import findings
from tests.browser.player.conftest import OpenTrace, settle
from tests.browser.player.player_traces import TRACES

THEMES = ("light", "dark")


def now(page: Page) -> str:
    settle(page)
    return page.locator("span.now").inner_text()


def said(page: Page) -> str:
    return page.locator("[role=status]").inner_text().strip()


def listen_for(page: Page, name: str) -> None:
    """Keep the details of an event from here on, in `window.heard`."""
    page.evaluate(
        "(name) => { window.heard = []; addEventListener(name, ({ detail }) => window.heard.push(detail)); }", name
    )


def test_the_keyboard_alone_drives_everything(open_trace: OpenTrace) -> None:
    page = open_trace("tight")
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Copy a link")).to_be_focused()
    assert now(page) == "before the first step"
    page.keyboard.press(".")
    page.keyboard.press(".")
    assert now(page) == "step 2"
    assert said(page).startswith("Step 2: ")
    page.keyboard.press(",")
    assert now(page) == "step 1"
    page.keyboard.press(">")
    last = now(page)
    page.keyboard.press("<")
    assert now(page) == "before the first step"
    page.get_by_label("Kind of event").select_option("preemption")
    page.get_by_role("button", name="Next preemption").focus()
    page.keyboard.press("n")
    assert "preempted" in said(page)
    page.keyboard.press("p")
    assert said(page) == "No earlier preemption."
    page.get_by_label("Kind of event").select_option("arrival")
    page.get_by_role("button", name="Previous arrival").focus()
    page.keyboard.press("p")
    latest = now(page)
    page.keyboard.press("p")
    assert now(page) != latest
    page.keyboard.press("n")
    assert now(page) == latest
    page.get_by_role("slider", name="Moment").focus()
    page.keyboard.press("End")
    assert now(page) == last


def test_play_goes_on_by_itself_stops_at_the_end_and_can_be_paused(open_trace: OpenTrace) -> None:
    page = open_trace("plain")
    page.get_by_label("Speed").select_option("1000")
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    end = now(page)
    page.keyboard.press("<")
    page.get_by_label("Speed").select_option("1")
    page.locator(".timeline-scroll").focus()
    page.keyboard.press("Space")
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    page.keyboard.press("Space")
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    assert now(page) != end


def test_a_help_names_every_key_and_gives_the_focus_back(open_trace: OpenTrace) -> None:
    page = open_trace("plain")
    page.locator(".timeline-scroll").focus()
    page.keyboard.press("?")
    dialog = page.get_by_role("dialog", name="Keys")
    expect(dialog).to_be_visible()
    for key in ("Space", "Esc", "n", "p", "Enter", "Page Up"):
        expect(dialog.get_by_text(key, exact=False).first).to_be_visible()
    assert findings(page) == []
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    expect(page.locator(".timeline-scroll")).to_be_focused()


def test_what_is_chosen_is_told_and_lit_everywhere_until_escape(open_trace: OpenTrace) -> None:
    page = open_trace("tight")
    listen_for(page, "trace-choice")
    page.locator(".timeline-scroll").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    assert page.evaluate("heard") == [
        {"request": 0, "block": None, "id": "r1"},
        {"request": 1, "block": None, "id": "r2"},
    ]
    page.keyboard.press("Escape")
    assert said(page) == "Nothing chosen."
    assert page.evaluate("heard.at(-1)") == {"request": None, "block": None, "id": None}


def test_moments_are_told_to_the_page(open_trace: OpenTrace) -> None:
    page = open_trace("timed")
    listen_for(page, "trace-moment")
    page.evaluate("document.querySelector('trace-player').go({ step: 2 })")
    assert page.evaluate("heard.map(({ step }) => step)") == [2]
    at = page.evaluate("heard[0].at")
    page.evaluate("(at) => document.querySelector('trace-player').go({ at: at - 1 })", at)
    assert page.evaluate("heard.at(-1).step") == 1


def test_a_link_holds_moment_and_choice_and_leads_back_there(open_trace: OpenTrace) -> None:
    page = open_trace("tight", fragment="#rate=3", permissions=["clipboard-read", "clipboard-write"])
    page.evaluate("document.querySelector('trace-player').go({ step: 7 })")
    page.evaluate("document.querySelector('trace-player').choose({ request: 2 })")
    page.get_by_role("button", name="Copy a link").click()
    expect(page.locator("[role=status]")).to_have_text("Link copied.")
    link = page.evaluate("navigator.clipboard.readText()")
    assert link.endswith("#rate=3&moment=here~step:8~r3")
    other = open_trace("tight", fragment="#" + link.partition("#")[2])
    assert now(other) == "step 8"
    assert "r3" in other.locator(".timeline .strip").inner_text()
    other.evaluate("location.hash = '#moment=here~step:2~'")
    expect(other.locator("span.now")).to_have_text("step 2")
    other.evaluate("location.hash = '#moment=elsewhere~step:5~'")
    settle(other)
    assert now(other) == "step 2"


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
