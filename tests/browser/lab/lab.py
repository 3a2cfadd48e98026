"""Drives the lab in a page, as a student does; what a student can't do quickly goes through JupyterLab's own app."""

from __future__ import annotations

import time
from typing import Any

from playwright.sync_api import FrameLocator, Page, expect

NOTEBOOK = "jupyterapp.shell.currentWidget"
OWN_PAGE = "labs/founding/"


class Lab:
    """The lab on its own page."""

    def __init__(self, page: Page) -> None:
        self.page = page

    @property
    def card(self) -> Any:
        """The element in the page."""
        return self.page.locator("course-lab")

    @property
    def inside(self) -> FrameLocator:
        """What the frame shows."""
        return self.page.frame_locator("course-lab iframe")

    def open(self, address: str = OWN_PAGE) -> Lab:
        """Go to the page, start the lab and wait until Python is up."""
        self.page.goto(address)
        self.start()
        return self

    def start(self) -> None:
        """Press the button and wait until Python is up."""
        self.card.locator(".lab-door button").click()
        self.wait_until_ready()

    def wait_until_ready(self) -> None:
        """Wait until Python is up and the notebook open."""
        expect(self.card).to_have_attribute("data-phase", "ready", timeout=90_000)

    def press(self, name: str) -> None:
        """Press one of the page's buttons."""
        self.card.get_by_role("button", name=name, exact=True).click()

    def says(self, words: str) -> None:
        """Expect the status line to say it."""
        expect(self.card.locator(".lab-status")).to_contain_text(words, timeout=30_000)

    def ask(self, script: str, argument: Any = None) -> Any:
        """Evaluate in the frame; `notebook` is the open notebook's widget, `it` the argument."""
        frame = next(frame for frame in self.page.frames if "/lab/notebooks/" in frame.url)
        return frame.evaluate(f"(it) => {{ const notebook = {NOTEBOOK}; return ({script}); }}", argument)

    def write(self, number: int, source: str) -> None:
        """Replace the source of a cell."""
        self.ask("notebook.content.model.cells.get(it[0]).sharedModel.setSource(it[1])", [number, source])

    def source(self, number: int) -> str:
        """The source of a cell."""
        return str(self.ask("notebook.content.model.cells.get(it).sharedModel.getSource()", number))

    def run(self, number: int) -> None:
        """Run one cell; doesn't wait for it."""
        self.ask(
            "(notebook.content.activeCellIndex = it, void jupyterapp.commands.execute('notebook:run-cell'))", number
        )

    def output(self, number: int) -> str:
        """What a cell printed, showed or raised."""
        script = """JSON.stringify(notebook.content.model.cells.get(it).outputs?.toJSON().map(
            (output) => output.text ?? output.evalue ?? output.data))"""
        return str(self.ask(script, number))

    def kernel(self) -> str:
        """JupyterLab's word for what Python does."""
        return str(self.ask("notebook.sessionContext.session?.kernel?.status"))

    def wait_for_kernel(self, status: str, seconds: float = 30) -> float:
        """Wait until Python does that; the seconds that it took."""
        start = time.monotonic()
        while self.kernel() != status:
            assert time.monotonic() - start < seconds, f"Python is {self.kernel()}, not {status}, after {seconds} s"
            self.page.wait_for_timeout(20)
        return time.monotonic() - start

    def wait_for_output(self, number: int, words: str, seconds: float = 30) -> None:
        """Wait until a cell's output holds the words."""
        start = time.monotonic()
        while words not in self.output(number):
            assert time.monotonic() - start < seconds, f"{words!r} isn't in {self.output(number)}"
            self.page.wait_for_timeout(50)

    def wait_until_saved(self) -> None:
        """Wait until the notebook's changes are kept."""
        self.wait_for_value("notebook.context.model.dirty", False)

    def wait_for_value(self, script: str, value: Any, seconds: float = 30) -> None:
        """Wait until a script gives it in the frame."""
        start = time.monotonic()
        while (found := self.ask(script)) != value:
            assert time.monotonic() - start < seconds, f"{script} is {found!r}, not {value!r}, after {seconds} s"
            self.page.wait_for_timeout(50)

    def notice(self) -> Any:
        """The words above the notebook."""
        return self.inside.locator(".course-notice")

    def choose(self, name: str) -> None:
        """Press a button among the words above the notebook."""
        self.notice().get_by_role("button", name=name).click()
