"""The trace player: its modules and styles as one file."""

from __future__ import annotations

from pathlib import Path

from coursekit.node import run_node
from coursekit.project import Project
from coursekit.steps import empty_folder

ENTRY = "trace-player.js"
"""The module under `site-build/browser`, and the bundle's name under `assets/course`."""


def build_player(project: Project, out: Path) -> None:
    """Bundle the player into the folder `out`."""
    empty_folder(out)
    run_node(project, [project.site_build / "player.mjs", project.browser / ENTRY, out / ENTRY])
