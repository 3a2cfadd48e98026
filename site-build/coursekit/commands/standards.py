"""`coursekit standards`: style, types, import contracts, lessons."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from coursekit.project import here
from coursekit.testing.standards import check_standards


def main(arguments: Sequence[str]) -> int:
    """0 when every check passes."""
    argparse.ArgumentParser(prog="coursekit standards", description=__doc__).parse_args(arguments)
    return 1 if check_standards(here()).failed else 0
