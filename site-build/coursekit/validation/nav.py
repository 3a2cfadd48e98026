"""Pages that no entry of the navigation names, and entries without a page: readers find neither, the build stops."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from coursekit.course_map import address
from coursekit.problems import Fault, Problem, Spot
from coursekit.validation.lessons import entries
from coursekit.validation.settings import SETTINGS, settings_of


def missing_from_nav(page: Path, root: Path) -> Iterator[Fault]:
    """A fault where `page`, in the course in `root`, isn't in `nav`. Without a `nav` every page is in it."""
    docs, nav = root / "docs", settings_of(root).get("nav")
    if nav is None or not page.is_relative_to(docs):
        return
    name = page.relative_to(docs).as_posix()
    if name not in set(_paths(nav)):
        yield Fault(Spot(1), f"no entry of the navigation names {name}", f"add `- {name}` to nav in {SETTINGS}")


def entries_without_a_page(root: Path) -> Iterator[Problem]:
    """What the settings of the course in `root` lead to that isn't there: in `nav`, and in the course map."""
    docs, settings = root / "docs", settings_of(root)
    for path in _paths(settings.get("nav") or []):
        if path.endswith(".md") and "://" not in path and not (docs / path).is_file():
            yield _nowhere(root, path, f"nav names {path}, which isn't in docs/")
    pages = {address(page, docs).rstrip("/") for page in docs.rglob("*.md")}
    for entry in entries((settings.get("extra") or {}).get("modules")):
        page = str(entry.get("page") or "")
        if page and page.rstrip("/") not in pages:
            yield _nowhere(root, page, f"extra.modules leads to {page}, where no page is")


def _nowhere(root: Path, path: str, what: str) -> Problem:
    lines = (root / SETTINGS).read_text(encoding="utf-8").splitlines()
    line = next((number for number, text in enumerate(lines, 1) if path in text), 1)
    return Problem(SETTINGS, line, 1, what, "write the page, mend the path, or take the entry away")


def _paths(entry: Any) -> Iterator[str]:
    if isinstance(entry, str):
        yield entry
    elif isinstance(entry, list | dict):
        for part in entry if isinstance(entry, list) else entry.values():
            yield from _paths(part)
