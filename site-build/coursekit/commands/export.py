"""`coursekit export FILE.zip`: the choice, multi, number and order checks as QTI 2.1, for a learning platform."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from coursekit.evaluate import shared
from coursekit.failures import BuildFailed
from coursekit.project import here
from coursekit.qti.package import write_package
from coursekit.runtime import course_id
from coursekit.validate import compiled, markdown_files
from engine.cli.parser import Parser


def main(arguments: Sequence[str]) -> int:
    """0 where the file was written, 1 where a check has faults or makes no valid item."""
    parser = Parser(prog="python -m coursekit export", description=__doc__)
    parser.add_argument("out", type=Path, help="the zip file to write")
    parser.add_argument("files", nargs="*", type=Path, help="Markdown files or folders; without one, docs/lessons/")
    options = parser.read(arguments)
    files = markdown_files(options.files or [here().docs / "lessons"])
    checks = [block for _, fence, block in compiled(files, here().root, shared()) if fence.kind == "check"]
    if any(block.faults for block in checks):
        print("a check has faults: `python -m coursekit check` says which", file=sys.stderr)
        return 1
    try:
        written = write_package(options.out, course_id(here().root), checks)
    except BuildFailed as error:
        print(error, file=sys.stderr)
        return 1
    left = [f"{block.id} ({block.facts['kind']})" for block in checks if block.id not in written]
    print(f"{len(written)} checks in {options.out}")
    if left:
        print(f"left out, as QTI has no such question: {', '.join(left)}")
    return 0
