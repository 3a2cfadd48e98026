"""A student's notebook outlives reloads, an updated lab and *Start over*; nothing is lost in silence."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, expect

from tests.browser.driving import PROJECT, NewContext
from tests.browser.lab.lab import Lab

MINE = "mine = 'written by a student'"


@pytest.fixture
def context(new_context: NewContext) -> BrowserContext:
    """Without a service worker, so that the tests can stand in for the server."""
    return new_context(service_workers="block")


@pytest.fixture
def lab(context: BrowserContext) -> Lab:
    """A lab in which a student wrote something, saved."""
    lab = Lab(context.new_page()).open()
    lab.write(1, MINE)
    lab.wait_until_saved()
    return lab


def shipped() -> dict[str, Any]:
    """The notebook as it was built."""
    text = Path(PROJECT.site / "lab/files/founding.ipynb").read_text(encoding="utf-8")
    notebook: dict[str, Any] = json.loads(text)
    return notebook


def original(number: int) -> str:
    """The source of a cell as it was built."""
    return "".join(shipped()["cells"][number]["source"])


def publish_update(context: BrowserContext) -> None:
    """Have the server send a notebook that is newer than the one the student began with."""
    newer = shipped()
    newer["metadata"]["course"] |= {"text": "0123456789ab", "version": "ba9876543210"}
    newer["cells"][1]["source"] = "newer = True"
    body = json.dumps(newer)
    context.route(
        "**/lab/files/founding.ipynb", lambda route: route.fulfill(body=body, content_type="application/json")
    )


def reopened(lab: Lab) -> Lab:
    """The same browser, the page opened again."""
    lab.page.reload()
    lab.start()
    return lab


def test_edits_are_saved_by_themselves_and_survive_a_reload(lab: Lab) -> None:
    again = reopened(lab)
    assert again.source(1) == MINE
    expect(again.notice()).to_have_count(0)


def test_outputs_are_saved_after_a_run(lab: Lab) -> None:
    lab.write(1, "print(6 * 7)")
    lab.run(1)
    lab.wait_for_output(1, "42")
    lab.page.wait_for_timeout(400)
    lab.wait_until_saved()
    assert "42" in reopened(lab).output(1)


def test_an_updated_lab_is_offered_and_mine_kept(lab: Lab, context: BrowserContext) -> None:
    publish_update(context)
    again = reopened(lab)
    expect(again.notice()).to_contain_text("This lab has changed since you started")
    assert again.source(1) == MINE
    again.choose("Keep mine")
    again.says("your own notebook")
    again.wait_until_saved()
    once_more = reopened(again)
    expect(once_more.notice()).to_have_count(0)
    assert once_more.source(1) == MINE


def test_the_new_one_is_taken_and_that_can_be_undone(lab: Lab, context: BrowserContext) -> None:
    publish_update(context)
    again = reopened(lab)
    again.choose("Take the new one")
    again.says("This is the new notebook")
    assert again.source(1) == "newer = True"
    again.choose("Undo")
    again.says("Your notebook is back")
    assert again.source(1) == MINE


def test_both_are_kept(lab: Lab, context: BrowserContext) -> None:
    publish_update(context)
    again = reopened(lab)
    again.choose("Keep both")
    again.says("Yours is kept as founding-mine-")
    assert again.source(1) == "newer = True"
    again.choose("Open founding-mine-")
    again.page.wait_for_function("frames[0].location.search.includes('founding-mine-')")
    again.wait_until_ready()
    assert again.source(1) == MINE


def test_start_over_asks_keeps_a_copy_and_can_be_undone(lab: Lab) -> None:
    lab.press("Start over")
    dialog = lab.page.get_by_role("dialog")
    dialog.get_by_role("button", name="Cancel").click()
    assert lab.source(1) == MINE
    lab.press("Start over")
    dialog.get_by_role("button", name="Start over").click()
    lab.says("This is the original notebook")
    assert lab.source(1) == original(1)
    assert [name for name in lab.ask("courseLab.names()") if name.startswith("founding-mine-")]
    lab.wait_until_ready()
    lab.press("Undo start over")
    lab.says("Your notebook is back")
    assert lab.source(1) == MINE
    assert lab.ask("courseLab.names()") == ["founding.ipynb"]


def test_start_over_of_an_untouched_notebook_doesnt_ask(context: BrowserContext) -> None:
    lab = Lab(context.new_page()).open()
    lab.press("Start over")
    lab.says("This is the original already")
    expect(lab.page.get_by_role("dialog")).to_have_count(0)


def test_copies_are_listed_and_opened(lab: Lab) -> None:
    lab.press("Start over")
    lab.page.get_by_role("dialog").get_by_role("button", name="Start over").click()
    lab.says("This is the original notebook")
    lab.card.get_by_text("Your notebooks").click()
    lab.card.get_by_role("button", name="founding-mine-").click()
    lab.page.wait_for_function("frames[0].location.search.includes('founding-mine-')")
    lab.wait_until_ready()
    assert lab.source(1) == MINE


def test_start_over_without_the_network_or_room_changes_nothing_and_says_so(
    lab: Lab, context: BrowserContext, complaints: list[str]
) -> None:
    context.route("**/lab/files/**", lambda route: route.abort())
    lab.press("Start over")
    expect(lab.notice()).to_contain_text("didn't arrive, so nothing was changed")
    context.unroute("**/lab/files/**")
    complaints.clear()
    full = "() => { throw new DOMException('full', 'QuotaExceededError'); }"
    lab.ask(f"(window.put = IDBObjectStore.prototype.put, IDBObjectStore.prototype.put = {full}, null)")
    lab.choose("Try again")
    lab.page.get_by_role("dialog").get_by_role("button", name="Start over").click()
    expect(lab.notice()).to_contain_text("no room for a copy")
    assert lab.source(1) == MINE
    lab.write(1, "more = True")
    lab.says("could not be saved")
    expect(lab.inside.locator(".jp-Dialog")).to_have_count(0)
    lab.ask("(IDBObjectStore.prototype.put = window.put, null)")
    lab.inside.get_by_role("button", name="Try to save again").click()
    lab.says("Saved.")
    assert reopened(lab).source(1) == "more = True"
