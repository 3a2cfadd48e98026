"""What a student writes: pauses and notes, in one tab and in two."""

from __future__ import annotations

from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.elements.storage import put


def test_the_model_answer_opens_after_an_answer_of_one_s_own_and_both_stay(page: Page) -> None:
    pause = page.locator("course-pause")
    model, field = pause.locator(".pause-model"), pause.get_by_label("Your answer", exact=True)
    expect(model).to_be_hidden()
    pause.get_by_role("button", name="Show the model answer").click()
    expect(pause.get_by_role("status")).to_contain_text("Write a word or a few of your own first.")
    expect(field).to_be_focused()
    expect(model).to_be_hidden()
    field.fill("They are the same")
    pause.get_by_role("button", name="Show the model answer").click()
    expect(model).to_contain_text("Then the two schedules are the same.")
    expect(model.locator("summary")).to_be_focused()
    page.reload()
    expect(field).to_have_value("They are the same")
    expect(model.get_by_text("Then the two schedules are the same.")).to_be_visible()


def test_an_answer_to_an_earlier_question_stays_and_its_model_answer_closes(page: Page) -> None:
    put(page, "pause", "equal-lengths", {"hash": "older", "text": "My words", "opened": True})
    page.reload()
    pause = page.locator("course-pause")
    expect(pause.get_by_label("Your answer", exact=True)).to_have_value("My words")
    expect(pause.locator(".pause-earlier")).to_have_text("You wrote this for an earlier version of the question.")
    expect(pause.locator(".pause-model")).to_be_hidden()
    pause.get_by_role("button", name="Show the model answer").click()
    expect(pause.locator(".pause-model")).to_be_visible()
    expect(pause.locator(".pause-earlier")).to_be_hidden()


def test_notes_are_saved_as_they_are_written(page: Page) -> None:
    notes = page.locator("course-notes")
    notes.get_by_label("Your notes on this lesson").fill("A batch is a bus.")
    expect(notes.get_by_role("status")).to_have_text("Saved")
    page.reload()
    expect(notes.get_by_label("Your notes on this lesson")).to_have_value("A batch is a bus.")


def test_notes_are_saved_at_once_when_the_page_is_left(page: Page) -> None:
    page.locator("course-notes textarea").press_sequentially("quick")
    page.goto("home.html")
    page.goto("lesson.html")
    expect(page.locator("course-notes textarea")).to_have_value("quick")


def test_the_second_tab_follows_and_says_so(page: Page, context: BrowserContext) -> None:
    other = context.new_page()
    other.goto("lesson.html")
    expect(other.locator("course-notes textarea")).to_be_visible()
    page.locator("course-notes textarea").fill("written here")
    expect(other.locator("course-notes textarea")).to_have_value("written here")
    expect(other.locator("course-notes").get_by_role("status")).to_contain_text("Another tab changed these notes.")


def test_where_two_tabs_write_at_once_no_words_are_lost(page: Page, context: BrowserContext) -> None:
    other = context.new_page()
    other.goto("lesson.html")
    theirs, mine = other.locator("course-notes"), page.locator("course-notes")
    expect(theirs.locator("textarea")).to_be_visible()
    # Typed, and not yet saved, when the first tab saves.
    theirs.locator("textarea").press_sequentially("theirs")
    put(page, "note", "founding", {"text": "mine"})
    expect(theirs.get_by_role("status")).to_contain_text("Another tab had written here too")
    expect(theirs.locator(".notes-other")).to_have_text("mine")
    expect(theirs.locator("textarea")).to_have_value("theirs")
    other.reload()
    expect(theirs.locator(".notes-other")).to_have_text("mine")
    theirs.get_by_role("button", name="Add them to my notes").click()
    expect(theirs.locator("textarea")).to_have_value("theirs\n\nmine")
    expect(theirs.locator("textarea")).to_be_focused()
    expect(theirs.locator(".notes-conflict")).to_be_hidden()
    expect(mine.locator("textarea")).to_have_value("theirs\n\nmine")
    other.reload()
    expect(theirs.locator(".notes-conflict")).to_be_hidden()


def test_other_words_can_be_let_go(page: Page) -> None:
    put(page, "note", "founding", {"text": "mine"}, was=[{"at": 8, "data": {"text": "theirs"}}])
    page.reload()
    notes = page.locator("course-notes")
    notes.get_by_role("button", name="Delete them").click()
    expect(notes.locator("textarea")).to_have_value("mine")
    page.reload()
    expect(notes.locator("textarea")).to_have_value("mine")
    expect(notes.locator(".notes-conflict")).to_be_hidden()
