"""What every browser test stands on: the browsers that there are, the built site, an ear for complaints, axe."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Playwright

from coursekit.project import here
from coursekit.serve.answer import answer
from coursekit.serve.ports import address_of, open_server
from coursekit.testing.browsers import find_chromium, find_firefox

PROJECT = here()
NewContext = Callable[..., BrowserContext]
SANDBOXLESS = ("--no-sandbox", "--disable-gpu")
EVERY_LOOK = pytest.mark.parametrize(
    ("width", "theme"),
    [
        (375, "dark"),
        pytest.param(1280, "light", marks=pytest.mark.long),
        pytest.param(1280, "dark", marks=pytest.mark.long),
        pytest.param(375, "light", marks=pytest.mark.long),
    ],
)
"""Both widths and themes: one in `make test`, the others in `make test-long`."""
MACHINE_MS = 40.0
"""How long `WORK` takes where the limits of the tests that measure were set."""
WORK = """() => {
  const rows = Array.from({ length: 20_000 }, (_, row) => ({ id: `r${row % 997}`, at: (row * 7919) % 10_007, row }));
  const text = JSON.stringify(rows);
  const times = Array.from({ length: 5 }, () => {
    const start = performance.now();
    for (let round = 0; round < 8; round += 1) JSON.parse(text).sort((a, b) => a.at - b.at || a.row - b.row);
    return performance.now() - start;
  });
  return Math.min(...times);
}"""
"""Nothing of ours: objects made, read from text and put in order."""
AXE = PROJECT.site_build / "node_modules" / "axe-core" / "axe.min.js"


def launch_chromium(playwright: Playwright, *flags: str) -> Browser:
    """The Chromium that `make test` found or installed."""
    return playwright.chromium.launch(executable_path=find_chromium(), args=[*SANDBOXLESS, *flags])


@contextmanager
def launch_firefox(playwright: Playwright) -> Iterator[Browser]:
    """The system's Firefox, over WebDriver BiDi; where there is none, the test is skipped with a word.

    It doesn't start where it can't write in its home folder, or where that is another user's: it gets its own.
    """
    path = find_firefox()
    if not path:
        pytest.skip("Firefox isn't installed: with it (firefox-esr or firefox), this runs too")
    with TemporaryDirectory(ignore_cleanup_errors=True) as home:
        mine = {**os.environ, "HOME": home}
        with playwright.firefox.launch(channel="moz-firefox", executable_path=path, env=mine) as browser:
            yield browser


def slower(page: Page) -> float:
    """How many times as much time a page is given here: a slow machine is measured by itself, none as a fast one."""
    return max(1.0, float(page.evaluate(WORK)) / MACHINE_MS)


@contextmanager
def served(folder: Path, host: str = "127.0.0.1") -> Iterator[str]:
    """Serve a folder as `make serve` does; its address."""
    mounts = [("/", folder)]
    server = open_server(host, 0, lambda target, headers: answer(target, headers, mounts))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield address_of(server)
    server.shutdown()
    server.server_close()


def listen(context: BrowserContext, site: str, complaints: list[str]) -> None:
    """Note every page error, console error and request to another host than `site` (which ends in a slash)."""
    context.on("weberror", lambda error: complaints.append(str(error.error)))
    context.on("console", lambda message: complaints.extend([message.text] * (message.type == "error")))
    context.on("request", lambda request: complaints.extend(strangers(request.url, site)))


def strangers(url: str, site: str) -> list[str]:
    """The address, where it is another host's."""
    return [] if url.startswith((site, "data:", "blob:")) else [f"another host: {url}"]


def findings(page: Page, options: dict[str, Any] | None = None, within: str = "") -> list[str]:
    """What axe finds on a page and in the frames that are open in it, or within the parts that a selector names."""
    for frame in page.frames:
        frame.add_script_tag(path=AXE)
    found = page.evaluate(
        "([within, options]) => axe.run(within || document, options)",
        [within, {"resultTypes": ["violations"], **(options or {})}],
    )
    return [
        f"{rule['id']}: {node['html']}: {node['failureSummary']}"
        for rule in found["violations"]
        for node in rule["nodes"]
    ]
