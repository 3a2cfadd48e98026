"""Pages that no entry of the navigation names: readers can't find them, and the build stops at them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from coursekit.problems import Fault, Spot
from coursekit.validation.settings import SETTINGS, settings_of


def missing_from_nav(page: Path, root: Path) -> Iterator[Fault]:
    """A fault where `page`, in the course in `root`, isn't in `nav`. Without a `nav` every page is in it."""
    docs, nav = root / "docs", settings_of(root).get("nav")
    if nav is None or not page.is_relative_to(docs):
        return
    name = page.relative_to(docs).as_posix()
    if name not in set(_paths(nav)):
        yield Fault(Spot(1), f"no entry of the navigation names {name}", f"add `- {name}` to nav in {SETTINGS}")


def _paths(entry: Any) -> Iterator[str]:
    if isinstance(entry, str):
        yield entry
    elif isinstance(entry, list | dict):
        for part in entry if isinstance(entry, list) else entry.values():
            yield from _paths(part)
