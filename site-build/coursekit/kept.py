"""What was computed from sources, kept from one build to the next: it is asked anew only when they changed."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from coursekit.digest import content_hash
from coursekit.project import here


class KeptAnswers:
    """A file of answers, one JSON line each, which only grows. Lines that can't be read are passed over.

    Several builds may write to it at once: a line is written in one go, and an answer written twice is the same twice.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self.known = dict(self._read())

    def _read(self) -> list[tuple[str, Any]]:
        lines = self._path.read_text(encoding="utf-8").splitlines() if self._path.is_file() else []
        return [pair for line in lines if (pair := _pair(line))]

    def add(self, question: str, answer: Any) -> None:
        """Keep an answer."""
        self.known[question] = answer
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with self._path.open("a", encoding="utf-8") as stream:
            stream.write(json.dumps([question, answer], ensure_ascii=False) + "\n")


def _pair(line: str) -> tuple[str, Any] | None:
    try:
        question, answer = json.loads(line)
    except ValueError:
        return None
    return (question, answer) if isinstance(question, str) and isinstance(answer, dict) else None


@cache
def kept_here(name: str, *sources: Path) -> KeptAnswers:
    """This checkout's answers of one kind, for `sources` as they stand now; those of other states are dropped."""
    folder = here().build / name
    path = folder / f"{content_hash(sources, here().root)[:16]}.jsonl"
    for other in folder.glob("*.jsonl"):
        if other != path:
            other.unlink(missing_ok=True)
    return KeptAnswers(path)
