"""My notebook: to read, to change, to take along."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.elements.conftest import open_page, skip_without_downloads
from tests.browser.elements.storage import put, stored


@pytest.fixture
def notebook(context: BrowserContext) -> Page:
    page = context.new_page()
    page.goto("home.html")
    put(page, "note", "founding", {"text": "A batch is a bus."})
    put(page, "pause", "equal-lengths", {"hash": "h", "text": "They are the same", "opened": True})
    put(page, "bookmark", "founding#slots", {"label": "Slots"})
    put(page, "snippet", "two-slots", {"hash": "h", "code": "jobs = 3"})
    open_page(page, "notebook.html")
    return page


def test_an_empty_notebook_says_how_it_fills(context: BrowserContext) -> None:
    page = context.new_page()
    open_page(page, "notebook.html")
    expect(page.get_by_text("Nothing here yet.")).to_be_visible()
    lesson = page.evaluate("async () => (await (await fetch('/assets/course/course-map.json')).json()).lessons[0]")
    expect(page.get_by_role("link", name=f"Go to “{lesson['title']}”")).to_be_visible()


def test_the_notebook_shows_notes_answers_and_bookmarks_with_links_back(notebook: Page) -> None:
    expect(notebook.locator("course-notebook").get_by_role("heading", level=2)).to_have_text("Batching")
    expect(notebook.get_by_role("heading", level=3)).to_have_text(
        ["Notes", "Answers", "Code that you changed", "Bookmarks"]
    )
    expect(notebook.get_by_text("A batch is a bus.")).to_be_visible()
    answer = notebook.get_by_role("link", name="What if all are equally long?")
    bookmark = notebook.get_by_role("link", name="Slots")
    expect(notebook.get_by_label("Your code: A batcher")).to_have_text("jobs = 3")
    for link, end in ((answer, "lesson.html#pause-equal-lengths"), (bookmark, "lesson.html#slots")):
        assert str(link.get_attribute("href")).endswith(end)
    answer.click()
    expect(notebook.locator("#pause-equal-lengths")).to_be_in_viewport()


def test_a_note_is_changed_in_the_notebook_and_the_lesson_follows(notebook: Page, page: Page) -> None:
    notebook.bring_to_front()
    notebook.get_by_role("button", name="Edit: Batching").click()
    field = notebook.get_by_label("Your words on “Batching”")
    expect(field).to_be_focused()
    field.fill("An escalator.")
    notebook.get_by_role("button", name="Save: Batching").click()
    expect(notebook.get_by_role("button", name="Edit: Batching")).to_be_focused()
    expect(notebook.get_by_role("status")).to_have_text("Saved")
    expect(page.locator("course-notes textarea")).to_have_value("An escalator.")


def test_what_is_deleted_in_the_notebook_can_be_had_back(notebook: Page) -> None:
    notebook.get_by_role("button", name="Delete: Slots").click()
    undo = notebook.get_by_role("button", name="Undo: Slots")
    expect(undo).to_be_focused()
    assert stored(notebook, "bookmark/founding#slots") is None
    undo.click()
    expect(notebook.get_by_role("button", name="Delete: Slots")).to_be_focused()
    assert stored(notebook, "bookmark/founding#slots") == {"label": "Slots"}


def test_the_work_goes_to_a_file_and_a_browser_without_it_takes_it_in(notebook: Page, tmp_path: Path) -> None:
    skip_without_downloads(notebook)
    with notebook.expect_download() as waited:
        notebook.get_by_role("button", name="Save my work to a file").click()
    file = tmp_path / "work.json"
    waited.value.save_as(file)
    assert waited.value.suggested_filename == "inside-the-batch-work.json"
    notebook.evaluate("localStorage.clear()")
    notebook.reload()
    expect(notebook.get_by_text("Nothing here yet.")).to_be_visible()
    notebook.locator("input[type=file]").set_input_files(file)
    expect(notebook.get_by_role("status")).to_contain_text("Loaded: 4 new, 0 updated, 0 the same.")
    expect(notebook.get_by_text("A batch is a bus.")).to_be_visible()


def test_a_file_that_is_something_else_is_refused_in_words(notebook: Page, tmp_path: Path) -> None:
    file = tmp_path / "other.json"
    for text in ("{half", json.dumps({"course": "another", "export": 1, "records": []})):
        file.write_text(text, encoding="utf-8")
        notebook.locator("input[type=file]").set_input_files(file)
        expect(notebook.get_by_role("status")).to_contain_text("isn't work saved from this course")
        expect(notebook.get_by_text("A batch is a bus.")).to_be_visible()


def test_without_the_course_map_the_notebook_still_shows_every_word(
    context: BrowserContext, notebook: Page, complaints: list[str]
) -> None:
    context.route("**/course-map.json", lambda route: route.fulfill(status=404))
    notebook.reload()
    expect(notebook.get_by_role("status")).to_contain_text("links back are missing")
    expect(notebook.get_by_text("A batch is a bus.")).to_be_visible()
    notebook.wait_for_load_state("networkidle")  # every element that asks for the map has had its 404
    complaints.clear()


def test_words_that_are_being_changed_outlive_what_is_done_beside_them(notebook: Page, page: Page) -> None:
    notebook.bring_to_front()
    notebook.get_by_role("button", name="Edit: Batching").click()
    field = notebook.get_by_label("Your words on “Batching”")
    field.fill("Half a sentence")
    put(page, "note", "founding", {"text": "from another tab"})
    notebook.get_by_role("button", name="Delete: Slots").click()
    expect(field).to_have_value("Half a sentence")
    open_page(notebook, "lesson.html")
    expect(notebook.locator("course-notes textarea")).to_have_value("Half a sentence")
    expect(notebook.locator(".notes-other")).to_have_text("from another tab")


def test_code_that_two_tabs_changed_is_kept_twice(notebook: Page, page: Page) -> None:
    box = page.locator("#snippet-two-slots")
    box.get_by_role("button", name="Edit").click()
    expect(box.locator(".cm-content")).to_contain_text("jobs = 3")
    put(notebook, "snippet", "two-slots", {"hash": "h", "code": "jobs = 4"})
    page.keyboard.press("Control+End")
    page.keyboard.type("0")
    notebook.reload()
    notebook.bring_to_front()
    expect(notebook.get_by_label("Your code: A batcher")).to_have_text("jobs = 30")
    expect(notebook.locator(".notes-conflict")).to_contain_text("jobs = 4")
    notebook.get_by_role("button", name="Use these: A batcher").click()
    expect(notebook.get_by_label("Your code: A batcher")).to_have_text("jobs = 4")
    expect(notebook.locator(".notes-conflict")).to_have_count(0)


@pytest.mark.parametrize("text", ["[" * 3_000_000, '{"course":{"toString":1}}', "7", ""])
def test_a_file_that_is_nothing_at_all_is_refused_in_words(notebook: Page, tmp_path: Path, text: str) -> None:
    file = tmp_path / "nothing.json"
    file.write_text(text, encoding="utf-8")
    notebook.locator("input[type=file]").set_input_files(file)
    expect(notebook.get_by_role("status")).to_contain_text("isn't work saved from this course")


def test_a_file_with_markup_in_every_word_stays_words(notebook: Page, tmp_path: Path) -> None:
    odd = "<img src=x onerror=\"document.title='owned'\">"
    records = [
        {"v": 1, "kind": "note", "id": odd, "at": 1, "data": {"text": odd}, "was": [{"at": 1, "data": {"text": odd}}]},
        {"v": 1, "kind": "bookmark", "id": f"founding#{odd}", "at": 1, "data": {"label": odd}},
        {"v": 1, "kind": "snippet", "id": odd, "at": 1, "data": {"hash": odd, "code": odd}},
        {"v": 1, "kind": odd, "id": odd, "at": 1, "data": {}},
    ]
    file = tmp_path / "odd.json"
    file.write_text(json.dumps({"course": "inside-the-batch", "export": 1, "records": records}), encoding="utf-8")
    notebook.locator("input[type=file]").set_input_files(file)
    expect(notebook.get_by_role("status")).to_contain_text(f"1 could not be read: {odd}/")
    expect(notebook.locator(".course-words", has_text=odd)).to_have_count(2)
    expect(notebook.locator("course-notebook img")).to_have_count(0)
    assert notebook.title() != "owned"


def test_a_file_larger_than_any_storage_is_refused_unread(notebook: Page, tmp_path: Path) -> None:
    file = tmp_path / "large.json"
    with file.open("wb") as large:
        large.truncate(65_000_000)
    notebook.locator("input[type=file]").set_input_files(file)
    expect(notebook.get_by_role("status")).to_contain_text("larger than a browser's storage")
