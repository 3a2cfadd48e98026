"""The live page in a browser, beside a real bridge to a pretended server, over a wire that can be cut."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.driving import listen
from tests.browser.live.hands import Link, opened_link

MakeLink = Callable[..., Link]
OpenLive = Callable[..., Page]


@pytest.fixture
def allowed() -> list[str]:
    """Addresses that a student typed: those alone may be asked besides the site."""
    return []


@pytest.fixture
def make_link(site: str, allowed: list[str]) -> Iterator[MakeLink]:
    """Makes a bridge that lets the site in: `make_link(pause=0.05)`."""
    with ExitStack() as stack:

        def made(**options: Any) -> Link:
            link = stack.enter_context(opened_link(site, **options))
            allowed.append(f"{link.address}/")
            return link

        yield made


@pytest.fixture
def open_live(site: str, chromium: Browser, complaints: list[str], allowed: list[str]) -> Iterator[OpenLive]:
    """Opens the live page: `open_live(width=375, color_scheme="dark")`. A request to an untyped address fails it."""
    contexts = []

    def opened(address: str = "live/", width: int = 1280, **options: Any) -> Page:
        given = {"reduced_motion": "reduce", "viewport": {"width": width, "height": 900}, **options}
        context = chromium.new_context(base_url=site, **given)
        context.set_default_timeout(60_000)
        listen(context, site, complaints)
        contexts.append(context)
        page = context.new_page()
        page.goto(address)
        page.wait_for_function("!document.querySelector(':not(:defined)')")
        return page

    yield opened
    for context in contexts:
        context.close()
    strange = [words for words in complaints if not words.startswith(tuple(f"another host: {one}" for one in allowed))]
    assert strange == []
