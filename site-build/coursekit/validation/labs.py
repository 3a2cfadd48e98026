"""What is wrong with the files of a lab, read and not run: what is missing would stop the build, or the student."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from coursekit.labs.cells import CellFault, read_cells
from coursekit.problems import Fault, Problem, Spot, in_file
from coursekit.source import text_of

KIT = "kit"
"""The folder of `labs/` that holds no lab."""

PARTS = {
    "__init__.py": (("grade",), "`from labs.{id} import grading as grade`: what the notebook imports"),
    "grading.py": (("TITLE", "TASKS"), "the title, the tasks, and a function a task"),
    "lab.py": ((), "the notebook's text, in percent cells"),
}
"""What a lab can't do without: the names that each file gives, and what it is for."""


def lab_problems(root: Path) -> Iterator[Problem]:
    """The problems of every lab of the course in `root`."""
    for folder in sorted((root / "labs").glob("*/")):
        if folder.name != KIT and any(folder.glob("*.py")):
            yield from _problems(folder, root)


def _problems(folder: Path, root: Path) -> Iterator[Problem]:
    lab, place = folder.name, f"labs/{folder.name}"
    if not (root / "docs" / place).with_suffix(".md").is_file():
        write = f'write it, with `<course-lab data-lab="{lab}"></course-lab>`: *Open as its own page* leads there'
        mend = f"{write}, or take {place}/ away"
        yield Problem(f"docs/{place}.md", 1, 1, f'the lab "{lab}" has no page of its own', mend)
    given: dict[str, set[str]] = {}
    for file in sorted(folder.rglob("*.py")):
        names = _names(file)
        if isinstance(names, Fault):
            yield from in_file(file.relative_to(root).as_posix(), [names])
            return
        given[file.name if file.parent == folder else ""] = names
    for part, (needed, what) in PARTS.items():
        said = what.format(id=lab)
        if part not in given:
            yield Problem(f"{place}/{part}", 1, 1, f'the lab "{lab}" has no {part}', f"write it: {said}")
        for name in sorted(set(needed) - given.get(part, set(needed))):
            yield Problem(f"{place}/{part}", 1, 1, f"no {name} is defined here", f"the file holds {said}")
    if given.keys() >= PARTS.keys():
        yield from _cell_problems(folder / "lab.py", f"{place}/lab.py", given["grading.py"])


def _cell_problems(file: Path, name: str, functions: set[str]) -> Iterator[Problem]:
    """A cell that can't be read, and a cell that grades what isn't there."""
    try:
        cells = read_cells(file)
    except CellFault as fault:
        yield Problem(name, fault.line, 1, fault.what, fault.mend)
        return
    ids = {cell.id for cell in cells}
    for cell in cells:
        task = (cell.id or "").removeprefix("grade-")
        if task == cell.id or not task:
            continue
        if task not in ids:
            yield Problem(
                name, cell.line, 1, f'no cell has the id "{task}"', "give it to the cell that students fill in"
            )
        if task not in functions:
            yield Problem(name, cell.line, 1, f"grading.py has no function `{task}`", "write it: this cell calls it")


def _names(file: Path) -> set[str] | Fault:
    """The names that a module gives at its top, or why it can't be read."""
    text = text_of(file)
    if isinstance(text, Fault):
        return text
    try:
        body = ast.parse(text).body
    except SyntaxError as error:
        return Fault(Spot(error.lineno or 1, error.offset or 1), f"this isn't Python: {error.msg}", "mend the line")
    names: set[str] = set()
    for node in body:
        if isinstance(node, ast.Import | ast.ImportFrom):
            names |= {alias.asname or alias.name for alias in node.names}
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names |= {target.id for target in targets if isinstance(target, ast.Name)}
    return names
