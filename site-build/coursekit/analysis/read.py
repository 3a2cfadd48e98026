"""Results files as students saved them (`browser/lib/results.js`), read with care: they come from anywhere."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FORMAT, VERSION = "course-results", 1


class UnreadableResults(Exception):
    """A file that holds no results. Says why."""


@dataclass(frozen=True)
class Try:
    """One attempt at a check. What the student left out of the file is None."""

    correct: bool
    hash: str
    drew: str | None
    unknown: bool
    confidence: str | None
    seconds: float | None


@dataclass(frozen=True)
class Student:
    """One file: the first and later tries at each check, by its id."""

    name: str
    course: str
    tries: dict[str, tuple[Try, ...]]
    titles: dict[str, str]
    kinds: dict[str, str]


def read_results(path: Path) -> Student:
    """Read one file. Raises UnreadableResults."""
    try:
        data = json.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise UnreadableResults(f"{path}: can't be read: {error.strerror}") from error
    except (UnicodeDecodeError, ValueError, RecursionError):
        raise UnreadableResults(f"{path}: is no JSON: ask for the file that the Progress page saves") from None
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise UnreadableResults(f"{path}: holds no results: ask for the file that the Progress page saves")
    if data.get("version") != VERSION:
        raise UnreadableResults(f"{path}: has version {data.get('version')}, this program reads {VERSION}: update it")
    try:
        checks = [check for check in data["checks"] if check["tries"]]
        return Student(
            str(data.get("name", "")),
            str(data["course"]),
            {str(check["id"]): tuple(_try(one) for one in check["tries"]) for check in checks},
            {str(check["id"]): str(check.get("title", check["id"])) for check in checks},
            {str(check["id"]): str(check.get("kind", "")) for check in checks},
        )
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise UnreadableResults(f"{path}: is damaged: {type(error).__name__}: {error}") from error


def _try(one: dict[str, Any]) -> Try:
    drew = one.get("drew", one.get("answer"))
    seconds = one.get("seconds")
    return Try(
        bool(one["correct"]),
        str(one["hash"]),
        None if drew is None else str(drew),
        bool(one.get("unknown", False)),
        str(one["confidence"]) if one.get("confidence") else None,
        float(seconds) if isinstance(seconds, int | float) else None,
    )


def same_course(students: Iterable[Student]) -> str:
    """The one course that all files are of. Raises UnreadableResults where they are of several."""
    courses = sorted({student.course for student in students})
    if len(courses) > 1:
        raise UnreadableResults(f"the files are of several courses: {', '.join(courses)}; analyse each by itself")
    return courses[0] if courses else ""
