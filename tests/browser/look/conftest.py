"""Pages of the built site, each in a browser of its own, as wide and as dark as a test wants them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

OpenPage = Callable[..., Page]
READY = "!document.querySelector(':not(:defined, trace-player)')"
"""True once every element of the course has taken its markup over; a trace player does it once it is near."""


@pytest.fixture
def open_page(site: str, chromium: Browser) -> Iterator[OpenPage]:
    """Opens a page of the site in a browser of its own: `open_page("notebook/", width=320, color_scheme="dark")`."""
    contexts = []

    def opened(address: str = "", width: int = 1280, height: int = 800, **options: Any) -> Page:
        given = {"reduced_motion": "reduce", **options}
        context = chromium.new_context(base_url=site, viewport={"width": width, "height": height}, **given)
        contexts.append(context)
        page = context.new_page()
        page.goto(address)
        page.wait_for_function(READY)
        return page

    yield opened
    for context in contexts:
        context.close()
