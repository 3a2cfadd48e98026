"""Small cached steps: one runs only when what it reads, or what it left, is no longer what it was."""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from coursekit.digest import content_hash, shape_hash
from coursekit.failures import BuildFailed
from coursekit.waiting import OFTEN, Say, Watch, waiting


@dataclass(frozen=True)
class Step:
    """What turns some inputs into one output.

    `inputs` are files and folders whose content decides the result; `extra` is whatever else does (a
    setting, the hash of an earlier step). `output` is the file or folder that `run` leaves, whole; `run` may say
    how far it is. `what` says in words what is done.
    """

    name: str
    inputs: tuple[Path, ...]
    output: Path
    run: Callable[[Watch], object]
    extra: str = ""
    what: str = "building"


def perform(step: Step, *, root: Path, stamps: Path, say: Say) -> str:
    """Run the step unless its stamp says that nothing changed; the key of its inputs comes back.

    The stamp is taken away first and written last, so a step that was cut short runs again.
    """
    stamp = stamps / f"{step.name}.json"
    with waiting(f"{step.name}: looking for changes", say):
        key = content_hash(step.inputs, root, step.extra)
        if _is_current(stamp, key, step.output):
            return key
    stamp.unlink(missing_ok=True)
    start = time.perf_counter()
    say(f"{step.name}: {step.what}")
    with waiting(step.name, say, first=OFTEN) as watch:
        step.run(watch)
    if not step.output.exists():
        raise BuildFailed(f"step {step.name!r} ran and left nothing at {step.output}")
    stamps.mkdir(parents=True, exist_ok=True)
    stamp.write_text(json.dumps({"key": key, "output": shape_hash(step.output)}), encoding="utf-8")
    say(f"{step.name}: done in {time.perf_counter() - start:.1f} s")
    return key


def _is_current(stamp: Path, key: str, output: Path) -> bool:
    if not stamp.is_file() or not output.exists():
        return False
    try:
        noted = json.loads(stamp.read_text(encoding="utf-8"))
    except ValueError:
        return False
    return bool(noted == {"key": key, "output": shape_hash(output)})


def empty_folder(path: Path) -> Path:
    """Make `path` an empty folder, whatever stood there."""
    shutil.rmtree(path, ignore_errors=True)
    path.mkdir(parents=True)
    return path
