"""The way of a student through the course, step by step, from the home page to three tasks passed and kept."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from playwright.sync_api import BrowserContext, Locator, Page, expect

from tests.browser.elements.storage import stored
from tests.browser.lab.lab import Lab
from tests.browser.path.hands import Hand
from tests.labs.submissions import submissions, tasks

LESSON = "Batching, cache allocation, and queue discipline"
NOTE = "A page is reserved whole, so a short answer wastes most of its last one."
ANSWER = "Then nobody leaves early, and both batches come out alike."
HEADING = "Bookmark “A batch is a bus or an escalator”"
SOLUTIONS = {each.task: each.source for each in submissions("founding") if each.passes}
TASKS = tasks("founding")


@dataclass(frozen=True)
class Student:
    """Somebody with a browser, a page in it, and a way to work the page."""

    context: BrowserContext
    page: Page
    hand: Hand

    def button(self, name: str) -> Locator:
        """A button of the page, by its whole name."""
        return self.page.get_by_role("button", name=name, exact=True)

    @property
    def snippet(self) -> Locator:
        """The lesson's first piece of code."""
        return self.page.locator("course-snippet").first

    def press_in(self, place: Locator, name: str) -> None:
        """Work a button somewhere in the page."""
        self.hand.press(place.get_by_role("button", name=name, exact=True))


def open_the_lesson_from_home(student: Student) -> None:
    student.page.goto("")
    student.hand.press(student.page.get_by_role("link", name="Start", exact=True))
    expect(student.page.get_by_role("heading", level=1)).to_contain_text(LESSON)
    student.page.wait_for_function("!document.querySelector(':not(:defined, trace-player)')")


def run_the_snippet_as_it_is(student: Student) -> None:
    printed = student.snippet.locator(".snippet-output pre").first
    as_in_the_lesson = printed.inner_text()
    student.press_in(student.snippet, "Run")
    expect(student.snippet.locator(".snippet-caption")).to_have_text("Output of your run")
    expect(student.snippet.get_by_role("status")).to_have_text("Finished.")
    expect(printed).to_have_text(as_in_the_lesson)


def edit_the_snippet(student: Student) -> None:
    student.hand.write(student.snippet.get_by_role("textbox"), "for n in (17, 31, 33):\n    print(-(-n // 16))")
    student.press_in(student.snippet, "Run")
    expect(student.snippet.locator(".snippet-output pre").first).to_have_text("2\n2\n3\n")


def read_an_error(student: Student) -> None:
    student.hand.write(student.snippet.get_by_role("textbox"), "jobs = {}\njobs['a']")
    student.press_in(student.snippet, "Run")
    expect(student.snippet.get_by_role("status")).to_have_text("Error in line 2: KeyError: 'a'")


def stop_an_endless_loop(student: Student) -> None:
    student.hand.write(student.snippet.get_by_role("textbox"), "print('on')\nwhile True:\n    pass")
    student.press_in(student.snippet, "Run")
    expect(student.snippet.get_by_role("status")).to_have_text("Running…")
    expect(student.snippet.locator(".snippet-output pre").first).to_have_text("on\n")
    student.press_in(student.snippet, "Stop")
    expect(student.snippet.get_by_role("status")).to_have_text("Stopped.")


def answer_with_a_number_wrong_then_right(student: Student) -> None:
    check = student.page.locator("course-check[data-id=when-does-c-finish]")
    for number, verdict, why in (("5", "Not yet", "That is the bus"), ("3", "Right.", "takes its slot in step 3")):
        student.hand.write(check.get_by_role("textbox"), number)
        student.press_in(check, "Check")
        expect(check.locator(".check-result")).to_contain_text(verdict)
        expect(check.locator(".check-answer:visible, .check-mistake:visible")).to_contain_text(why)


def choose_wrong_then_right(student: Student) -> None:
    check = student.page.locator("course-check[data-id=warm-benchmark]")
    for correct, verdict in (("false", "Not yet"), ("true", "Right.")):
        student.hand.choose(check.locator(f'.check-option[data-correct="{correct}"] input').first)
        student.press_in(check, "Check")
        expect(check.locator(".check-result")).to_contain_text(verdict)
        expect(check.locator(".check-feedback:visible")).to_have_count(1)


def pause_and_reason(student: Student) -> None:
    pause = student.page.locator("course-pause").first
    expect(pause.locator(".pause-model")).to_be_hidden()
    student.press_in(pause, "Show the model answer")
    expect(pause.locator(".pause-model")).to_be_hidden()
    student.hand.write(pause.get_by_label("Your answer"), ANSWER)
    student.press_in(pause, "Show the model answer")
    expect(pause.locator(".pause-model")).to_be_visible()


def take_a_note(student: Student) -> None:
    student.hand.write(student.page.get_by_label("Your notes on this lesson"), NOTE)
    expect(student.page.locator(".notes").get_by_role("status")).to_contain_text("Saved")


def bookmark_the_page_and_a_heading(student: Student) -> None:
    for name in ("Bookmark this lesson", HEADING):
        student.hand.press(student.button(name))
        expect(student.button(name)).to_have_attribute("aria-pressed", "true")


def mark_complete(student: Student) -> None:
    student.hand.press(student.button("Mark complete"))
    expect(student.button("Mark as not complete")).to_be_visible()


def start_the_lab(student: Student) -> None:
    lab = Lab(student.page)
    student.hand.press(lab.card.locator(".lab-door button"))
    lab.wait_until_ready()


