"""The site's own Python, as the snippets of a lesson run it, without a snippet around it."""

from __future__ import annotations

from typing import NamedTuple

from playwright.sync_api import Page

_RUNNER = """new URL(
    document.querySelector("meta[name=course-root]").content + "/assets/course/lib/shared-runner.js", location
).href"""
_RUN = """async ([runner, code]) => {
    const { sharedRunner } = await import(runner);
    let said = "";
    const result = await (await sharedRunner()).run(code, ({ text }) => (said += text));
    return [said, result.outcome, result.traceback];
}"""


class Ran(NamedTuple):
    """What a piece of code printed, how it ended, and with which traceback."""

    said: str
    outcome: str
    traceback: str


def run_python(page: Page, code: str) -> Ran:
    """Run code in the page's Python, which starts with the first call."""
    runner = page.evaluate(_RUNNER)
    return Ran(*page.evaluate(_RUN, [runner, code]))
