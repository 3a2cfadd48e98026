"""`coursekit bench-web`: how long a student waits for Python, in Chromium, and how many bytes that takes."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence

from playwright.sync_api import sync_playwright

from coursekit.bench.web import lines, measure
from coursekit.build import build_site
from coursekit.commands.build import say
from coursekit.failures import BuildFailed
from coursekit.project import here
from coursekit.testing.browsers import ensure_chromium

REPORT = "bench-web.json"


def main(arguments: Sequence[str]) -> int:
    """Build, measure, print a table and leave `build/bench-web.json`. A benchmark judges nothing."""
    parser = argparse.ArgumentParser(prog="coursekit bench-web", description=__doc__)
    parser.add_argument("--rounds", type=int, default=5, help="how often each run is made (%(default)s)")
    parser.add_argument("--no-slow", action="store_true", help="leave out the slow line, which takes minutes")
    chosen = parser.parse_args(arguments)
    project = here()
    try:
        site = build_site(project, say)
        chromium = ensure_chromium(say)
    except BuildFailed as failure:
        print(f"\n{failure}", file=sys.stderr)
        return 1
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        measured = measure(browser, site, chosen.rounds, slow=not chosen.no_slow)
        browser.close()
    (project.build / REPORT).write_text(json.dumps(measured, indent=1), encoding="utf-8")
    print("\n".join(lines(measured)))
    return 0