def run_cell(student: Student, number: int, source: str | None = None) -> None:
    """Go into a cell, write if there is something to write, and run it."""
    lab = Lab(student.page)
    cells = lab.inside.locator(".jp-Notebook-cell")
    student.hand.enter_cell(cells, number)
    if source is not None:
        student.hand.write(cells.nth(number).locator(".cm-content"), source)
        assert lab.source(number).strip() == source.strip()
    student.page.keyboard.press("Shift+Enter")


def fail_then_pass_every_task(student: Student) -> None:
    lab = Lab(student.page)
    order = lab.ask("Array.from(notebook.content.model.cells).map((cell) => cell.id)")
    run_cell(student, 1)
    for task in TASKS:
        filled_in, grades = order.index(task.id), order.index(f"grade-{task.id}")
        run_cell(student, filled_in)
        run_cell(student, grades)
        lab.wait_for_output(grades, f"✗ {task.title}: not yet")
        run_cell(student, filled_in, SOLUTIONS[task.id])
        run_cell(student, grades)
        lab.wait_for_output(grades, f"✓ {task.title}: passed")
    expect(lab.card.locator(".lab-tasks")).to_contain_text("Lab passed.")
    lab.wait_until_saved()


def find_each_result_recorded(student: Student) -> None:
    results = stored(student.page, "lab/founding")["tasks"]
    assert list(results) == [task.id for task in TASKS]
    shipped = student.page.evaluate("async () => (await import('../../assets/course/runtime.js')).RUNTIME")
    for result in results.values():
        assert result.pop("at") > 0
        assert result == {
            "passed": True,
            "lab_version": shipped["labs"]["founding"]["version"],
            "engine_version": shipped["engineVersion"],
            "seed": 20,
        }


def find_everything_after_a_reload(student: Student) -> None:
    page = student.page
    page.reload()
    page.wait_for_function("!document.querySelector(':not(:defined, trace-player)')")
    expect(student.snippet.locator(".snippet-mine")).to_contain_text("while True:")
    number = page.locator("course-check[data-id=when-does-c-finish]")
    choice = page.locator("course-check[data-id=warm-benchmark]")
    expect(number.get_by_role("textbox")).to_have_value("3")
    expect(choice.locator('.check-option[data-correct="true"] input').first).to_be_checked()
    for check in (number, choice):
        expect(check.locator(".check-result")).to_contain_text("Right.")
    expect(page.locator("course-pause").first.get_by_label("Your answer")).to_have_value(ANSWER)
    expect(page.locator("course-pause .pause-model").first).to_be_visible()
    expect(page.get_by_label("Your notes on this lesson")).to_have_value(NOTE)
    for name in ("Bookmark this lesson", HEADING):
        expect(student.button(name)).to_have_attribute("aria-pressed", "true")
    expect(student.button("Mark as not complete")).to_be_visible()
    expect(page.locator("course-lab .lab-tasks")).to_contain_text("Lab passed.")


def find_the_cells_on_the_labs_own_page(student: Student) -> None:
    student.page.goto("labs/founding/")
    start_the_lab(student)
    lab = Lab(student.page)
    sources = lab.ask("Array.from(notebook.content.model.cells).map((cell) => [cell.id, cell.sharedModel.getSource()])")
    for task in TASKS:
        assert dict(sources)[task.id].strip() == SOLUTIONS[task.id].strip()


def find_it_in_my_notebook(student: Student) -> None:
    student.hand.press(student.page.get_by_role("navigation", name="Course").get_by_role("link", name="My notebook"))
    kept = student.page.locator("course-notebook")
    for words in (NOTE, ANSWER, "while True:", "A batch is a bus or an escalator"):
        expect(kept).to_contain_text(words)
    student.hand.press(kept.get_by_role("link", name="A batch is a bus or an escalator"))
    expect(student.page).to_have_url(re.compile("lessons/founding/#batching$"))


def progress_says(page: Page) -> None:
    """What the page *Progress* shows of all this."""
    lesson = page.locator("course-progress .progress-lesson").first
    expect(lesson).to_contain_text("You marked this lesson complete on")
    expect(lesson).to_contain_text(f"{len(TASKS)} of {len(TASKS)} passed")
    expect(lesson.locator("[data-state=right]")).to_have_count(2)


def find_it_in_progress(student: Student) -> None:
    student.hand.press(student.page.get_by_role("navigation", name="Course").get_by_role("link", name="Progress"))
    progress_says(student.page)


def resume_from_home(student: Student) -> None:
    student.page.goto("")
    expect(student.page.get_by_role("link", name="Resume", exact=True)).to_be_visible()
    expect(student.page.locator(".resume-at")).to_contain_text(LESSON)


# In the order of the page, but for the note and the mark, which stand beside and after the lab.
IN_THE_LESSON: tuple[Callable[[Student], None], ...] = (
    open_the_lesson_from_home,
    bookmark_the_page_and_a_heading,
    answer_with_a_number_wrong_then_right,
    run_the_snippet_as_it_is,
    edit_the_snippet,
    read_an_error,
    stop_an_endless_loop,
    pause_and_reason,
    choose_wrong_then_right,
    take_a_note,
    mark_complete,
)
IN_THE_LAB = (start_the_lab, fail_then_pass_every_task, find_each_result_recorded)
AFTERWARDS = (
    find_everything_after_a_reload,
    find_the_cells_on_the_labs_own_page,
    find_it_in_my_notebook,
    find_it_in_progress,
    resume_from_home,
)
