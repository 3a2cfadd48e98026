"""What `mkdocs.yml` says, read past the Python objects in it, which only MkDocs should make."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import yaml

SETTINGS = "mkdocs.yml"


def settings_of(root: Path) -> dict[str, Any]:
    """The settings of the course in `root`; empty where there are none, or none that can be read."""
    path = root / SETTINGS
    return _read(path, path.stat().st_mtime_ns) if path.is_file() else {}


class _Settings(yaml.SafeLoader):
    """Makes nothing of a tag that it doesn't know."""


_Settings.add_multi_constructor("", lambda loader, suffix, node: None)


@cache
def _read(path: Path, modified: int) -> dict[str, Any]:
    try:
        data = yaml.load(path.read_text(encoding="utf-8"), _Settings)
    except yaml.YAMLError:
        # The build says so, and better.
        return {}
    return data if isinstance(data, dict) else {}
