"""Every starter, solution and known mistake, handed in through the notebook of the built site."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from labs.kit.task import KIT_HINTS
from tests.browser.lab.lab import Lab
from tests.labs.submissions import Submission, submissions, tasks

TASKS = {task.id: task for task in tasks("founding")}
HINTS = {(task.id, hint.id): hint.words for task in TASKS.values() for hint in (*task.hints, *KIT_HINTS)}
HANDED_IN = list(submissions("founding"))


@pytest.fixture(scope="module")
def lab(chromium: Browser, site: str) -> Iterator[Lab]:
    """One lab for all: each submission replaces the class that the one before it left."""
    context = chromium.new_context(base_url=site)
    context.set_default_timeout(60_000)
    lab = Lab(context.new_page()).open()
    lab.run(1)
    yield lab
    context.close()


def hand_in(lab: Lab, submission: Submission) -> str:
    """Put the text into its cell, run it, run the cell that grades it; what that says, in plain words."""
    order = lab.ask("Array.from(notebook.content.model.cells).map((cell) => cell.id)")
    cell, grades = order.index(submission.task), order.index(f"grade-{submission.task}")
    lab.write(cell, submission.source)
    lab.ask("notebook.content.model.cells.get(it).clearExecution()", grades)
    lab.run(cell)
    lab.run(grades)
    lab.wait_for_output(grades, "seed 20.")
    return str(lab.ask("notebook.content.model.cells.get(it).outputs.get(0).data['text/plain']", grades))


@pytest.mark.parametrize("submission", HANDED_IN, ids=lambda submission: submission.name)
def test_what_is_handed_in_is_graded_as_it_should(lab: Lab, submission: Submission) -> None:
    said = hand_in(lab, submission)
    title = TASKS[submission.task].title
    if submission.hint is None:
        assert said.startswith(f"✓ {title}: passed.")
        return
    assert said.startswith(f"✗ {title}: not yet.")
    assert f"Hint: {HINTS[submission.task, submission.hint]}" in said
    for part in ("Workload: ", "What has to hold: ", "What happened: "):
        assert part in said
    assert "assert" not in said.lower()


def test_every_known_mistake_was_among_them() -> None:
    assert len(HANDED_IN) > 60
    assert sum(submission.passes for submission in HANDED_IN) == len(TASKS)
