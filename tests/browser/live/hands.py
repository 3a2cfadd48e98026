"""What a student does on the live page, and what stands behind it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import Page, expect

from tests.live.bridging import TOKEN, bridge
from tests.live.bridging import Page as Asking
from tests.live.cutting import Wire, wire_to
from tests.live.pretended import Complete, Server, answering, serving

PYTHON_MS = 120_000
"""A workload is drawn by Python, which has to start first."""


@dataclass
class Link:
    """A bridge to a pretended server; the page comes to it over `wire`."""

    server: Server
    bridge: Asking
    wire: Wire

    @property
    def address(self) -> str:
        """Where the page finds it."""
        return f"http://127.0.0.1:{self.wire.port}"

    @property
    def printed(self) -> str:
        """The link that a bridge prints."""
        return f"{self.address}/live/#live={TOKEN}"


@contextmanager
def opened_link(
    origin: str,
    *,
    pause: float = 0.0,
    complete: Complete | None = None,
    origins: tuple[str, ...] | None = None,
    version: str = "",
    **given: Any,
) -> Iterator[Link]:
    """A server that takes `pause` seconds a token, a bridge that lets the site in, and a wire to it.

    With `version`, the server is a vLLM; `complete` answers in place of the usual tokens.
    """
    pages = {"version": version} if version else {}
    let_in = (origin.rstrip("/"),) if origins is None else origins
    with (
        serving(complete or answering(pause), **pages) as server,
        bridge(server.url, origins=let_in, **given) as asking,
        wire_to(asking.port) as wire,
    ):
        yield Link(server, asking, wire)


def live(page: Page) -> Any:
    """The element."""
    return page.locator("course-live")


def connect(page: Page, link: str, token: str = "") -> None:
    """Fill in the form and send it."""
    page.get_by_label("Address of the bridge").fill(link)
    if token:
        page.get_by_label("Token", exact=True).fill(token)
    page.get_by_role("button", name="Connect", exact=True).click()


def connected(page: Page, link: Link) -> None:
    """Connect, and see that it worked."""
    connect(page, link.printed)
    expect(live(page)).to_have_attribute("data-link", "on")


def numbers(page: Page, **values: float) -> None:
    """Fill in some of the workload's numbers, by the name of their field."""
    for name, value in values.items():
        page.locator(f"course-live input[name={name}]").fill(f"{value:g}")


def run(page: Page, **values: float) -> None:
    """Run a workload; it is under way when this returns."""
    numbers(page, **{"num_requests": 8, "rate": 20, "output_tokens": 12, "length_cv": 0, **values})
    page.get_by_role("button", name="Run it").click()
    expect(page.locator(".live-run trace-player").first).to_be_visible(timeout=PYTHON_MS)


def over(page: Page) -> None:
    """Wait for the run's end, and until it is kept."""
    expect(live(page)).to_have_attribute("data-run", "over", timeout=PYTHON_MS)
    expect(page.locator(".live-shelf [data-run]").first).to_be_visible(timeout=PYTHON_MS)


def status(page: Page, part: str) -> Any:
    """The line of status of a part: connect, workload, run, compare, runs."""
    return page.locator(f".live-{part} > .live-status")


def forgive(complaints: list[str], words: str) -> None:
    """A test that makes something fail takes out what the console said about it."""
    found = [one for one in complaints if words in one]
    assert found, f"nothing in the console says {words!r}: {complaints}"
    complaints[:] = [one for one in complaints if words not in one]
