"""The playground in a browser: what a student does there, and what they see."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from typing import Any

from playwright.sync_api import Page, expect

from tests.browser.driving import PROJECT

SMALL = "#v=1&num_requests=60"
"""A run that is over at once, its trace included."""

TABLE = """() => [...document.querySelectorAll(".play-table tbody tr")].map((row) =>
  [row.querySelector("th"), ...[...row.querySelectorAll("td")].map((cell) => cell.firstChild)].map(
    (node) => node?.textContent ?? ""))"""

AS_ROWS = """async (report) => {
  const { rowsOf, shown } = await import("/assets/course/lib/playground/report.js");
  return rowsOf(report).map((row) => [row.label, row.n.toLocaleString("en"), shown(row, row.value)]);
}"""


class Playground:
    """One page with the playground on it."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.element = page.locator("course-playground")
        self.status = page.locator(".play-status")
        self.command = page.locator(".play-command")

    def visit(self, fragment: str = "") -> None:
        """Go there, as by a link: Python isn't up then."""
        self.page.goto("about:blank")
        self.page.goto(f"playground/{fragment}")
        self.page.wait_for_function("!document.querySelector('course-playground:not(:defined)')")

    def open(self, fragment: str = "#v=1") -> None:
        """Change the address alone, as going back does: Python stays up, and the state is run."""
        self.page.evaluate("(fragment) => (location.hash = fragment)", fragment)
        self.idle()

    def press(self, name: str) -> None:
        """Press one of its buttons."""
        self.element.get_by_role("button", name=name, exact=True).click()

    def idle(self) -> None:
        """Wait until nothing runs."""
        expect(self.element).to_have_attribute("data-phase", "idle", timeout=120_000)

    def run(self) -> None:
        """Press *Run* and wait for the end of it."""
        self.press("Run")
        expect(self.status).to_contain_text("simulated in", timeout=120_000)
        self.idle()

    def set(self, label: str, text: str) -> None:
        """Give a field another number, as a student would, and let it run to its end."""
        field = self.page.get_by_label(label, exact=True)
        field.press("ControlOrMeta+a")
        # Typed and not filled in: Firefox tells a script's value no change.
        self.page.keyboard.type(text)
        self.page.keyboard.press("Tab")
        self.idle()

    def table(self) -> list[list[str]]:
        """What the table shows, a list a row."""
        rows: list[list[str]] = self.page.evaluate(TABLE)
        return rows

    def values(self) -> list[list[str]]:
        """Label, number of requests and value of each row."""
        return [row[:3] for row in self.table()]

    def copied(self) -> str:
        """The command that stands below the results."""
        return self.command.text_content() or ""

    def by_command(self, *, at: Any = None) -> list[list[str]]:
        """Run the command here, and show its report as the page would."""
        report = reported(self.copied(), at or PROJECT.root)
        rows: list[list[str]] = self.page.evaluate(AS_ROWS, report)
        return rows


def reported(command: str, at: Any) -> dict[str, Any]:
    """What a copied command prints, by this Python, in the folder `at`."""
    words = [sys.executable, *shlex.split(command)[1:], "--json"]
    done = subprocess.run(
        words, cwd=at, capture_output=True, text=True, check=True, env={"PYTHONPATH": str(PROJECT.root)}
    )
    found: dict[str, Any] = json.loads(done.stdout)
    return found
