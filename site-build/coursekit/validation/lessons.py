"""A lesson and what the course says of it: its template, and its entry in the course map that the home page draws.

A lesson without its template has no notes; the home page doesn't link one whose id or page the map tells otherwise.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from coursekit.course_map import address
from coursekit.problems import Fault, Problem, Spot, in_file
from coursekit.source import Page
from coursekit.validation.settings import SETTINGS, settings_of

TEMPLATE = "lesson.html"


def lesson_place_faults(page: Page, root: Path) -> Iterator[Fault]:
    """What is wrong around a lesson of the course in `root`; the map is asked only where there is one."""
    lesson, docs = page.front_matter.get("lesson"), root / "docs"
    if lesson is None or not page.path.is_relative_to(docs):
        return
    if page.front_matter.get("template") != TEMPLATE:
        mend = f"add `template: {TEMPLATE}` to the front matter"
        yield Fault(Spot(1), "the lesson has no template, so no notes, no bookmark and no *Mark complete*", mend)
    modules = (settings_of(root).get("extra") or {}).get("modules")
    if modules is not None:
        yield from _map_faults(str(lesson), address(page.path, docs), list(entries(modules)))


def _map_faults(lesson: str, where: str, entries: Sequence[dict[str, Any]]) -> Iterator[Fault]:
    entry = next((entry for entry in entries if entry.get("id") == lesson), None)
    if entry is None:
        mend = f"give its entry in extra.modules of {SETTINGS} `id: {lesson}` and `page: {where}`"
        yield Fault(Spot(1), f'the course map has no lesson "{lesson}"', mend)
    elif str(entry.get("page", "")).rstrip("/") != where.rstrip("/"):
        mend = f"write `page: {where}` in its entry of extra.modules in {SETTINGS}"
        stated = f"leads to {entry['page']}" if entry.get("page") else "names no page"
        yield Fault(Spot(1), f'the course map\'s entry "{lesson}" {stated}', mend)


def entries(modules: Any) -> Iterator[dict[str, Any]]:
    """The lessons that the course map announces, with a page or without."""
    for module in modules if isinstance(modules, list) else []:
        lessons = module.get("lessons") if isinstance(module, dict) else None
        yield from (entry for entry in lessons or [] if isinstance(entry, dict))


def lessons_twice(pages: Sequence[tuple[str, Page]]) -> Iterator[Problem]:
    """Two lessons under one id would share their notes. Each page comes with its name."""
    first: dict[str, str] = {}
    for name, page in pages:
        lesson = page.front_matter.get("lesson")
        owner = first.setdefault(str(lesson), name) if lesson is not None else name
        if owner != name:
            yield from in_file(
                name, [Fault(Spot(1), f'the lesson "{lesson}" stands at {owner} too', "give one of them another id")]
            )
