"""One driver, one browser of each kind and one server for all browser tests."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Playwright, expect, sync_playwright

from tests.browser.driving import PROJECT, NewContext, launch_chromium, launch_firefox, listen, served

EXPECT_MS = 20_000


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    """The driver: a process can have only one. What is expected may take as long as a busy machine needs."""
    expect.set_options(timeout=EXPECT_MS)
    with sync_playwright() as driver:
        yield driver


@pytest.fixture(scope="session")
def chromium(playwright: Playwright) -> Iterator[Browser]:
    """One Chromium for all tests."""
    with launch_chromium(playwright) as browser:
        yield browser


@pytest.fixture(scope="session")
def firefox(playwright: Playwright) -> Iterator[Browser]:
    """One Firefox for all tests that ask for it."""
    with launch_firefox(playwright) as browser:
        yield browser


@pytest.fixture(scope="session")
def browser(request: pytest.FixtureRequest) -> Browser:
    """Chromium, or what COURSE_BROWSER names (firefox)."""
    browser: Browser = request.getfixturevalue(os.environ.get("COURSE_BROWSER", "chromium"))
    return browser


@pytest.fixture(scope="session")
def site() -> Iterator[str]:
    """The address of the built site."""
    assert (PROJECT.site / "index.html").is_file(), "build/site is missing: `make build` makes it"
    with served(PROJECT.site) as address:
        yield address


@pytest.fixture
def complaints() -> list[str]:
    """Console errors, page errors and requests to other hosts. A test that provokes one takes it out again."""
    return []


@pytest.fixture
def new_context(browser: Browser, site: str, complaints: list[str]) -> Iterator[NewContext]:
    """Makes a student's browser: `new_context(service_workers="block")`. Any complaint fails the test."""
    contexts = []

    def made(**options: Any) -> BrowserContext:
        context = browser.new_context(base_url=site, reduced_motion="reduce", **options)
        context.set_default_timeout(60_000)
        listen(context, site, complaints)
        contexts.append(context)
        return context

    yield made
    for context in contexts:
        context.close()
    assert complaints == []
