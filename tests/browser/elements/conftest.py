"""A small site of the course's elements, and pages of it that fail on any complaint."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from coursekit.node import run_node
from tests.browser.driving import PROJECT, listen, served
from tests.browser.elements.pages import write_pages

HERE = Path(__file__).parent
RUNTIME = 'export const RUNTIME = { course: "inside-the-batch", pyodide: "py/", wheel: "py/engine.whl" };\n'


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the small site."""
    folder = tmp_path_factory.mktemp("elements")
    course = folder / "assets" / "course"
    shutil.copytree(PROJECT.browser, course, ignore=shutil.ignore_patterns("vendor-src"))
    bundled = sorted((PROJECT.browser / "vendor-src").glob("*.js"))
    run_node(PROJECT, [PROJECT.site_build / "bundle.mjs", course / "vendor", *bundled])
    shutil.copy(HERE / "fake-python-worker.js", course / "python-worker.js")
    (course / "runtime.js").write_text(RUNTIME, encoding="utf-8")
    write_pages(folder)
    with served(folder) as address:
        yield address


@pytest.fixture
def context(browser: Browser, site: str, complaints: list[str]) -> Iterator[BrowserContext]:
    """One student's browser. The test fails on a console error and on a request to another host."""
    context = browser.new_context(base_url=site, reduced_motion="reduce")
    context.set_default_timeout(8000)
    listen(context, site, complaints)
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
