"""The browser's wheel: the engine and the labs' graders, and none of the labs' answers."""

from __future__ import annotations

import os
import shutil
import tempfile
import tomllib
import zipfile
from collections.abc import Mapping
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

from coursekit.digest import file_hash
from coursekit.failures import BuildFailed
from coursekit.steps import empty_folder

# Answers stay on the author's side, and so does what needs a network or another package.
WITHHELD = (
    "labs/*/solution.py",
    "labs/*/wrong.py",
    "labs/*/lab.py",
    "engine/live/bridge*",
    "engine/live/recorder*",
    "engine/live/__main__.py",
)

# A fixed moment inside the archive (1 January 2020), so that the same sources give the same bytes.
SOURCE_DATE_EPOCH = "1577836800"


def build_browser_wheel(root: Path, out: Path, lab_notes: Mapping[str, str]) -> Path:
    """Build the wheel into `out`, emptied first, in a folder named by its hash; its path comes back.

    `lab_notes` are texts by lab: each is carried as `labs/<lab>/_lab.json`.
    """
    from hatchling.builders.wheel import WheelBuilder

    settings: dict[str, Any] = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
    settings["project"] = {
        name: value
        for name, value in settings["project"].items()
        if name in {"name", "version", "description", "requires-python", "license"}
    }
    empty_folder(out)
    with tempfile.TemporaryDirectory() as scratch:
        target = {
            "only-include": ["engine", "labs"],
            "exclude": list(WITHHELD),
            "force-include": _written(lab_notes, Path(scratch)),
        }
        settings["tool"]["hatch"] = {"build": {"targets": {"wheel": target}}}
        os.environ["SOURCE_DATE_EPOCH"] = SOURCE_DATE_EPOCH
        [built] = WheelBuilder(str(root), config=settings).build(directory=scratch, versions=["standard"])
        _refuse_withheld(Path(built))
        home = out / file_hash(Path(built))[:12]
        home.mkdir()
        return Path(shutil.move(built, home))


def _written(lab_notes: Mapping[str, str], scratch: Path) -> dict[str, str]:
    """The notes as files, and where in the wheel each belongs."""
    places = {}
    for lab, text in sorted(lab_notes.items()):
        note = scratch / f"{lab}.json"
        note.write_text(text, encoding="utf-8")
        places[str(note)] = f"labs/{lab}/_lab.json"
    return places


def _refuse_withheld(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    for name in names:
        if any(fnmatch(name, pattern) for pattern in WITHHELD):
            raise BuildFailed(f"{wheel.name} would hold {name}, which must not reach students")
