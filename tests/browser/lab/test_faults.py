"""What goes wrong around the lab, and what the student is told."""

from __future__ import annotations

import pytest
from playwright.sync_api import BrowserContext, Route, expect

from tests.browser.driving import NewContext
from tests.browser.lab.lab import Lab

FILES = ["pyodide.asm.wasm", "notebook.zip", "lab.js", "pyodide.mjs", "python_stdlib.zip", "pyodide.asm.mjs"]


@pytest.fixture
def context(new_context: NewContext) -> BrowserContext:
    """Without a service worker, so that the tests can stand between browser and server."""
    return new_context(service_workers="block")


@pytest.mark.parametrize("name", [*FILES[:3], *(pytest.param(name, marks=pytest.mark.long) for name in FILES[3:])])
def test_a_missing_file_is_told_and_tried_again(context: BrowserContext, complaints: list[str], name: str) -> None:
    pattern = f"**/{name}"
    context.route(pattern, lambda route: route.fulfill(status=404))
    lab = Lab(context.new_page())
    lab.page.goto("labs/founding/")
    lab.card.locator(".lab-door button").click()
    expect(lab.card).to_have_attribute("data-phase", "failed", timeout=60_000)
    lab.says("missing or didn't arrive")
    context.unroute(pattern)
    lab.press("Try again")
    lab.wait_until_ready()
    complaints.clear()


@pytest.mark.parametrize("arrives", [True, False])
def test_a_missing_lab_is_told(context: BrowserContext, complaints: list[str], arrives: bool) -> None:
    """Where not even a refusal arrives, the browser writes into the frame, and nobody may look into that."""

    def refuse(route: Route) -> None:
        if arrives:
            route.fulfill(status=404, body="no such page")
        else:
            route.abort()

    context.route("**/lab/notebooks/**", refuse)
    lab = Lab(context.new_page())
    lab.page.goto("labs/founding/")
    lab.card.locator(".lab-door button").click()
    lab.says("The lab could not be loaded")
    expect(lab.card.locator("iframe")).to_be_hidden()
    context.unroute("**/lab/notebooks/**")
    lab.press("Try again")
    expect(lab.card.locator("iframe")).to_be_visible()
    lab.wait_until_ready()
    complaints.clear()


def test_a_syntax_error_is_its_cells_own(context: BrowserContext) -> None:
    lab = Lab(context.new_page()).open()
    lab.write(1, "def broken(:\n    pass")
    lab.write(3, "print('still', 'running')")
    lab.run(1)
    lab.wait_for_output(1, "invalid syntax")
    lab.run(3)
    lab.wait_for_output(3, "still running")


def test_without_storage_the_lab_works_and_says_so(context: BrowserContext, complaints: list[str]) -> None:
    context.add_init_script(
        """for (const name of ["indexedDB", "localStorage"]) {
            Object.defineProperty(window, name, { get() { throw new DOMException("off", "SecurityError"); } });
        }"""
    )
    lab = Lab(context.new_page()).open()
    lab.write(1, "print('with', 'nothing kept')")
    lab.run(1)
    lab.wait_for_output(1, "with nothing kept")
    expect(lab.notice()).to_contain_text("storage is switched off")
    # The theme's own script asks for the storage and doesn't expect to be refused.
    complaints[:] = [complaint for complaint in complaints if complaint != "off"]


def test_without_a_service_worker_input_says_why_not(context: BrowserContext) -> None:
    lab = Lab(context.new_page()).open()
    lab.write(1, "input('Name? ')")
    lab.run(1)
    lab.wait_for_output(1, "needs a service worker")


def test_the_network_lost_in_the_middle_of_a_start_is_told_and_tried_again(
    context: BrowserContext, complaints: list[str]
) -> None:
    lost: list[str] = []

    def cut(route: Route) -> None:
        # The page and the first files came; from the runtime's largest on, nothing answers.
        if lost or route.request.url.endswith("pyodide.asm.wasm"):
            lost.append(route.request.url)
            route.abort("internetdisconnected")
        else:
            route.fallback()

    context.route("**/*", cut)
    lab = Lab(context.new_page())
    lab.page.goto("labs/founding/")
    lab.card.locator(".lab-door button").click()
    expect(lab.card).to_have_attribute("data-phase", "failed", timeout=60_000)
    lab.says("missing or didn't arrive")
    assert lost
    context.unroute("**/*")
    lab.press("Try again")
    lab.wait_until_ready()
    complaints.clear()


