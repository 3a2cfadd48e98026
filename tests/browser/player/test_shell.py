"""The player's shell: driven by pointer and by keys alone, read aloud and linked to."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.driving import findings
from tests.browser.player.conftest import OpenTrace, listen_for, now, said, settle


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
