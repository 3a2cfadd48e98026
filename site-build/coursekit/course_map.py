"""The course map: the lessons and what stands in each, by the ids that students' work is kept under."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

from coursekit.checks.compile import title_of
from coursekit.checks.draft import read_draft
from coursekit.runtime import course_id
from coursekit.source import LAB, Fence, Page, read_page


def collect(root: Path, pages: Path) -> dict[str, Any]:
    """The map of the course in `root`, in the shape that DESIGN.md gives `course-map.json`.

    `pages` is where the built pages stand; the map is read from the sources and needs none of them.
    """
    return {
        "course": course_id(root),
        "lessons": [lesson(page, root / "docs") for page in lesson_pages(root / "docs")],
        "labs": [lab(folder) for folder in lab_folders(root / "labs")],
    }


def lesson_pages(docs: Path) -> Iterator[Page]:
    """Every page whose front matter says that it is a lesson, in the order of their paths."""
    for path in sorted(docs.rglob("*.md")):
        page = read_page(path)
        if page.front_matter.get("lesson"):
            yield page


def lesson(page: Page, docs: Path) -> dict[str, Any]:
    """One lesson's entry."""
    return {
        "id": str(page.front_matter["lesson"]),
        "title": lesson_title(page),
        "url": address(page.path, docs),
        "headings": [{"id": h.id, "text": plain(h.text)} for h in page.headings if h.level > 1 and h.id],
        "checks": list(heads(page, "check")),
        "pauses": [{"id": head["id"], "title": head["title"]} for head in heads(page, "pause")],
        "snippets": list(snippets(page)),
        "labs": list(dict.fromkeys(match["id"] for match in LAB.finditer(page.prose))),
    }


def lesson_title(page: Page) -> str:
    """The front matter's title, else the page's first heading."""
    stated = page.front_matter.get("title")
    return str(stated) if stated else next((plain(h.text) for h in page.headings if h.level == 1), "")


def address(path: Path, docs: Path) -> str:
    """Where MkDocs puts a page, relative to the site: `lessons/founding/`."""
    stem = path.relative_to(docs).with_suffix("")
    folder = stem.parent if stem.name == "index" else stem
    return "" if folder == Path() else f"{folder.as_posix()}/"


def heads(page: Page, kind: str) -> Iterator[dict[str, str]]:
    """Id, kind and title of every block of one kind in a page."""
    yield from (head(fence) for fence in page.fences if fence.kind == kind)


def head(fence: Fence) -> dict[str, str]:
    """Id, kind and title of a check or a pause, and the id that it had before; read without compiling it."""
    draft = read_draft(fence.body, ("hint", "explanation", "model answer"))
    alias = draft.header.text("alias")
    return {
        "id": draft.header.text("id"),
        "kind": draft.header.text("kind", "choice"),
        "title": title_of(draft),
        **({"alias": alias} if alias else {}),
    }


def snippets(page: Page) -> Iterator[dict[str, str]]:
    """Id and title of every snippet of a page, those that a prediction opens included."""
    for fence in page.fences:
        if fence.kind == "snippet":
            yield {"id": fence.options.get("id", ""), "title": fence.options.get("title", "")}
        elif fence.kind == "check" and (found := head(fence))["kind"] == "predict":
            yield {"id": found["id"], "title": found["title"]}


def lab_folders(labs: Path) -> Iterator[Path]:
    """Every folder that holds a lab."""
    yield from (path.parent for path in sorted(labs.glob("*/lab.py")))


def lab(folder: Path) -> dict[str, Any]:
    """One lab's entry: what its `grading.py` says of itself, and the version of its files."""
    grading = import_module(f"labs.{folder.name}.grading")
    return {
        "id": folder.name,
        "title": grading.TITLE,
        "url": f"labs/{folder.name}/",
        "version": import_module("coursekit.labs").lab_version(folder),
        "tasks": [{"id": task.id, "title": task.title} for task in grading.TASKS],
    }


def plain(text: str) -> str:
    """A heading's words without Markdown's marks for code and emphasis."""
    return re.sub(r"[`*]", "", text)
