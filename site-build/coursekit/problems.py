"""What is wrong with a page: where, what, and the mend."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Literal

Severity = Literal["error", "warning"]


@dataclass(frozen=True)
class Spot:
    """A place in a text. Lines and columns start at 1."""

    line: int
    column: int = 1


@dataclass(frozen=True)
class Fault:
    """A problem at a place in some text, before it is known which file that text stands in."""

    spot: Spot
    what: str
    mend: str
    severity: Severity = "error"

    def __str__(self) -> str:
        return f"{self.what}; {self.mend}"


@dataclass(frozen=True, order=True)
class Problem:
    """A fault in a file. Sorted by place, so that one run reads like the file does."""

    path: str
    line: int
    column: int
    what: str
    mend: str
    severity: Severity = "error"

    def __str__(self) -> str:
        word = "" if self.severity == "error" else f"{self.severity}: "
        return f"{self.path}:{self.line}:{self.column}: {word}{self.what}; {self.mend}"

    def as_json(self) -> dict[str, str | int]:
        """The same as plain data, for editors."""
        return asdict(self)


def in_file(path: str, faults: Iterable[Fault], first_line: int = 0, indent: int = 0) -> list[Problem]:
    """Faults in a piece of a file as problems of that file.

    `first_line` is the number of file lines before the piece, `indent` the columns cut from its left.
    """
    return [Problem(path, f.spot.line + first_line, f.spot.column + indent, f.what, f.mend, f.severity) for f in faults]
