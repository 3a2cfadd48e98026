"""Pages that no entry of the navigation names: readers can't find them, and the build stops at them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from coursekit.problems import Fault, Spot

SETTINGS = "mkdocs.yml"


def missing_from_nav(page: Path, root: Path) -> Iterator[Fault]:
    """A fault where `page`, in the course in `root`, isn't in `nav`. Without a `nav` every page is in it."""
    docs, settings = root / "docs", root / SETTINGS
    if not (page.is_relative_to(docs) and settings.is_file()):
        return
    name, named = page.relative_to(docs).as_posix(), _named(settings, settings.stat().st_mtime_ns)
    if named is not None and name not in named:
        yield Fault(Spot(1), f"no entry of the navigation names {name}", f"add `- {name}` to nav in {SETTINGS}")


class _Settings(yaml.SafeLoader):
    """Reads past the Python objects in the file, which only MkDocs should make."""


_Settings.add_multi_constructor("", lambda loader, suffix, node: None)


@cache
def _named(settings: Path, modified: int) -> frozenset[str] | None:
    try:
        data = yaml.load(settings.read_text(encoding="utf-8"), _Settings)
    except yaml.YAMLError:
        # The build says so, and better.
        return None
    nav = data.get("nav") if isinstance(data, dict) else None
    return None if nav is None else frozenset(_paths(nav))


def _paths(entry: Any) -> Iterator[str]:
    if isinstance(entry, str):
        yield entry
    elif isinstance(entry, list | dict):
        for part in entry if isinstance(entry, list) else entry.values():
            yield from _paths(part)
