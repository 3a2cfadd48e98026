"""The path in WebKitGTK, in its main parts, with longer limits."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest

from tests.browser.path.journey import ANSWER, NOTE, SOLUTIONS, TASKS
from tests.browser.path.webkit import WebKit, open_webkit

pytestmark = [
    pytest.mark.alone,
    pytest.mark.filterwarnings("ignore:setting remote_server_addr:DeprecationWarning"),
]

STATUS = "course-snippet .snippet-status"
RUN = """(notebook.content.activeCellIndex = arguments[0],
    arguments[1] && notebook.content.model.cells.get(arguments[0]).sharedModel.setSource(arguments[1]),
    void frames[0].jupyterapp.commands.execute('notebook:run-cell'), null)"""
SAYS = """const notebook = frames[0].jupyterapp.shell.currentWidget;
    return JSON.stringify(notebook.content.model.cells.get(arguments[0]).outputs.toJSON()).includes(arguments[1])"""
IDS = "Array.from(notebook.content.model.cells).map((cell) => cell.id)"
QUEUE_TOP = "document.getElementById('queue').getBoundingClientRect().top"
PYTHON_IS = "return frames[0].jupyterapp.shell.currentWidget.sessionContext.session.kernel.status === arguments[0]"


@pytest.fixture(scope="module")
def webkit(site: str) -> Iterator[WebKit]:
    """One window for all steps."""
    with open_webkit(site) as window:
        window.open("lessons/founding/")
        yield window


def run_cell(webkit: WebKit, number: int, source: str = "") -> None:
    """Run a cell once the one before it has ended, with other text where some is given."""
    webkit.until(PYTHON_IS, "idle")
    webkit.ask_lab(RUN, number, source)


def test_what_is_read_stays_where_it_is_while_players_above_it_open(webkit: WebKit) -> None:
    webkit.driver.execute_script("document.getElementById('queue').scrollIntoView()")
    time.sleep(1)  # The page is scrolled by another process, which must have told the last place it was at.
    top = webkit.driver.execute_script(f"return {QUEUE_TOP}")
    webkit.driver.execute_script("void import('/assets/course/lib/player.js').then(({ loadPlayer }) => loadPlayer())")
    webkit.until("return document.getElementById('figure-chains').offsetHeight > 1_200")
    webkit.until(f"return Math.abs({QUEUE_TOP} - arguments[0]) < 2", top)


def test_the_snippet_runs_and_stops(webkit: WebKit) -> None:
    webkit.press("course-snippet", "Run")
    webkit.until_it_says(STATUS, "Finished.")
    webkit.until("return document.querySelector('course-snippet .cm-content') !== null")
    webkit.one("course-snippet .cm-content").send_keys("\nwhile True: pass\n")
    webkit.press("course-snippet", "Run")
    webkit.until_it_says(STATUS, "Running…")
    webkit.press("course-snippet", "Stop")
    webkit.until_it_says(STATUS, "Stopped.")


def test_checks_pauses_and_notes_are_kept(webkit: WebKit) -> None:
    webkit.write("#check-when-does-c-finish input", "3")
    webkit.press("#check-when-does-c-finish", "Check")
    webkit.until_it_says("#check-when-does-c-finish .check-result", "Right.")
    webkit.write("course-pause textarea", ANSWER)
    webkit.press("course-pause", "Show the model answer")
    webkit.write("course-notes textarea", NOTE)
    webkit.until_it_says("course-notes .notes", "Saved")
    webkit.open("notebook/")
    webkit.until_it_says("course-notebook", NOTE)
    webkit.until_it_says("course-notebook", ANSWER)


def test_the_lab_is_stopped_and_passed(webkit: WebKit) -> None:
    webkit.open("labs/founding/")
    webkit.press("course-lab", "Start the lab")
    webkit.until("return document.querySelector('course-lab').dataset.phase === 'ready'")
    run_cell(webkit, 3, "import asyncio\nprint(await asyncio.sleep(0, 'awaited at the top'))")
    webkit.until(SAYS, 3, "awaited at the top")
    run_cell(webkit, 3, "asyncio.run(asyncio.sleep(0))")
    webkit.until(SAYS, 3, "stack switching not supported")
    run_cell(webkit, 3, "while True: pass")
    webkit.until(PYTHON_IS, "busy")
    webkit.press("course-lab", "Stop")
    webkit.until(SAYS, 3, "stopped")
    order = webkit.ask_lab(IDS)
    run_cell(webkit, 1)
    for task in TASKS:
        run_cell(webkit, order.index(task.id), SOLUTIONS[task.id])
        run_cell(webkit, order.index(f"grade-{task.id}"))
        webkit.until(SAYS, order.index(f"grade-{task.id}"), "passed.")
    webkit.until_it_says("course-lab .lab-tasks", "Lab passed.")


def test_what_was_passed_is_there_later(webkit: WebKit) -> None:
    webkit.open("progress/")
    webkit.until_it_says("course-progress", f"{len(TASKS)} of {len(TASKS)} passed")
