"""The site over http from another machine: browsers offer no service worker there, and hardly anything is missing."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Playwright, expect

from tests.browser.driving import launch_chromium, listen
from tests.browser.elements.storage import stored
from tests.browser.lab.lab import Lab
from tests.browser.path.hands import Mouse
from tests.browser.path.journey import (
    NOTE,
    SOLUTIONS,
    Student,
    open_the_lesson_from_home,
    run_cell,
    run_the_snippet_as_it_is,
    start_the_lab,
    stop_an_endless_loop,
    take_a_note,
)

HOST = "course.test"


@pytest.fixture(scope="module")
def complaints() -> list[str]:
    """Of the one visit that all these tests share."""
    return []


@pytest.fixture(scope="module")
def student(playwright: Playwright, site: str, complaints: list[str]) -> Iterator[Student]:
    """Somebody to whom this machine is another one."""
    with launch_chromium(playwright, f"--host-resolver-rules=MAP {HOST} 127.0.0.1") as browser:
        address = site.replace("127.0.0.1", HOST)
        context = browser.new_context(base_url=address, reduced_motion="reduce")
        context.set_default_timeout(60_000)
        listen(context, address, complaints)
        page = context.new_page()
        student = Student(context, page, Mouse(page))
        open_the_lesson_from_home(student)
        yield student
        assert complaints == []


def test_it_is_not_what_browsers_call_secure(student: Student) -> None:
    assert student.page.evaluate("[isSecureContext, 'serviceWorker' in navigator]") == [False, False]


def test_snippets_run_and_stop_and_what_is_written_stays(student: Student) -> None:
    for step in (run_the_snippet_as_it_is, stop_an_endless_loop, take_a_note):
        step(student)
    student.page.reload()
    expect(student.page.get_by_label("Your notes on this lesson")).to_have_value(NOTE)


def test_the_page_says_what_the_lab_cannot_do(student: Student) -> None:
    said = student.page.locator("course-lab .lab-plain")
    expect(said).to_contain_text("input() doesn't work, and files that your code writes are gone when Python restarts")


def test_the_lab_is_graded_stopped_and_kept(student: Student) -> None:
    start_the_lab(student)
    lab = Lab(student.page)
    order = lab.ask("Array.from(notebook.content.model.cells).map((cell) => cell.id)")
    run_cell(student, order.index("batcher"), SOLUTIONS["batcher"])
    run_cell(student, 1, "from labs.founding import grade")
    run_cell(student, order.index("grade-batcher"))
    lab.wait_for_output(order.index("grade-batcher"), "✓")
    assert stored(student.page, "lab/founding")["tasks"]["batcher"]["passed"] is True
    run_cell(student, 3, "while True:\n    pass")
    lab.wait_for_kernel("busy")
    lab.press("Stop")
    lab.wait_for_kernel("idle")
    lab.wait_for_output(3, "stopped")
    run_cell(student, 4, "input('Name? ')")
    lab.wait_for_output(4, "needs a service worker")
    run_cell(student, 6, "open('mine.txt', 'w').write('kept ' + 'for now')\nprint(open('mine.txt').read())")
    lab.wait_for_output(6, "kept for now")
    lab.wait_until_saved()
    student.page.reload()
    start_the_lab(student)
    assert lab.source(3) == "while True:\n    pass"
