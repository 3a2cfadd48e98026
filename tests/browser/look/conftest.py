"""The built site, served as `make serve` serves it, and a Chromium to look at it with."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from coursekit.project import here
from coursekit.serve.answer import answer
from coursekit.serve.ports import address_of, open_server
from coursekit.testing.browsers import find_chromium

PROJECT = here()
OpenPage = Callable[..., Page]


@pytest.fixture(scope="session")
def site() -> Iterator[str]:
    """The address of the built site."""
    assert (PROJECT.site / "index.html").is_file(), "build/site is missing: `make build` makes it"
    mounts = [("/", PROJECT.site)]
    server = open_server("127.0.0.1", 0, lambda target, headers: answer(target, headers, mounts))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield address_of(server)
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """One Chromium for all tests of the look."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=["--no-sandbox", "--disable-gpu"])
        yield browser
        browser.close()


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
        page.wait_for_function("!document.querySelector(':not(:defined)')")
        return page

    yield opened
    for context in contexts:
        context.close()
