"""The course's faces, copied out of npm packages so that pages ask nobody else for them."""

from __future__ import annotations

import shutil
from pathlib import Path

from coursekit.failures import BuildFailed

FACES = (
    ("literata", "400-normal"),
    ("literata", "400-italic"),
    ("hanken-grotesk", "500-normal"),
    ("hanken-grotesk", "700-normal"),
    ("ibm-plex-mono", "400-normal"),
)
"""Package and cut. `overrides/assets/course/tokens.css` names the same files."""


def copy_fonts(node_modules: Path, out: Path) -> None:
    """Copy the Latin subset of each face into `out`, with the licence that has to travel with it."""
    out.mkdir(parents=True, exist_ok=True)
    for family, cut in FACES:
        package = node_modules / "@fontsource" / family
        _copy(package / "files" / f"{family}-latin-{cut}.woff2", out)
        _copy(package / "LICENSE", out / f"{family}-LICENSE.txt")


def _copy(source: Path, target: Path) -> None:
    if not source.is_file():
        raise BuildFailed(f"{source} isn't there: run `make env`, which installs the packages in site-build")
    shutil.copy2(source, target)
