"""Fetches the wheels that `site-build/lite/wheels.lock` pins, through pip and only when they aren't there."""

from __future__ import annotations

import hashlib
import re
import subprocess
import sys
from pathlib import Path

from coursekit.failures import BuildFailed

_PIN = re.compile(r"^(?P<name>[\w-]+)==(?P<version>\S+) --hash=sha256:(?P<sha256>[0-9a-f]{64})$", re.MULTILINE)


def pinned_wheels(lock: Path, folder: Path) -> list[Path]:
    """Paths of the wheels that `lock` names, in its order; what isn't in `folder` yet is downloaded."""
    wanted = [match["sha256"] for match in _PIN.finditer(lock.read_text(encoding="utf-8"))]
    if any(digest not in _by_digest(folder) for digest in wanted):
        _download(lock, folder)
    present = _by_digest(folder)
    return [present[digest] for digest in wanted]


def _by_digest(folder: Path) -> dict[str, Path]:
    return {hashlib.sha256(wheel.read_bytes()).hexdigest(): wheel for wheel in sorted(folder.glob("*.whl"))}


def _download(lock: Path, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    command = [
        *(sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check"),
        *("--no-deps", "--only-binary=:all:", "--require-hashes"),
        *("--python-version", "3.14", "--implementation", "py", "--abi", "none", "--platform", "any"),
        *("--dest", str(folder), "--requirement", str(lock)),
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise BuildFailed(
            f"the lab's kernel needs the wheels that {lock.name} names, and pip didn't get them (exit "
            f"{done.returncode}). The first build needs the network; later ones don't.\n{done.stderr.strip()}"
        )
