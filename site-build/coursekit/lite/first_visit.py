"""Finds out which parts of JupyterLite a first visit loads: `python -m coursekit.lite.first_visit ADDRESS`.

ADDRESS is that of a served site whose `first-visit.txt` is empty but for its head. The names are printed.
"""

from __future__ import annotations

import re
import sys

from playwright.sync_api import sync_playwright

_PART = re.compile(r"/lab/app/[0-9a-f]+/(?P<name>[^/]+)\.[0-9a-f]{7}\.js$")
_IDLE = "globalThis.jupyterapp?.shell.currentWidget?.sessionContext?.session?.kernel?.status === 'idle'"


def parts_of_a_visit(address: str, chromium: str | None) -> list[str]:
    """The names of the parts that opening the founding lab and running all of it loads."""
    names: set[str] = set()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        # A service worker would stand between the page and what is listened to here.
        page = browser.new_context(service_workers="block").new_page()
        page.on("request", lambda request: names.update(_PART.findall(request.url)))
        page.goto(f"{address}lab/notebooks/index.html?path=founding.ipynb")
        page.wait_for_function(_IDLE, timeout=120_000)
        page.evaluate("void jupyterapp.commands.execute('runmenu:run-all')")
        page.wait_for_timeout(10_000)
        browser.close()
    return sorted(names, key=lambda name: (len(name), name))


if __name__ == "__main__":
    print(*parts_of_a_visit(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else None))
