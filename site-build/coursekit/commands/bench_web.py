"""`coursekit bench-web`: how long a student waits in Chromium, for Python and for a trace, and for how many bytes."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, sync_playwright

from coursekit.bench import player, simulator_web
from coursekit.bench.line import Line, served
from coursekit.bench.web import lines, measure
from coursekit.build import build_site
from coursekit.commands.build import say
from coursekit.failures import BuildFailed
from coursekit.project import here
from coursekit.testing.browsers import ensure_chromium
from engine.cli.options import whole
from engine.cli.parser import Parser

REPORT = "bench-web.json"


def main(arguments: Sequence[str]) -> int:
    """Build, measure, print a table and leave `build/bench-web.json`. A benchmark judges nothing."""
    parser = Parser(prog="python -m coursekit bench-web", description=__doc__)
    parser.add_argument("--rounds", type=whole(1, 5), default=5, help="how often each run is made (%(default)s)")
    parser.add_argument("--no-slow", action="store_true", help="leave out the slow line, which takes minutes")
    served_help = "how many the simulator serves (%(default)s)"
    parser.add_argument("--requests", type=whole(1, 10_000), default=10_000, help=served_help)
    parser.add_argument("--only-simulator", action="store_true", help="measure the simulator's speed alone")
    parser.add_argument("--only-player", action="store_true", help="measure the trace player alone")
    chosen = parser.read(arguments)
    project = here()
    try:
        site = build_site(project, say)
        chromium = ensure_chromium(say)
    except BuildFailed as failure:
        print(f"\n{failure}", file=sys.stderr)
        return 1
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        played = None if chosen.only_simulator else _played(browser, site, chosen.rounds)
        if played is not None:
            print("\n".join(player.lines(played)))
        if chosen.only_player:
            browser.close()
            return 0
        simulated = _simulated(browser, site, chosen.requests, chosen.rounds)
        waits = None if chosen.only_simulator else measure(browser, site, chosen.rounds, slow=not chosen.no_slow)
        browser.close()
    print("\n".join(simulator_web.lines(simulated)))
    if waits is not None:
        report = waits | {"simulator": simulated, "player": played}
        (project.build / REPORT).write_text(json.dumps(report, indent=1), encoding="utf-8")
        print("\n".join(lines(waits)))
    return 0


def _played(browser: Browser, site: Path, rounds: int) -> dict[str, Any]:
    with served(site, Line()) as address:
        page = browser.new_page()
        page.goto(f"{address}404.html")
        measured = player.measure(page, "/assets/course/trace-player.js", rounds)
        page.close()
    return measured


def _simulated(browser: Browser, site: Path, num_requests: int, rounds: int) -> dict[str, Any]:
    with served(site, Line()) as address:
        page = browser.new_page()
        page.goto(address)
        measured = simulator_web.measure(browser, page, num_requests, rounds)
        page.close()
    return measured
