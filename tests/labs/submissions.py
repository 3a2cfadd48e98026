"""What a student could hand in: the starter, the solution, every known mistake, each as the text of a cell.

The tests here run them in CPython; the browser's test types the same text into the notebook. It should then
run the cell and the one that grades it, not all: the cell that tries a wrong class may raise.
"""

import ast
import inspect
import linecache
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from coursekit.labs import read_cells
from labs.kit.task import Task

LABS = Path(import_module("labs").__path__[0])


@dataclass(frozen=True, slots=True)
class Submission:
    """One thing handed in for one task."""

    name: str
    """`batcher-solution`, `batcher-starter`, `batcher-FixedBatches`."""
    lab: str
    task: str
    """The id of the task; also of the notebook's cell that `source` goes into."""
    source: str
    """The whole text of that cell."""
    hint: str | None
    """The id of the hint that it gets; None where it passes."""

    @property
    def passes(self) -> bool:
        """It is right."""
        return self.hint is None


STARTER_HINT = "start"
"""What is said to somebody who hands in the starter as it is."""


def submissions(lab: str) -> Iterator[Submission]:
    """Everything that is handed in for a lab."""
    starters = {cell.id: cell.source for cell in read_cells(LABS / lab / "lab.py")}
    mistakes = import_module(f"labs.{lab}.wrong").WRONG
    for task in tasks(lab):
        setup = _imports(LABS / lab / "solution.py")
        solution = _solution(lab, task.class_name)
        yield Submission(f"{task.id}-starter", lab, task.id, f"{setup}\n\n{starters[task.id]}", STARTER_HINT)
        yield Submission(f"{task.id}-solution", lab, task.id, solution, None)
        for mistake, hint in mistakes:
            if mistake.__mro__[1].__name__ == task.class_name:
                changed = f"{inspect.getsource(mistake)}\n\n{task.class_name} = {mistake.__name__}"
                yield Submission(f"{task.id}-{mistake.__name__}", lab, task.id, f"{solution}\n\n\n{changed}", hint)


def tasks(lab: str) -> tuple[Task[Any, Any], ...]:
    """The tasks of a lab."""
    found: tuple[Task[Any, Any], ...] = import_module(f"labs.{lab}.grading").TASKS
    return found


def run_cell(source: str, class_name: str) -> Any:
    """The class that a cell defines, run as a notebook runs it: in `__main__`, its lines known to tracebacks."""
    file = f"<cell {hash(source)}>"
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    namespace: dict[str, Any] = {"__name__": "__main__"}
    exec(compile(source, file, "exec"), namespace)
    return namespace[class_name]


def _imports(file: Path) -> str:
    text = file.read_text(encoding="utf-8")
    nodes = [node for node in ast.parse(text).body if isinstance(node, ast.Import | ast.ImportFrom)]
    return "\n".join(ast.get_source_segment(text, node) or "" for node in nodes)


def _solution(lab: str, class_name: str) -> str:
    """One class of the solution, with the imports and the small classes that it stands on."""
    file = LABS / lab / "solution.py"
    others = {task.class_name for task in tasks(lab)} - {class_name}
    module = import_module(f"labs.{lab}.solution")
    classes = [node.name for node in ast.parse(file.read_text(encoding="utf-8")).body if isinstance(node, ast.ClassDef)]
    sources = [inspect.getsource(getattr(module, name)) for name in classes if name not in others]
    return "\n\n\n".join([_imports(file), *sources])
