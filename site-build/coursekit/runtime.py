"""The course's own id and title, which stand in `mkdocs.yml`; the id is in the name of everything that is stored."""

from __future__ import annotations

import re
from pathlib import Path

COURSE = "inside-the-batch"
"""The id where no `mkdocs.yml` says another."""
_ID = re.compile(r"^  course:[ \t]*[\"']?(?P<id>[a-z][a-z0-9-]*)[\"']?[ \t]*$", re.MULTILINE)
_TITLE = re.compile(r"^site_name:[ \t]*[\"']?(?P<title>.+?)[\"']?[ \t]*$", re.MULTILINE)


def course_id(root: Path) -> str:
    """The id of the course in `root`: `extra.course` of its `mkdocs.yml`.

    Read as text: that file names Python objects, which only MkDocs should make.
    """
    found = _ID.search(_settings(root))
    return found["id"] if found else COURSE


def course_title(root: Path) -> str:
    """The title of the course in `root`: `site_name` of its `mkdocs.yml`."""
    found = _TITLE.search(_settings(root))
    return found["title"] if found else "Inside the Batch"


def _settings(root: Path) -> str:
    path = root / "mkdocs.yml"
    return path.read_text(encoding="utf-8") if path.is_file() else ""
