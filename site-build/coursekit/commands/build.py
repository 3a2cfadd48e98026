"""`coursekit build`: the site, whole, in build/site."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from coursekit.build import build_site
from coursekit.failures import BuildFailed
from coursekit.project import here
from engine.cli.parser import Parser


def main(arguments: Sequence[str]) -> int:
    """Build; 0 when the site stands, 1 with what was wrong on standard error."""
    Parser(prog="python -m coursekit build", description=__doc__).read(arguments)
    try:
        site = build_site(here(), say)
    except BuildFailed as failure:
        print(f"\n{failure}", file=sys.stderr)
        return 1
    print(f"The site stands in {site}; any static host can serve it.")
    return 0


def say(line: str) -> None:
    """Tell the person at the terminal what happens, at once."""
    print(f"  {line}", flush=True)
