"""Code in the text that runs, with a stand-in for Python that speaks its protocol."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, Route, expect

from tests.browser.elements.conftest import open_page
from tests.browser.elements.storage import put, stored


@pytest.fixture
def snippet(page: Page) -> Locator:
    return page.locator("course-snippet")


def press(snippet: Locator, name: str) -> None:
    snippet.get_by_role("button", name=name, exact=True).click()


def write(snippet: Locator, code: str) -> None:
    """Replace all code in the editor."""
    editor = snippet.get_by_role("textbox")
    editor.press("Control+a")
    editor.press("Backspace")
    editor.press_sequentially(code)


def test_before_a_click_nothing_of_python_or_the_editor_is_fetched(context: BrowserContext) -> None:
    page = context.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    open_page(page, "lesson.html")
    page.wait_for_load_state("networkidle")
    heavy = [url for url in asked if any(part in url for part in ("codemirror", "python", "/py/", "runtime.js"))]
    assert heavy == []
    expect(page.locator(".snippet-output")).to_contain_text("one\ntwo")
    expect(page.locator(".snippet-caption")).to_have_text("Output")


def test_run_shows_the_progress_then_the_output_and_opens_the_editor(snippet: Locator) -> None:
    press(snippet, "Run")
    expect(snippet.locator(".snippet-progress")).to_have_text("Starting Python… 3 of 8 MB")
    expect(snippet.get_by_role("status")).to_have_text("Finished.")
    expect(snippet.locator(".snippet-progress")).to_be_hidden()
    expect(snippet.locator(".snippet-caption")).to_have_text("Output of your run")
    expect(snippet.get_by_role("textbox")).to_have_accessible_name("Python code: A batcher")
    expect(snippet.get_by_role("textbox")).to_have_accessible_description(
        "Ctrl+Enter runs the code. Tab indents; to leave the editor, press Esc, then Tab."
    )
    expect(snippet.locator(".highlight")).to_be_hidden()
    expect(snippet.get_by_role("button", name="Run")).to_be_focused()


def test_the_output_does_not_wait_for_the_editor(context: BrowserContext, snippet: Locator) -> None:
    held: list[Route] = []
    context.route("**/vendor/codemirror.js", lambda route: held.append(route))
    press(snippet, "Run")
    expect(snippet.get_by_role("status")).to_have_text("Finished.")
    expect(snippet.locator(".highlight")).to_be_visible()
    held[0].continue_()
    expect(snippet.get_by_role("textbox")).to_be_visible()


def test_an_editor_that_cannot_be_fetched_leaves_the_code_runnable(
    context: BrowserContext, snippet: Locator, complaints: list[str]
) -> None:
    context.route("**/vendor/codemirror.js", lambda route: route.abort())
    press(snippet, "Edit")
    expect(snippet.get_by_role("status")).to_contain_text("The editor could not be loaded")
    press(snippet, "Run")
    expect(snippet.get_by_role("status")).to_have_text("Finished.")
    complaints.clear()


def test_changed_code_runs_is_kept_over_a_reload_and_can_be_reset(page: Page, snippet: Locator) -> None:
    press(snippet, "Edit")
    expect(snippet.get_by_role("textbox")).to_be_focused()
    write(snippet, 'print("mine")')
    page.keyboard.press("Control+Enter")
    expect(snippet.locator(".snippet-output pre").first).to_have_text("mine\n")
    expect(snippet.locator(".snippet-version")).to_have_text("This is your version. Reset brings the lesson's back.")
    page.reload()
    expect(snippet.locator(".snippet-mine")).to_have_text('print("mine")')
    expect(snippet.locator(".highlight")).to_be_hidden()
    press(snippet, "Reset")
    expect(snippet.locator(".highlight")).to_be_visible()
    press(snippet, "Undo reset")
    expect(snippet.locator(".snippet-mine")).to_have_text('print("mine")')
    press(snippet, "Reset")
    expect(snippet.locator(".snippet-mine")).to_be_hidden()
    expect(snippet.get_by_role("status")).to_have_text("The lesson's code is back.")
    assert stored(page, "snippet/two-slots") is None


def test_reset_brings_the_code_and_the_output_of_the_lesson_back(snippet: Locator) -> None:
    press(snippet, "Edit")
    write(snippet, 'print("mine")')
    press(snippet, "Run")
    expect(snippet.locator(".snippet-output pre").first).to_have_text("mine\n")
    press(snippet, "Reset")
    expect(snippet.get_by_role("textbox")).to_have_text('print("one")print("two")')
    expect(snippet.locator(".snippet-output pre").first).to_have_text("one\ntwo\n")
    expect(snippet.locator(".snippet-caption")).to_have_text("Output")
    press(snippet, "Undo reset")
    expect(snippet.get_by_role("textbox")).to_have_text('print("mine")')
    expect(snippet.get_by_role("status")).to_have_text("Your code is back.")
    press(snippet, "Reset")
    write(snippet, 'print("other")')
    expect(snippet.get_by_role("button", name="Undo reset")).to_have_count(0)


def test_an_endless_loop_is_stopped(snippet: Locator) -> None:
    press(snippet, "Edit")
    write(snippet, "loop")
    press(snippet, "Run")
    expect(snippet.locator(".snippet-output")).to_contain_text("looping")
    expect(snippet.get_by_role("button", name="Run")).to_have_attribute("aria-disabled", "true")
    press(snippet, "Stop")
    expect(snippet.get_by_role("status")).to_have_text("Stopped.")
    expect(snippet.locator(".snippet-output")).to_contain_text("looping")
    expect(snippet.get_by_role("button", name="Stop")).to_be_focused()


def test_a_run_that_follows_a_stop_at_once_isnt_taken_for_the_one_that_was_stopped(snippet: Locator) -> None:
    press(snippet, "Edit")
    write(snippet, "loop")
    press(snippet, "Run")
    expect(snippet.locator(".snippet-output")).to_contain_text("looping")
    press(snippet, "Stop")
    expect(snippet.get_by_role("status")).to_have_text("Stopped.")
    press(snippet, "Run")
    snippet.page.wait_for_timeout(2000)  # longer than a run has to stop
    expect(snippet.get_by_role("status")).to_have_text("Running…")
    expect(snippet.get_by_role("button", name="Restart Python")).to_be_hidden()


def test_one_long_call_that_cannot_be_stopped_gets_a_restart(snippet: Locator) -> None:
    press(snippet, "Edit")
    write(snippet, "stuck")
    press(snippet, "Run")
    expect(snippet.get_by_role("status")).to_have_text("Running…")
    expect(snippet.get_by_role("button", name="Restart Python")).to_be_hidden()
    press(snippet, "Stop")
    expect(snippet.get_by_role("status")).to_contain_text("one long call that can't be stopped")
    press(snippet, "Restart Python")
    expect(snippet.get_by_role("status")).to_have_text("Python was restarted.")
    expect(snippet.get_by_role("button", name="Restart Python")).to_be_hidden()
    expect(snippet.get_by_role("button", name="Run")).to_be_focused()
    write(snippet, 'print("well")')
    press(snippet, "Run")
    expect(snippet.locator(".snippet-output pre").first).to_have_text("well\n")


def test_two_snippets_share_one_python_and_wait_for_each_other(context: BrowserContext) -> None:
    page = context.new_page()
    open_page(page, "two-snippets.html")
    first, second = page.locator("course-snippet").all()
    press(first, "Edit")
    write(first, "loop")
    press(first, "Run")
    expect(first.get_by_role("status")).to_have_text("Running…")
    press(second, "Run")
    expect(second.get_by_role("status")).to_contain_text("Another piece of code on this page is running.")
    press(first, "Stop")
    expect(first.get_by_role("status")).to_have_text("Stopped.")
    press(second, "Run")
    expect(second.get_by_role("status")).to_have_text("Finished.")
    assert len(page.workers) == 1


def test_an_error_shows_the_short_traceback_and_marks_the_line(snippet: Locator) -> None:
    press(snippet, "Edit")
    write(snippet, "x = 1\nprint(nothing)")
    press(snippet, "Run")
    expect(snippet.get_by_role("status")).to_have_text("Error in line 2: NameError: name 'nothing' is not defined")
    expect(snippet.locator(".snippet-traceback")).to_have_text(
        "Your code, line 2\n    print(nothing)\n          ^^^^^^^\nNameError: name 'nothing' is not defined"
    )
    expect(snippet.locator(".cm-fault")).to_have_text("print(nothing)")
    expect(snippet.get_by_text("_pyodide/_base.py")).to_be_hidden()
    snippet.get_by_text("The whole traceback").click()
    expect(snippet.get_by_text("_pyodide/_base.py")).to_be_visible()
    write(snippet, 'print("well")')
    expect(snippet.locator(".cm-fault")).to_have_count(0)
    press(snippet, "Run")
    expect(snippet.locator(".snippet-error")).to_be_hidden()


def test_without_a_network_the_word_is_that_python_is_missing_not_that_the_code_runs(
    context: BrowserContext, snippet: Locator, complaints: list[str]
) -> None:
    context.route("**/python-worker.js", lambda route: route.abort())
    held: list[Route] = []
    context.route("**/vendor/codemirror.js", lambda route: held.append(route))
    press(snippet, "Run")
    expect(snippet.get_by_role("button", name="Try again")).to_be_visible()
    with snippet.page.expect_event("requestfailed", lambda request: "codemirror" in request.url):
        held[0].abort()
    snippet.page.wait_for_timeout(100)
    expect(snippet.get_by_role("status")).to_contain_text("Python could not be loaded")
    complaints.clear()


def test_python_that_does_not_arrive_is_said_and_can_be_tried_again(context: BrowserContext, snippet: Locator) -> None:
    context.route("**/python-worker.js", lambda route: route.abort())
    press(snippet, "Run")
    expect(snippet.get_by_role("status")).to_contain_text("Python could not be loaded")
    context.unroute("**/python-worker.js")
    press(snippet, "Try again")
    expect(snippet.get_by_role("status")).to_have_text("Finished.")
    expect(snippet.get_by_role("button", name="Run", exact=True)).to_be_focused()


def test_what_is_printed_to_stderr_is_told_apart_and_silence_is_said(snippet: Locator) -> None:
    press(snippet, "Edit")
    write(snippet, "warn")
    press(snippet, "Run")
    expect(snippet.locator(".snippet-err")).to_have_text("careful\n")
    write(snippet, "pass")
    press(snippet, "Run")
    expect(snippet.get_by_role("status")).to_have_text("Finished. The code printed nothing.")


def test_tab_indents_and_escape_lets_it_leave(page: Page, snippet: Locator) -> None:
    press(snippet, "Edit")
    editor = snippet.get_by_role("textbox")
    editor.press("Control+Home")
    page.keyboard.press("Tab")
    expect(snippet.locator(".cm-line").first).to_have_text('    print("one")')
    expect(editor).to_be_focused()
    page.keyboard.press("Escape")
    page.keyboard.press("Tab")
    expect(editor).not_to_be_focused()


def test_the_lab_gets_the_code_as_it_stands(page: Page, snippet: Locator, context: BrowserContext) -> None:
    context.route("**/lab.html*", lambda route: route.fulfill(body="<title>Lab</title>", content_type="text/html"))
    press(snippet, "Run")
    link = snippet.get_by_role("link", name="Open in the lab")
    expect(link).to_have_attribute("href", page.url.replace("lesson.html", "lab.html?snippet=two-slots"))
    link.click()
    page.wait_for_url("**/lab.html?snippet=two-slots")
    assert stored(page, "snippet/two-slots")["code"] == 'print("one")\nprint("two")'


def test_code_changed_for_an_earlier_version_is_kept_and_said(page: Page, snippet: Locator) -> None:
    put(page, "snippet", "two-slots", {"hash": "older", "code": "mine"})
    page.reload()
    expect(snippet.locator(".snippet-mine")).to_have_text("mine")
    expect(snippet.locator(".snippet-version")).to_contain_text("the lesson has changed since")


def test_the_stand_in_speaks_the_worker_s_protocol() -> None:
    """Every type of message that the runner reads is one that the real worker sends."""
    browser = Path(__file__).parents[3] / "site-build" / "browser"
    real = (browser / "python-worker.js").read_text(encoding="utf-8")
    for kind in ("progress", "ready", "output", "done"):
        assert f'"{kind}"' in (Path(__file__).parent / "fake-python-worker.js").read_text(encoding="utf-8")
        assert f'"{kind}"' in real
