"""The Node that `bootstrap.py` found or fetched."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

from coursekit.failures import BuildFailed
from coursekit.project import Project


def node_command(project: Project) -> str:
    """Path of the Node program that this checkout uses."""
    note = project.root / ".node" / "found.json"
    try:
        return str(json.loads(note.read_text(encoding="utf-8"))["node"])
    except (OSError, ValueError, KeyError) as reason:
        raise BuildFailed(f"{note} doesn't say where Node is ({reason}): run `make env` first") from reason


def run_node(project: Project, arguments: Sequence[str | Path], *, cwd: Path | None = None) -> str:
    """Run Node on `arguments`; its standard output comes back, and its complaints are raised."""
    command = [node_command(project), *map(str, arguments)]
    # Options meant for somebody's own programs (a debugger, a loader) have no place in a build.
    environment = {name: value for name, value in os.environ.items() if name != "NODE_OPTIONS"}
    done = subprocess.run(
        command, cwd=cwd or project.site_build, env=environment, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise BuildFailed(f"node {' '.join(map(str, arguments))}: exit {done.returncode}\n{done.stderr.strip()}")
    return done.stdout
