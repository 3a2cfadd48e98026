"""What `mkdocs.yml` says, read past the Python objects in it, which only MkDocs should make."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from coursekit.problems import Fault, Problem, in_file
from coursekit.source import text_of

SETTINGS = "mkdocs.yml"


def settings_of(root: Path) -> dict[str, Any]:
    """The settings of the course in `root`; empty where there are none, or none that can be read."""
    path = root / SETTINGS
    return _read(path, path.stat().st_mtime_ns) if path.is_file() else {}


def settings_problems(root: Path) -> Iterator[Problem]:
    """Why the settings of the course in `root` can't be read, if they can't."""
    text = text_of(root / SETTINGS) if (root / SETTINGS).is_file() else ""
    if isinstance(text, Fault):
        yield from in_file(SETTINGS, [text])


class _Settings(yaml.SafeLoader):
    """Makes nothing of a tag that it doesn't know."""


_Settings.add_multi_constructor("", lambda loader, suffix, node: None)


@cache
def _read(path: Path, modified: int) -> dict[str, Any]:
    text = text_of(path)
    if isinstance(text, Fault):
        return {}
    try:
        data = yaml.load(text, _Settings)
    except yaml.YAMLError:
        # The build says so, and better.
        return {}
    return data if isinstance(data, dict) else {}
