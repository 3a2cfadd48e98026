"""What answers add up to: what is due, accuracy, confidence, and a file for the class."""

from __future__ import annotations

import json
from pathlib import Path

from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.driving import findings
from tests.browser.elements.answering import answer
from tests.browser.elements.conftest import open_page, skip_without_downloads
from tests.browser.elements.storage import put

DAY_MS = 86_400_000


def answered(page: Page, name: str, *, due: int, confidence: str, correct: bool = True) -> None:
    """An answer from a while ago; its review is due `due` milliseconds after now."""
    one = {"at": 5, "hash": "h", "answer": "a", "correct": correct, "seconds": 7, "confidence": confidence}
    now = page.evaluate("Date.now()")
    more = {"tries": [one], "review": {"step": 0, "due": now + due}}
    put(page, "check", name, {"hash": "h", "answer": "a", "correct": correct, "attempts": 1, **more})


def test_what_is_due_is_gathered_oldest_first(context: BrowserContext) -> None:
    page = context.new_page()
    open_page(page, "notebook.html")
    review = page.locator("course-review")
    expect(review).to_contain_text("Nothing is due.")
    answered(page, "batch-gain", due=-DAY_MS, confidence="sure")
    answered(page, "reserved", due=-3 * DAY_MS, confidence="sure")
    page.reload()
    expect(review.get_by_role("link")).to_have_text(["Reserved slots", "Where the gain comes from"])
    assert findings(page) == []
    review.get_by_role("link", name="Where the gain comes from").click()
    page.wait_for_function("!document.querySelector(':not(:defined)')")
    expect(page.locator("course-check[data-id=batch-gain] input:checked")).to_have_count(0)


def test_progress_sets_confidence_beside_correctness(context: BrowserContext) -> None:
    page = context.new_page()
    open_page(page, "progress.html")
    shown = page.locator("course-answers")
    expect(shown).to_contain_text("You haven't answered a check yet.")
    answered(page, "batch-gain", due=-DAY_MS, confidence="sure")
    answered(page, "reserved", due=DAY_MS, confidence="sure", correct=False)
    page.reload()
    expect(shown).to_contain_text("You have answered 2 of 2 checks: 1 right at the first try, 1 right by now.")
    expect(shown.get_by_role("row", name="Certain")).to_contain_text("2 1 (50 %)".replace(" 1", "1"))
    expect(shown).to_contain_text("One check is worth another look: it is on My notebook.")
    assert findings(page) == []


def test_results_hold_what_the_student_chose(page: Page, tmp_path: Path) -> None:
    skip_without_downloads(page)
    answer(page.locator("course-check[data-id=reserved]"), right=False)
    answer(page.locator("course-check[data-id=reserved]"), right=True)
    put(page, "note", "founding", {"text": "a secret of mine"})
    open_page(page, "progress.html")
    results = page.locator("course-results")
    results.get_by_label("When, and how long it took").uncheck()
    results.get_by_label("A name that your instructor knows you by").fill("Ada")
    results.get_by_text("Show what the file says").click()
    expect(results.locator("pre")).to_contain_text('"name": "Ada"')
    with page.expect_download() as download:
        results.get_by_role("button", name="Save the results").click()
    download.value.save_as(tmp_path / "r.json")
    text = (tmp_path / "r.json").read_text(encoding="utf-8")
    assert text == results.locator("pre").text_content()
    assert "secret" not in text
    saved = json.loads(text)
    [check] = saved["checks"]
    assert (check["id"], [one["correct"] for one in check["tries"]]) == ("reserved", [False, True])
    assert not {"at", "seconds"} & set(check["tries"][0])
    assert any("Notes, bookmarks" in line for line in saved["about"])


def test_there_is_nothing_to_save_before_an_answer(context: BrowserContext) -> None:
    page = context.new_page()
    open_page(page, "progress.html")
    page.get_by_role("button", name="Save the results").click()
    expect(page.locator("course-results").get_by_role("status")).to_contain_text("answer a check first")
