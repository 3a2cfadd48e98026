"""`coursekit check`: everything that is wrong with the pages, as `file:line:column: what; the mend`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from coursekit.evaluate import shared
from coursekit.problems import Problem
from coursekit.project import here
from coursekit.validate import markdown_files, validate
from engine.cli.parser import Parser


def main(arguments: Sequence[str]) -> int:
    """0 where nothing is wrong, 1 where an error stands, 2 where a file that was named isn't there or holds none."""
    parser = Parser(prog="python -m coursekit check", description=__doc__)
    parser.add_argument("files", nargs="*", type=Path, help="Markdown files or folders; without one, docs/")
    parser.add_argument("--json", action="store_true", help="write the problems as JSON, for an editor")
    options = parser.read(arguments)
    missing = [path for path in options.files if not path.exists()]
    if missing:
        print(f"coursekit check: no such file: {', '.join(map(str, missing))}")
        return 2
    files = markdown_files(options.files or [here().docs])
    if not files:
        print(f"coursekit check: no Markdown file in {', '.join(map(str, options.files))}")
        return 2
    problems = validate(files, here().root, shared())
    print(as_json(problems) if options.json else as_text(problems, len(files)))
    return 1 if any(problem.severity == "error" for problem in problems) else 0


def as_text(problems: Sequence[Problem], num_files: int) -> str:
    """One line a problem, or a word that there is none."""
    if not problems:
        return f"{num_files} {'page' if num_files == 1 else 'pages'} checked: nothing is wrong."
    return "\n".join(map(str, problems))


def as_json(problems: Sequence[Problem]) -> str:
    """An array of objects with path, line, column, what, mend and severity."""
    return json.dumps([problem.as_json() for problem in problems], indent=2, ensure_ascii=False)
