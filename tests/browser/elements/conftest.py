"""A small site of the course's elements, a browser, and pages that fail on any complaint."""

from __future__ import annotations

import os
import shutil
import sys
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from coursekit.node import run_node
from coursekit.project import Project
from coursekit.testing.browsers import find_chromium, find_firefox
from tests.browser.elements.pages import write_pages

HERE = Path(__file__).parent
PROJECT = Project(HERE.parents[2])
RUNTIME = 'export const RUNTIME = { course: "inside-the-batch", pyodide: "py/", wheel: "py/engine.whl" };\n'


class _Handler(SimpleHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing of a page that left while a file was on its way."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)  # type: ignore[arg-type]


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the small site."""
    folder = tmp_path_factory.mktemp("elements")
    course = folder / "assets" / "course"
    shutil.copytree(PROJECT.browser, course, ignore=shutil.ignore_patterns("vendor-src"))
    run_node(
        PROJECT, [PROJECT.site_build / "bundle.mjs", course / "vendor", PROJECT.browser / "vendor-src/codemirror.js"]
    )
    shutil.copy(HERE / "fake-python-worker.js", course / "python-worker.js")
    (course / "runtime.js").write_text(RUNTIME, encoding="utf-8")
    write_pages(folder)
    server = _Server(("127.0.0.1", 0), partial(_Handler, directory=folder))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One browser for all tests of the elements: Chromium, or what COURSE_BROWSER names (firefox)."""
    with sync_playwright() as playwright:
        if os.environ.get("COURSE_BROWSER") == "firefox":
            browser = playwright.firefox.launch(channel="moz-firefox", executable_path=find_firefox())
        else:
            sandboxless = ["--no-sandbox", "--disable-gpu"]
            browser = playwright.chromium.launch(executable_path=find_chromium(), args=sandboxless)
        yield browser
        browser.close()


@pytest.fixture
def complaints() -> list[str]:
    """What pages complained of. A test that provokes a complaint takes it out again."""
    return []


def strangers(url: str, site: str) -> list[str]:
    """The address, where it is another host's."""
    return [] if url.startswith((f"{site}/", "data:", "blob:")) else [url]


@pytest.fixture
def context(browser: Browser, site: str, complaints: list[str]) -> Iterator[BrowserContext]:
    """One student's browser. The test fails on a console error and on a request to another host."""
    context = browser.new_context(base_url=f"{site}/", reduced_motion="reduce")
    context.set_default_timeout(8000)
    context.on("weberror", lambda error: complaints.append(str(error.error)))
    context.on("console", lambda message: complaints.extend([message.text] * (message.type == "error")))
    context.on("request", lambda request: complaints.extend(strangers(request.url, site)))
    yield context
    context.close()
    assert complaints == []


@pytest.fixture
def page(context: BrowserContext) -> Page:
    """The lesson, open."""
    page = context.new_page()
    open_page(page, "lesson.html")
    return page


def open_page(page: Page, address: str) -> None:
    """Go there and wait until every element has taken its markup over."""
    page.goto(address)
    page.wait_for_function("!document.querySelector(':not(:defined)')")


def skip_without_downloads(page: Page) -> None:
    """Playwright drives a stock Firefox over WebDriver BiDi, which tells it nothing of downloads."""
    browser = page.context.browser
    if browser and browser.browser_type.name == "firefox":
        pytest.skip("downloads can't be seen in this driver of Firefox")
