"""Reads percent cells: `# %%` opens a code cell, `# %% [markdown]` a text cell whose lines are comments."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from coursekit.failures import BuildFailed


class CellFault(BuildFailed):
    """A cell that can't be read: its line, what is wrong, and the mend."""

    def __init__(self, path: Path, line: int, what: str, mend: str) -> None:
        super().__init__(f"{path}:{line}: {what}; {mend}")
        self.line, self.what, self.mend = line, what, mend


_OPENS = re.compile(r'^# %%(?P<markdown> \[markdown\])?(?: id="(?P<id>[^"]*)")?\s*$')
_LOOKS_LIKE = re.compile(r"^#\s*%%")
_ID = re.compile(r"^[a-z0-9][a-z0-9-]{0,63}$")


@dataclass(frozen=True)
class Cell:
    """One cell: `kind` is "code" or "markdown", `id` what the author gave or None, `line` where it opens."""

    kind: str
    source: str
    id: str | None
    line: int


def read_cells(path: Path) -> list[Cell]:
    """The cells of a lab's text. What stands before the first one is the author's own and is left out."""
    cells = list(_cells(path, path.read_text(encoding="utf-8").splitlines()))
    given = [cell.id for cell in cells if cell.id]
    for cell in cells:
        if cell.id and given.count(cell.id) > 1:
            raise CellFault(path, cell.line, f"the id {cell.id!r} is taken by another cell", "give each its own")
    return cells


def _cells(path: Path, lines: list[str]) -> Iterator[Cell]:
    starts = [number for number, line in enumerate(lines) if _LOOKS_LIKE.match(line)]
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        opening = _OPENS.match(lines[start])
        if not opening:
            mend = 'a cell opens with # %% or # %% [markdown], then id="…"'
            raise CellFault(path, start + 1, f"{lines[start]!r} opens no cell", mend)
        if opening["id"] is not None and not _ID.match(opening["id"]):
            mend = "use small letters, digits and hyphens"
            raise CellFault(path, start + 1, f"the id {opening['id']!r} can't be kept", mend)
        body = lines[start + 1 : end]
        kind = "markdown" if opening["markdown"] else "code"
        if kind == "markdown":
            body = [_uncommented(path, start + 2 + offset, line) for offset, line in enumerate(body)]
        yield Cell(kind, "\n".join(body).strip("\n"), opening["id"], start + 1)


def _uncommented(path: Path, number: int, line: str) -> str:
    if line.startswith("# "):
        return line[2:]
    if line.strip() in ("", "#"):
        return ""
    raise CellFault(path, number, f"{line!r} stands in a markdown cell", "begin it with '# '")
