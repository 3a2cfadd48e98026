"""`coursekit standards`: style, types, import contracts, lessons."""

from __future__ import annotations

from collections.abc import Sequence

from coursekit.project import here
from coursekit.testing.standards import check_standards
from engine.cli.parser import Parser


def main(arguments: Sequence[str]) -> int:
    """0 when every check passes."""
    Parser(prog="python -m coursekit standards", description=__doc__).read(arguments)
    return 1 if check_standards(here()).failed else 0
