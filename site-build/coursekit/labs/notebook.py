"""Makes a lab's notebook from its text."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from coursekit.labs.cells import Cell, read_cells
from coursekit.labs.version import lab_version


def lab_notebook(folder: Path) -> str:
    """The notebook of the lab in `folder`, as JSON; the same text gives the same bytes.

    Its metadata say under `course` which lab it is, the lab's version, and `text`: a hash of the cells, by which a
    student's copy is known to come from an older text.
    """
    cells = _with_ids(read_cells(folder / "lab.py"))
    text = hashlib.sha256(json.dumps(cells, sort_keys=True).encode()).hexdigest()[:12]
    notebook = {
        "cells": cells,
        "metadata": {
            "course": {"lab": folder.name, "text": text, "version": lab_version(folder)},
            "kernelspec": {"display_name": "Python", "language": "python", "name": "python"},
            "language_info": {"name": "python"},
        },
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    return json.dumps(notebook, ensure_ascii=False, indent=1) + "\n"


def _with_ids(cells: list[Cell]) -> list[dict[str, Any]]:
    taken = {cell.id for cell in cells}
    written = []
    for cell in cells:
        name = cell.id or _fresh_id(cell.source, taken)
        taken.add(name)
        written.append(_as_json(cell, name))
    return written


def _fresh_id(source: str, taken: set[str | None]) -> str:
    """An id that stays the same while the cell's text does, wherever the cell stands."""
    seed = source
    while (name := hashlib.sha256(seed.encode()).hexdigest()[:8]) in taken:
        seed += "\0"
    return name


def _as_json(cell: Cell, name: str) -> dict[str, Any]:
    shared = {"cell_type": cell.kind, "id": name, "metadata": {}, "source": cell.source.splitlines(keepends=True)}
    return shared | ({"execution_count": None, "outputs": []} if cell.kind == "code" else {})
