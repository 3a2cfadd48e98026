"""Read a page as its author wrote it: front matter, fences and headings, each with its place.

The renderer of a fence is told neither file nor line. This module reads whole files instead; the two
join by the id that the author gave.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from coursekit.problems import Fault, Spot

COURSE_FENCES = ("check", "pause", "snippet", "figure", "chart")

LAB = re.compile(r"""<course-lab\b[^>]*\bdata-lab=["'](?P<id>[^"']*)["']""")
"""Where a page puts a lab's frame."""

_OPENING = re.compile(r"^(?P<indent>[ >]*)(?P<fence>`{3,}|~{3,})[ \t]*(?P<kind>[\w-]*)(?P<info>[^`]*)$")
_OPTION = re.compile(r"""\s*(?P<key>[a-zA-Z][\w-]*)=(?P<quote>["'])(?P<value>.*?)(?P=quote)(?=\s|$)""")
_CODE_SPAN = re.compile(r"(?<!`)(`+)(?!`)(?:(?!\n\s*\n).)+?(?<!`)\1(?!`)", re.DOTALL)
_HEADING = re.compile(r"^(?P<marks>#{1,6})\s+(?P<text>.*?)\s*(?:\{[^}]*#(?P<id>[\w-]+)[^}]*\})?\s*#*$")
_FRONT_MATTER = re.compile(r"\A---[ \t]*\n(?P<yaml>.*?\n)---[ \t]*\n", re.DOTALL)


@dataclass(frozen=True)
class Fence:
    """A fenced block that the course gives a meaning to. `line` is the one with the opening fence."""

    kind: str
    info: str
    options: dict[str, str]
    body: str
    line: int
    indent: int


@dataclass(frozen=True)
class Heading:
    """A heading of a page. `id` is empty where the author gave none."""

    level: int
    text: str
    id: str
    line: int


@dataclass(frozen=True)
class Page:
    """A Markdown file, taken apart. `prose` has the same lines with code and front matter blanked out."""

    path: Path
    front_matter: dict[str, Any]
    fences: tuple[Fence, ...]
    headings: tuple[Heading, ...]
    prose: str
    faults: tuple[Fault, ...]


def read_page(path: Path) -> Page:
    """Read the file at `path` and take it apart; what can't be read is a fault, never an exception.

    UTF-8, with or without the mark that some editors put first, as MkDocs reads it.
    """
    text = text_of(path)
    return Page(path, {}, (), (), "", (text,)) if isinstance(text, Fault) else take_apart(path, text)


def text_of(path: Path) -> str | Fault:
    """The text of a file that an author wrote, or why it can't be read."""
    try:
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        return Fault(Spot(line), "this line is no UTF-8 text", "save the file as UTF-8")
    except OSError as error:
        return Fault(Spot(1), f"the file can't be read: {error.strerror}", "give a file that can be")


def take_apart(path: Path, text: str) -> Page:
    """Split the text of a page; what can't be read is a fault, never an exception."""
    faults: list[Fault] = []
    front_matter, text = _front_matter(text, faults)
    fences, around = _fences(text, faults)
    prose = _CODE_SPAN.sub(blank, around)
    return Page(path, front_matter, tuple(fences), tuple(_headings(around)), prose, tuple(faults))


def without_code(text: str) -> str:
    """The text with fenced blocks and code spans blanked: same lines, same columns."""
    return _CODE_SPAN.sub(blank, _fences(text, [])[1])


def fence_options(info: str) -> dict[str, str]:
    """The `key="value"` pairs of a fence's first line."""
    return {match["key"]: match["value"] for match in _OPTION.finditer(info)}


def _front_matter(text: str, faults: list[Fault]) -> tuple[dict[str, Any], str]:
    match = _FRONT_MATTER.match(text)
    if not match:
        return {}, text
    blanked = "\n" * match[0].count("\n") + text[match.end() :]
    try:
        data = yaml.safe_load(match["yaml"])
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = mark.line + 2 if mark else 1
        faults.append(Fault(Spot(line), "the front matter isn't YAML", "write `key: value` lines"))
        return {}, blanked
    if not isinstance(data, dict):
        faults.append(Fault(Spot(2), "the front matter isn't a mapping", "write `key: value` lines"))
        return {}, blanked
    return data, blanked


def _fences(text: str, faults: list[Fault]) -> tuple[list[Fence], str]:
    """The course's fences, and the text with every fence blanked."""
    lines = text.split("\n")
    around = list(lines)
    found: list[Fence] = []
    at = 0
    while at < len(lines):
        opening = _OPENING.match(lines[at])
        end = _closing(lines, at, opening) if opening else None
        if opening and end is None and opening["kind"] in COURSE_FENCES:
            mend = f"add a line with {opening['fence']} at its end"
            faults.append(Fault(Spot(at + 1), f"the {opening['kind']} is never closed", mend))
        if opening is None or end is None:
            at += 1
            continue
        if opening["kind"] in COURSE_FENCES:
            found.append(_fence(lines, at, end, opening))
        around[at : end + 1] = [""] * (end + 1 - at)
        at = end + 1
    return found, "\n".join(around)


def _closing(lines: list[str], at: int, opening: re.Match[str]) -> int | None:
    closing = re.compile(re.escape(opening["indent"] + opening["fence"]) + r"[ \t]*$")
    return next((n for n in range(at + 1, len(lines)) if closing.match(lines[n])), None)


def _fence(lines: list[str], at: int, end: int, opening: re.Match[str]) -> Fence:
    indent = len(opening["indent"])
    body = "".join(line[indent:] + "\n" for line in lines[at + 1 : end])
    info = opening["info"].strip()
    return Fence(opening["kind"], info, fence_options(info), body, at + 1, indent)


def blank(match: re.Match[str]) -> str:
    """As many blanks as were matched; lines stay."""
    return re.sub(r"[^\n]", " ", match[0])


def _headings(text: str) -> Iterator[Heading]:
    for number, line in enumerate(text.split("\n"), start=1):
        match = _HEADING.match(line)
        if match:
            yield Heading(len(match["marks"]), match["text"].strip(), match["id"] or "", number)
