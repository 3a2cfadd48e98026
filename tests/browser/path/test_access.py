"""axe finds nothing while a student is in the middle of things, in the lab's frame too, in either theme."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.driving import findings
from tests.browser.lab.lab import Lab
from tests.browser.path.hands import Mouse
from tests.browser.path.journey import IN_THE_LESSON, Student, read_an_error, start_the_lab


@pytest.fixture(scope="module")
def student(chromium: Browser, site: str) -> Iterator[Student]:
    """Somebody who has done everything that the lesson offers, and run the whole lab once."""
    context = chromium.new_context(base_url=site, reduced_motion="reduce")
    context.set_default_timeout(60_000)
    page = context.new_page()
    student = Student(context, page, Mouse(page))
    for step in (*IN_THE_LESSON, read_an_error, start_the_lab):
        step(student)
    lab = Lab(page)
    lab.press("Run all")
    last = lab.ask("notebook.content.model.cells.length") - 2
    lab.wait_for_output(last, "seed 20.", seconds=60)
    lab.wait_for_kernel("idle")
    yield student
    context.close()


@pytest.fixture(params=["dark", pytest.param("light", marks=pytest.mark.long)])
def lab(request: pytest.FixtureRequest, student: Student) -> Lab:
    """Their lab in one of the themes."""
    student.page.emulate_media(color_scheme=request.param)
    lab = Lab(student.page)
    expect(lab.inside.locator("body")).to_have_attribute("data-jp-theme-name", f"JupyterLab {request.param.title()}")
    return lab


def test_the_lesson_with_everything_done_and_the_lab_run(lab: Lab) -> None:
    assert findings(lab.page) == []


def test_targets_in_the_notebook_are_large_enough(lab: Lab) -> None:
    """axe looks at sizes only where it is asked to. Those of the page are measured with its look."""
    assert findings(lab.page, {"rules": {"target-size": {"enabled": True}}}, within="iframe.lab-frame") == []


def test_cells_being_edited(lab: Lab) -> None:
    cells = lab.inside.locator(".jp-Notebook-cell")
    cells.nth(1).locator(".cm-content").click()
    assert findings(lab.page, within="iframe.lab-frame") == []
    cells.nth(0).locator(".jp-MarkdownOutput").dblclick()
    expect(cells.nth(0).locator(".cm-content")).to_be_visible()
    assert findings(lab.page, within="iframe.lab-frame") == []
    lab.page.keyboard.press("Shift+Enter")


def test_a_question_that_is_asked_first(lab: Lab) -> None:
    lab.press("Restart")
    dialog = lab.page.get_by_role("dialog")
    expect(dialog.get_by_role("button", name="Cancel")).to_be_focused()
    assert findings(lab.page, within="dialog") == []
    dialog.get_by_role("button", name="Cancel").click()


def test_nothing_in_the_frame_leads_away_from_it(lab: Lab) -> None:
    """JupyterLab's own header links to pages that this site doesn't have."""
    shown = lab.inside.locator("a[href]:visible").evaluate_all("(links) => links.map((link) => link.href)")
    own = lab.ask("location.href")
    assert [address for address in shown if not address.startswith((own, f"{own}#"))] == []
