"""What is checked without running anything: style, types, import contracts, lessons."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from coursekit.node import node_command
from coursekit.project import Project
from coursekit.testing.counts import Counts
from coursekit.waiting import waiting


def standards(project: Project) -> dict[str, list[str]]:
    """Every check by name, as the command that makes it."""
    tools = Path(sys.executable).parent
    tsc = [node_command(project), str(project.node_modules / "typescript" / "bin" / "tsc"), "-p"]
    sources = ["engine", "labs", "site-build/coursekit", "site-build/bootstrap.py"]
    return {
        "style (ruff)": [str(tools / "ruff"), "check", "--quiet", "."],
        "types (mypy --strict)": [sys.executable, "-m", "mypy", "--strict", "--no-error-summary", *sources],
        "import contracts (lint-imports)": [str(tools / "lint-imports"), "--no-logo"],
        "types of the browser's modules (tsc)": [*tsc, "site-build/tsconfig.json"],
        "types of Node's modules (tsc)": [*tsc, "site-build/tsconfig.node.json"],
        "lessons (coursekit check)": [sys.executable, "-m", "coursekit", "check"],
    }


def check_standards(project: Project) -> Counts:
    """Make every check, one line each; what a failing one says comes below its line."""
    return sum((_check(name, command, project.root) for name, command in standards(project).items()), Counts())


def _check(name: str, command: Sequence[str], root: Path) -> Counts:
    with waiting(f"  …       {name}", partial(print, flush=True)):
        done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    if done.returncode == 0:
        print(f"  ok      {name}", flush=True)
        return Counts(passed=1)
    print(f"  FAILED  {name}\n{done.stdout}{done.stderr}", flush=True)
    return Counts(failed=1)
