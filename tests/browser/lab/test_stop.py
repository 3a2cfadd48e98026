"""A cell that doesn't end by itself is ended, from the page and from the notebook's own button."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.driving import slower
from tests.browser.lab.lab import Lab

pytestmark = pytest.mark.alone

# Cells 1, 3, 4 and 6 of the founding notebook hold code; the tests write their own into them.
#
# A second, and what a shared machine with a few busy tests adds to it; a slow one is given as much more.
# `make bench-web` measures it alone.
SECONDS = 4.0

ENDLESS = {
    "a loop": "while True: pass",
    "one long sleep": "import time\ntime.sleep(600)",
    "a loop of sleeps": "import time\nwhile True: time.sleep(0.01)",
    "a flood of prints": "n = 0\nwhile True:\n    n += 1\n    print(n)",
    "errors that are caught": "while True:\n    try:\n        1 / 0\n    except Exception:\n        pass",
    "an await": "import asyncio\nawait asyncio.sleep(600)",
    "two tasks": (
        "import asyncio\nasync def tick():\n    while True: await asyncio.sleep(0.01)\n"
        "await asyncio.gather(tick(), tick())"
    ),
    "a prompt": "name = input('Your name? ')\nprint('answered', name)",
    "prompts": "while True: input('Again? ')",
    "slow steps": "while True: sum(range(100_000))",
}


@pytest.fixture(scope="module")
def lab(browser: Browser, site: str) -> Iterator[Lab]:
    """One lab for all cases: being stopped must leave it usable."""
    context = browser.new_context(base_url=site)
    context.set_default_timeout(60_000)
    lab = Lab(context.new_page()).open()
    lab.write(1, "kept = 41")
    lab.run(1)
    lab.wait_for_kernel("idle")
    yield lab
    context.close()


@pytest.fixture(params=list(ENDLESS.values()), ids=list(ENDLESS))
def running(request: pytest.FixtureRequest, lab: Lab) -> Lab:
    """The lab with an endless cell under way and another that waits behind it."""
    lab.write(3, request.param)
    lab.write(4, "print('must not run')")
    lab.ask("notebook.content.model.cells.get(4).clearExecution?.()")
    lab.run(3)
    lab.wait_for_kernel("busy")
    if "input(" not in request.param:  # JupyterLab lets nothing wait behind an open prompt
        lab.run(4)
    lab.page.wait_for_timeout(600)
    return lab


def assert_stopped(lab: Lab) -> None:
    """It ended in time, with its variables kept, the next cell dropped and another one running."""
    seconds = lab.wait_for_kernel("idle", seconds=20)
    assert "stopped" in lab.output(3)
    assert "answered" not in lab.output(3)
    assert "must not run" not in lab.output(4)
    lab.write(6, "print(kept + 1)")
    lab.run(6)
    lab.wait_for_output(6, "42")
    assert seconds < SECONDS * slower(lab.page)


def test_the_page_stops_it(running: Lab) -> None:
    running.press("Stop")
    assert_stopped(running)


def test_the_notebooks_own_button_stops_it(running: Lab) -> None:
    running.inside.locator("[data-command='notebook:interrupt-kernel']").click()
    assert_stopped(running)


def test_one_long_call_is_offered_a_restart(lab: Lab) -> None:
    lab.write(3, "sum(range(10**11))")
    lab.run(3)
    lab.wait_for_kernel("busy")
    lab.page.wait_for_timeout(500)
    lab.press("Stop")
    lab.says("can't be stopped")
    lab.choose("Restart Python")
    lab.says("Python was restarted")
    expect(lab.notice()).to_have_count(0)
    lab.write(6, "print('alive' if 'kept' not in globals() else 'the old one')")
    lab.run(6)
    lab.wait_for_output(6, "alive")


def test_a_cell_that_runs_right_after_a_stop_isnt_taken_for_the_stopped_one(lab: Lab) -> None:
    lab.write(3, "import asyncio\nawait asyncio.sleep(600)")  # hears a stop at once
    lab.run(3)
    lab.wait_for_kernel("busy")
    lab.page.wait_for_timeout(500)
    lab.press("Stop")
    lab.wait_for_kernel("idle")
    lab.write(6, "import time\nprint('begun')\nfor _ in range(50): time.sleep(0.1)\nprint('through')")
    lab.run(6)
    lab.wait_for_output(6, "begun")
    lab.says("Running…")
    lab.page.wait_for_timeout(2000)  # longer than a cell has to stop
    expect(lab.notice()).to_have_count(0)
    lab.wait_for_output(6, "through")


def test_restart_asks_and_works_while_a_cell_runs(lab: Lab) -> None:
    lab.write(3, "mark = 1\nwhile True: pass")
    lab.run(3)
    lab.wait_for_kernel("busy")
    lab.press("Restart")
    dialog = lab.page.get_by_role("dialog")
    expect(dialog).to_contain_text("variables are lost")
    dialog.get_by_role("button", name="Cancel").click()
    assert lab.kernel() == "busy"
    lab.press("Restart")
    dialog.get_by_role("button", name="Restart").click()
    lab.says("Python was restarted")
    lab.write(6, "print('mark' in globals())")
    lab.run(6)
    lab.wait_for_output(6, "False")
