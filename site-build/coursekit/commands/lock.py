"""`coursekit lock`: pins anew what requirements.in, node.in and package.json ask for."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from coursekit.project import Project, here
from engine.cli.parser import Parser

UV = "uv==0.13.9"
HEADER = "# Made by `make lock` from {source}, for every Python from 3.11 on. Not edited by hand.\n"


def main(arguments: Sequence[str]) -> int:
    """Rewrite the three lock files."""
    Parser(prog="python -m coursekit lock", description=__doc__).read(arguments)
    project = here()
    subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", UV], check=True)
    for source, lock in (("requirements.in", "requirements.lock"), ("node.in", "node.lock")):
        pin(project.site_build / source, project.site_build / lock)
    pin_npm(project)
    return 0


def pin(source: Path, lock: Path) -> None:
    """Resolve a list of requirements for every Python and system, with the hash of each file."""
    options = ["--universal", "--generate-hashes", "--python-version=3.11", "--quiet", "--no-annotate"]
    silent = ["--no-header", "--no-emit-index-url", "--no-emit-find-links"]  # where they came from is no concern
    command = [sys.executable, "-m", "uv", "pip", "compile", *options, *silent, source.name]
    done = subprocess.run(command, cwd=source.parent, stdout=subprocess.PIPE, text=True, check=True)
    lock.write_text(HEADER.format(source=source.name) + done.stdout, encoding="utf-8")


def pin_npm(project: Project) -> None:
    """Resolve package.json, leaving out which registry each package came from."""
    npm = json.loads((project.root / ".node" / "found.json").read_text(encoding="utf-8"))["npm"]
    options = ["--package-lock-only", "--ignore-scripts", "--omit-lockfile-registry-resolved"]
    subprocess.run([*npm, "install", *options], cwd=project.site_build, check=True)
