"""`coursekit analyse FILES…`: what a class's results say about the checks, as a page and a table. Nothing is sent."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from coursekit.analysis.measures import measure
from coursekit.analysis.page import as_html
from coursekit.analysis.read import Student, UnreadableResults, read_results, same_course
from coursekit.analysis.table import as_csv
from coursekit.analysis.wording import worded
from coursekit.evaluate import shared
from coursekit.project import here
from coursekit.runtime import course_id
from coursekit.validate import compiled, markdown_files
from engine.cli.parser import Parser


def main(arguments: Sequence[str]) -> int:
    """0 where every file was read, 1 where one was left out, 2 where none could be read."""
    parser = Parser(prog="python -m coursekit analyse", description=__doc__)
    parser.add_argument("files", nargs="+", type=Path, help="results as students saved them on the Progress page")
    parser.add_argument("--out", type=Path, default=Path("results"), help="name of the two files, without an ending")
    options = parser.read(arguments)
    students: list[Student] = []
    left_out = 0
    for path in options.files:
        try:
            students.append(read_results(path))
        except UnreadableResults as error:
            print(f"left out: {error}", file=sys.stderr)
            left_out += 1
    try:
        course = same_course(students)
    except UnreadableResults as error:
        print(error, file=sys.stderr)
        return 2
    if not students:
        return 2
    measures = worded(measure(students), _facts() if course == course_id(here().root) else {})
    for ending, text in ((".html", as_html(course, students, measures)), (".csv", as_csv(measures))):
        options.out.with_name(options.out.name + ending).write_text(text, encoding="utf-8")
    print(f"{len(students)} students, {len(measures)} checks: {options.out}.html and {options.out}.csv")
    return 1 if left_out else 0


def _facts() -> dict[str, dict[str, Any]]:
    """What this course knows of its checks."""
    blocks = compiled(markdown_files([here().docs]), here().root, shared())
    return {block.id: block.facts for _, fence, block in blocks if fence.kind == "check"}