def test_code_that_breaks_python_itself_is_told_at_once_and_a_restart_helps(
    context: BrowserContext, complaints: list[str]
) -> None:
    lab = Lab(context.new_page()).open()
    lab.write(1, "import ctypes\nctypes.string_at(0xFFFFFFF0, 100_000)")
    lab.run(1)
    lab.says("Python itself broke down")
    expect(lab.notice()).to_contain_text("Restart it")
    lab.inside.get_by_role("button", name="Restart Python").click()
    lab.says("Python was restarted")
    lab.write(1, "print('well', 'again')")
    lab.run(1)
    lab.wait_for_output(1, "well again")
    complaints.clear()


def test_a_snippet_that_nobody_left_here_is_not_blamed_on_storage(context: BrowserContext) -> None:
    lab = Lab(context.new_page())
    lab.page.goto("labs/founding/?snippet=no-such-snippet")
    lab.card.locator(".lab-door button").click()
    status = lab.card.locator(".lab-status")
    expect(status).to_contain_text("No code of a snippet “no-such-snippet” is kept in this browser")
    lab.wait_until_ready()


def test_a_server_gone_under_a_running_lab_stops_neither_python_nor_saving(
    context: BrowserContext, complaints: list[str]
) -> None:
    lab = Lab(context.new_page()).open()
    context.route("**/*", lambda route: route.abort("connectionrefused"))
    lab.write(1, "print('no', 'server needed')")
    lab.run(1)
    lab.wait_for_output(1, "no server needed")
    lab.wait_until_saved()
    context.unroute("**/*")
    lab.open()
    assert lab.source(1) == "print('no', 'server needed')"
    complaints.clear()


def test_what_a_cell_takes_away_or_puts_off_is_told_for_what_it_is(
    context: BrowserContext, complaints: list[str]
) -> None:
    lab = Lab(context.new_page()).open()
    lab.write(1, "exit()")
    lab.run(1)
    lab.wait_for_output(1, "doesn't end a notebook")
    lab.write(
        1, "from pyodide.code import run_js\nrun_js('setTimeout(() => { throw new Error(\"later\") })')\nprint('set')"
    )
    lab.run(1)
    lab.wait_for_output(1, "set")
    lab.page.wait_for_timeout(500)
    assert any("later" in complaint for complaint in complaints)
    expect(lab.card).to_have_attribute("data-phase", "ready")
    expect(lab.notice()).to_have_count(0)
    complaints.clear()
    lab.write(1, "import sys\nsys.stdout = None")
    lab.run(1)
    lab.wait_for_kernel("idle")
    lab.write(3, "print('again')")
    lab.run(3)
    lab.wait_for_output(3, "Restart, above, brings it back")
    lab.press("Restart")
    lab.page.get_by_role("dialog").get_by_role("button", name="Restart").click()
    lab.says("Python was restarted")
    lab.run(3)
    lab.wait_for_output(3, "again")


def test_a_browser_that_lets_no_word_through_has_a_lab_all_the_same(
    context: BrowserContext, complaints: list[str]
) -> None:
    refused = (
        "Object.assign(globalThis, { BroadcastChannel: class { constructor() { throw new Error('refused'); } } });"
    )
    context.add_init_script(refused)
    lab = Lab(context.new_page())
    lab.page.goto("labs/founding/")
    expect(lab.card).to_contain_text("isn't recorded here")
    assert complaints == []
    lab.start()
    lab.write(1, "print('no', 'channel')")
    lab.run(1)
    lab.wait_for_output(1, "no channel")
    complaints.clear()  # JupyterLite's own, in the frame: it says that its service worker can't be reached
