"""The browser's wheel: the engine and the labs' graders, and none of the labs' answers."""

from __future__ import annotations

import os
import tomllib
import zipfile
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

from coursekit.failures import BuildFailed
from coursekit.steps import empty_folder

# Answers stay on the author's side, and so does what needs a network or another package.
WITHHELD = (
    "labs/*/solution.py",
    "labs/*/wrong.py",
    "labs/*/lab.py",
    "engine/live/bridge*",
    "engine/live/recorder*",
)

# A fixed moment inside the archive (1 January 2020), so that the same sources give the same bytes.
SOURCE_DATE_EPOCH = "1577836800"


def build_browser_wheel(root: Path, out: Path) -> Path:
    """Build `inside_the_batch-*.whl` into the folder `out`, emptied first; its path comes back."""
    from hatchling.builders.wheel import WheelBuilder

    settings: dict[str, Any] = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
    settings["project"] = {
        name: value
        for name, value in settings["project"].items()
        if name in {"name", "version", "description", "requires-python", "license"}
    }
    settings["tool"]["hatch"] = {
        "build": {"targets": {"wheel": {"only-include": ["engine", "labs"], "exclude": list(WITHHELD)}}}
    }
    os.environ["SOURCE_DATE_EPOCH"] = SOURCE_DATE_EPOCH
    builder = WheelBuilder(str(root), config=settings)
    [wheel] = builder.build(directory=str(empty_folder(out)), versions=["standard"])
    _refuse_withheld(Path(wheel))
    return Path(wheel)


def _refuse_withheld(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    for name in names:
        if any(fnmatch(name, pattern) for pattern in WITHHELD):
            wheel.unlink()
            raise BuildFailed(f"{wheel.name} would hold {name}, which must not reach students")
