"""Bookmark, complete, resume and progress."""

from __future__ import annotations

from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.elements.conftest import open_page
from tests.browser.elements.storage import put, stored


def test_the_page_and_a_heading_are_bookmarked_and_let_go(page: Page, context: BrowserContext) -> None:
    lesson = page.get_by_role("button", name="Bookmark this lesson")
    heading = page.get_by_role("button", name="Bookmark “Slots”")
    expect(lesson).to_have_attribute("aria-pressed", "false")
    lesson.click()
    heading.click()
    status = page.locator("course-bookmark").get_by_role("status")
    expect(status).to_have_text("Bookmarked: Slots. It is in My notebook.")
    expect(heading).to_have_attribute("aria-pressed", "true")
    other = context.new_page()
    open_page(other, "lesson.html")
    expect(other.get_by_role("button", name="Bookmark “Slots”")).to_have_attribute("aria-pressed", "true")
    heading.click()
    expect(status).to_have_text("No longer bookmarked: Slots.")
    expect(other.get_by_role("button", name="Bookmark “Slots”")).to_have_attribute("aria-pressed", "false")
    assert stored(page, "bookmark/founding") == {"label": "Batching"}


def test_the_buttons_at_headings_stand_outside_them_and_are_large_enough(page: Page) -> None:
    expect(page.get_by_role("heading", name="Slots", exact=False).get_by_role("button")).to_have_count(0)
    box = page.get_by_role("button", name="Bookmark “Slots”").bounding_box()
    assert box
    assert min(box["width"], box["height"]) >= 24


def test_complete_is_the_student_s_own_word_can_be_undone_and_leaves_the_lab_alone(page: Page) -> None:
    tasks = {"batcher": {"passed": True, "lab_version": "2", "at": 5}}
    put(page, "lab", "founding", {"tasks": tasks})
    done = page.locator("course-complete")
    expect(done).to_contain_text("This is your own judgement")
    done.get_by_role("button", name="Mark complete").click()
    expect(done.get_by_role("status")).to_contain_text("Marked complete.")
    page.reload()
    expect(done).to_contain_text("You marked this lesson complete on")
    done.get_by_role("button", name="Mark as not complete").click()
    expect(done.get_by_role("button", name="Mark complete")).to_be_focused()
    assert stored(page, "complete/founding") is None
    assert stored(page, "lab/founding") == {"tasks": tasks}


def test_home_starts_and_later_resumes_at_the_heading(page: Page, context: BrowserContext) -> None:
    home = context.new_page()
    open_page(home, "home.html")
    page.evaluate("document.querySelector('#pages').scrollIntoView()")
    page.wait_for_function("localStorage.getItem('inside-the-batch/visit/last')?.includes('pages')")
    home.reload()
    link = home.get_by_role("link", name="Resume", exact=True)
    expect(link).to_have_attribute("href", page.url + "#pages")
    expect(home.get_by_text("at “Pages”.")).to_be_visible()


def test_home_without_a_visit_offers_the_start(context: BrowserContext) -> None:
    home = context.new_page()
    open_page(home, "home.html")
    expect(home.get_by_role("link")).to_have_text("Start")


def test_progress_says_all_in_words_and_follows(context: BrowserContext) -> None:
    page = context.new_page()
    open_page(page, "progress.html")
    shown = page.locator("course-progress")
    expect(shown).to_contain_text("You haven't marked this lesson complete.")
    expect(shown.get_by_role("listitem")).to_have_text(
        [
            "Not answered Where the gain comes from",
            "Not answered Reserved slots",
            "Not passed yet The batcher",
            "Not passed yet The pages",
        ]
    )
    put(page, "complete", "founding", {})
    put(page, "check", "batch-gain", {"hash": "h", "answer": "a", "shown": "x", "correct": True, "attempts": 1})
    put(page, "check", "reserved", {"hash": "h", "answer": "9", "shown": "9", "correct": False, "attempts": 1})
    passed = {"passed": True, "at": "2026-11-30T10:00:00Z"}
    put(
        page,
        "lab",
        "founding",
        {"tasks": {"batcher": {**passed, "lab_version": "2"}, "pages": {**passed, "lab_version": "1"}}},
    )
    page.reload()
    expect(shown).to_contain_text("You marked this lesson complete on")
    expect(shown.get_by_role("heading", level=3)).to_have_text(["Checks 1 of 2 right", "Build a batcher 2 of 2 passed"])
    rows = shown.get_by_role("listitem")
    expect(rows.nth(0)).to_have_text("Right Where the gain comes from")
    expect(rows.nth(1)).to_have_text("Not right yet Reserved slots")
    expect(rows.nth(2)).to_contain_text("Passed The batcher (")
    expect(rows.nth(3)).to_contain_text("Passed in an earlier version of the lab The pages (")


def test_elements_that_come_and_go_with_a_page_swapped_in_place_are_set_up_once(page: Page) -> None:
    page.evaluate(
        """async () => {
             const text = await (await fetch("lesson.html")).text();
             const next = new DOMParser().parseFromString(text, "text/html");
             document.querySelector("main").replaceWith(next.querySelector("main"));
           }"""
    )
    box = page.locator("course-check[data-id=batch-gain]")
    expect(box.get_by_role("button", name="Check")).to_have_count(1)
    expect(page.get_by_role("button", name="Bookmark “Slots”")).to_have_count(1)
    page.evaluate("() => { const main = document.querySelector('main'); main.replaceWith(main); }")
    expect(box.get_by_role("button", name="Check")).to_have_count(1)
    expect(page.locator("course-notes textarea")).to_have_count(1)
    expect(page.locator("course-snippet .snippet-bar")).to_have_count(1)
    expect(page.get_by_role("button", name="Bookmark “Slots”")).to_have_count(1)


def test_of_words_written_in_three_tabs_at_once_none_are_lost(context: BrowserContext) -> None:
    pages = [context.new_page() for _ in range(3)]
    for page in pages:
        open_page(page, "lesson.html")
    fields = [page.locator("course-notes textarea") for page in pages]
    for number, field in enumerate(fields):
        field.fill(f"words of tab {number}")
    kept = """() => {
        const { data, was = [] } = JSON.parse(localStorage.getItem("inside-the-batch/note/founding") ?? '{"data":{}}');
        return [data, ...was].map((one) => (one.data ?? one).text).sort();
    }"""
    pages[0].wait_for_function(f"({kept})().length === 3")
    assert pages[0].evaluate(kept) == ["words of tab 0", "words of tab 1", "words of tab 2"]
    for field in fields:
        expect(field).to_have_value(str(stored(pages[0], "note/founding")["text"]))
