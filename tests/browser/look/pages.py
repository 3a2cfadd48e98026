"""Which pages are looked at: all of ours."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from playwright.sync_api import Page

from tests.browser.driving import PROJECT
from tests.browser.look.conftest import READY

NOT_OURS = ("lab",)
SAMPLES = ("reference/live/", "reference/memory/")
SETTLED = """() => document.fonts.ready
  .then(() => new Promise(requestAnimationFrame))
  .then(() => new Promise(requestAnimationFrame))"""
"""Waits until the faces are there, and what watches sizes has seen the result."""

TO_PLAYERS = "[...document.querySelectorAll('trace-player')].forEach((player) => player.scrollIntoView())"
PLAYERS_SHOW = """() => [...document.querySelectorAll("trace-player:has(template), trace-player[src]")]
  .every(({ shadowRoot }) => shadowRoot?.querySelector(".player") && !shadowRoot.querySelector("[data-coming]"))"""


def addresses() -> list[str]:
    """Every page of the built site that isn't JupyterLite's, as an address relative to its root."""
    site = PROJECT.site
    pages = (page.relative_to(site) for page in site.rglob("*.html"))
    return sorted(page.as_posix().removesuffix("index.html") for page in pages if page.parts[0] not in NOT_OURS)


def written() -> list[str]:
    """The pages that somebody wrote, and two of the long ones that are made alike from the engine's docstrings."""
    return [address for address in addresses() if not address.startswith("reference/") or address in SAMPLES]


def visited(page: Page, pages: Iterable[str] | None = None) -> Iterator[str]:
    """Each of `pages`, or of all of ours, in turn, open in `page`."""
    for address in addresses() if pages is None else pages:
        page.goto(address)
        page.wait_for_function(READY)
        page.evaluate(TO_PLAYERS)
        page.wait_for_function(PLAYERS_SHOW)
        page.evaluate("scrollTo(0, 0)")
        page.evaluate(SETTLED)
        yield address
