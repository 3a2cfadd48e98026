"""One page with Python up for a module's tests: starting it takes seconds. Its complaints fail the module."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.browser.driving import listen
from tests.browser.playground.driving import SMALL, Playground


@pytest.fixture(scope="module")
def playground(browser: Browser, site: str) -> Iterator[Playground]:
    """The playground after a first small run."""
    complaints: list[str] = []
    context = browser.new_context(base_url=site, reduced_motion="reduce", accept_downloads=True)
    context.set_default_timeout(60_000)
    listen(context, site, complaints)
    one = Playground(context.new_page())
    one.visit(SMALL)
    one.run()
    yield one
    context.close()
    assert complaints == []
