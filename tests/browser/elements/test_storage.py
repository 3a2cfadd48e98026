"""The word where a student's work isn't kept, or can't be read."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.elements.conftest import open_page, skip_without_downloads
from tests.browser.elements.storage import put


def test_with_storage_switched_off_the_page_works_and_says_so(context: BrowserContext) -> None:
    context.add_init_script(
        """Object.defineProperty(window, "localStorage", {
             get() { throw new DOMException("off", "SecurityError"); } });"""
    )
    page = context.new_page()
    open_page(page, "lesson.html")
    expect(page.locator("course-storage")).to_contain_text("storage is switched off for this site")
    page.locator("course-notes textarea").fill("still here")
    expect(page.locator("course-notes").get_by_role("status")).to_contain_text("Not saved: this browser's storage")
    box = page.locator("course-check[data-id=batch-gain]")
    box.get_by_label("It leaves no slot idle").check()
    box.get_by_role("button", name="Check").click()
    expect(box.get_by_role("status")).to_contain_text("Right.")
    page.get_by_role("button", name="Bookmark this lesson").click()
    expect(page.get_by_role("button", name="Bookmark this lesson")).to_have_attribute("aria-pressed", "true")


def test_with_storage_full_the_words_stay_and_are_saved_once_there_is_room(page: Page) -> None:
    page.evaluate(
        """() => {
             let size = 1 << 20;
             for (let i = 0; size > 0; i += 1) {
               try { localStorage.setItem(`filler/${i}`, "x".repeat(size)); } catch { size >>= 1; }
             }
           }"""
    )
    field = page.locator("course-notes textarea")
    field.fill("no room for these words")
    expect(page.locator("course-notes").get_by_role("status")).to_contain_text("storage is full")
    banner = page.locator("course-storage")
    expect(banner).to_contain_text("storage for this site is full")
    page.evaluate(
        "Object.keys(localStorage).filter(key => key.startsWith('filler')).forEach(key => localStorage.removeItem(key))"
    )
    banner.get_by_role("button", name="Try to save again").click()
    expect(banner).to_be_hidden()
    page.reload()
    expect(field).to_have_value("no room for these words")


def test_damaged_records_are_put_aside_and_said_and_the_page_works(page: Page) -> None:
    page.evaluate("localStorage.setItem('inside-the-batch/note/founding', '{half a note')")
    page.reload()
    banner = page.locator("course-storage")
    expect(banner).to_contain_text("One saved item could not be read. It was put aside, not deleted")
    page.locator("course-notes textarea").fill("new words")
    expect(page.locator("course-notes").get_by_role("status")).to_have_text("Saved")
    page.on("dialog", lambda dialog: dialog.accept())
    banner.get_by_role("button", name="Delete them").click()
    expect(banner).to_be_hidden()
    page.reload()
    expect(page.locator("course-notes textarea")).to_have_value("new words")
    expect(banner).to_be_hidden()


def test_work_of_a_newer_course_is_left_alone_and_said(page: Page) -> None:
    newer = '{"v":2,"kind":"note","id":"founding","novelty":true}'
    page.evaluate("text => localStorage.setItem('inside-the-batch/note/founding', text)", newer)
    page.reload()
    expect(page.locator("course-storage")).to_contain_text("saved by a newer version of the course")
    page.locator("course-notes textarea").fill("words")
    expect(page.locator("course-notes").get_by_role("status")).to_contain_text("a newer version of the course")
    assert page.evaluate("localStorage.getItem('inside-the-batch/note/founding')") == newer


def test_what_was_put_aside_can_be_saved_to_a_file(page: Page) -> None:
    skip_without_downloads(page)
    page.evaluate("localStorage.setItem('inside-the-batch/note/founding', '{half a note')")
    page.reload()
    with page.expect_download() as waited:
        page.locator("course-storage").get_by_role("button", name="Save them to a file").click()
    assert "{half a note" in Path(waited.value.path()).read_text(encoding="utf-8")


def test_a_page_that_comes_back_as_it_was_left_shows_what_was_done_meanwhile(page: Page) -> None:
    """Nobody tells a page that the browser has put by; `put` writes as another tab does, and the page isn't told."""
    put(page, "note", "founding", {"text": "written meanwhile"})
    put(page, "pause", "equal-lengths", {"hash": "h", "text": "answered meanwhile", "opened": False})
    page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))")
    expect(page.locator("course-notes textarea")).to_have_value("written meanwhile")
    expect(page.locator("course-pause textarea")).to_have_value("answered meanwhile")
