"""The founding lab's text: it runs from top to bottom as it is, and its answers agree with the engine."""

import ast
import contextlib
import io
import linecache
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coursekit.labs import read_cells
from engine.blocks import blocks_needed, internal_waste
from engine.naive import continuous_batch
from engine.prefix import hash_blocks
from labs.founding import grade
from labs.founding.solution import Allocator, Batcher, PrefixCache
from labs.kit.report import Report
from submissions import LABS, submissions, tasks

CELLS = read_cells(LABS / "founding" / "lab.py")
CODE = [cell for cell in CELLS if cell.kind == "code"]
SOLUTION = {each.task: each.source for each in submissions("founding") if each.passes}


def run_notebook(cells: dict[str, str]) -> dict[str, Any]:
    """Run every cell in order, some with other text; what the last line of each cell with an id shows."""
    namespace: dict[str, Any] = {"__name__": "__main__"}
    shown = {}
    for cell in CODE:
        body = ast.parse(cells.get(cell.id or "", cell.source)).body
        last = body.pop() if isinstance(body[-1], ast.Expr) else None
        exec(compile(ast.Module(body, []), "<cell>", "exec"), namespace)
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), "<cell>", "eval"), namespace)
            shown[cell.id or f"line {cell.line}"] = value
    linecache.clearcache()
    return shown


def test_the_starter_runs_to_the_end_and_passes_nothing() -> None:
    with contextlib.redirect_stdout(io.StringIO()):
        shown = run_notebook({})
    for task in tasks("founding"):
        report = shown[f"grade-{task.id}"]
        assert isinstance(report, Report)
        assert not report.result.passed


def test_with_the_solution_typed_in_every_task_passes_and_the_examples_come_out() -> None:
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        shown = run_notebook(SOLUTION)
    assert all(shown[f"grade-{task.id}"].result.passed for task in tasks("founding"))
    assert shown["try-batcher"] == {"a": 2, "b": 4, "c": 3}
    assert "['a', 'b']\n['a', 'b']\n['b', 'c']\n['b']\n[]\n" in printed.getvalue()
    assert shown["try-allocator"] == 31
    assert "a True [1, 2]\nb True [3, 4]\nc True [5, 6, 7]\n" in printed.getvalue()
    assert "b found 2 blocks" in printed.getvalue()
    assert "c found 0 blocks" in printed.getvalue()


def test_the_right_guesses_are_right() -> None:
    guesses = {"guess-fixed": 5, "guess-continuous": 3, "guess-reserved": 112, "guess-waste": 31, "guess-found": 8}
    cells = {cell.id: cell.source for cell in CODE if cell.id in guesses}
    assert cells.keys() == guesses.keys()
    changed = {name: cells[name].replace("my_guess = None", f"my_guess = {guess}") for name, guess in guesses.items()}
    with contextlib.redirect_stdout(io.StringIO()):
        shown = run_notebook(changed)
    assert all(repr(shown[name]).startswith(f"✓ {guess}, as you said.") for name, guess in guesses.items())


def test_every_task_has_a_cell_to_fill_in_one_to_try_and_one_that_grades() -> None:
    ids = [cell.id for cell in CELLS]
    for task in tasks("founding"):
        places = [ids.index(name) for name in (task.id, f"try-{task.id}", f"grade-{task.id}")]
        assert all(before < after for before, after in pairwise(places))
        assert getattr(grade, task.id)
        assert f"grade.{task.id}({task.class_name})" in CELLS[places[-1]].source


def test_what_to_write_is_as_short_as_the_text_says() -> None:
    words = {"two": 2, "four": 4, "five": 5, "six": 6, "seven": 7}
    solution = _methods((LABS / "founding" / "solution.py").read_text(encoding="utf-8"))
    asked = 0
    for cell in CODE:
        if cell.id in SOLUTION:
            for name, text in _methods(cell.source).items():
                if "Yours: " in text and "lines" in text:
                    asked += 1
                    count = words[text.split("Yours: ")[1].split(" lines")[0]]
                    assert len(solution[name].splitlines()) - 1 == count <= 8, name
    assert asked == 9


def _methods(source: str) -> dict[str, str]:
    classes = [node for node in ast.parse(source).body if isinstance(node, ast.ClassDef)]
    functions = [(each.name, node) for each in classes for node in each.body if isinstance(node, ast.FunctionDef)]
    lines = source.splitlines()
    ends = {node.lineno: _end(lines, node) for _, node in functions}
    return {f"{name}.{node.name}": "\n".join(lines[node.lineno - 1 : ends[node.lineno]]) for name, node in functions}


def _end(lines: list[str], node: ast.FunctionDef) -> int:
    """The last line of a method, comments below its last statement included."""
    end = node.end_lineno or node.lineno
    while end < len(lines) and lines[end].startswith("        #"):
        end += 1
    return end


def test_no_cell_needs_an_event_loop() -> None:
    assert not [cell.id for cell in CODE if "await" in cell.source or "asyncio" in cell.source]


@pytest.mark.parametrize("cell", CODE, ids=lambda cell: cell.id or f"line-{cell.line}")
def test_code_fits_the_frame(cell: Any) -> None:
    assert max(map(len, cell.source.splitlines())) <= 92


@settings(deadline=None)
@given(st.lists(st.integers(1, 6), min_size=1, max_size=8), st.integers(1, 4))
def test_the_batcher_is_the_engines(lengths: list[int], slots: int) -> None:
    jobs = {f"job-{index}": steps for index, steps in enumerate(lengths)}
    batcher = Batcher(slots)
    for name, steps in jobs.items():
        batcher.add(name, steps)
    trace = continuous_batch(jobs, slots)
    assert [batcher.step() for _ in trace.steps()] == [[row.id for row in step.rows] for step in trace.steps()]
    assert {name: batcher.finished[name] for name in jobs} == trace.finish_steps()


@settings(deadline=None)
@given(st.lists(st.integers(1, 70), max_size=6), st.integers(1, 20))
def test_the_allocator_counts_as_the_engine_does(lengths: list[int], block_size: int) -> None:
    pool = Allocator(sum(blocks_needed(tokens, block_size) for tokens in lengths) + 1, block_size)
    for index, tokens in enumerate(lengths):
        assert pool.allocate(f"request-{index}", tokens)
    assert not pool.free_blocks
    assert pool.waste() == sum(internal_waste(tokens, block_size) for tokens in lengths)


TOKENS = st.lists(st.integers(0, 2), max_size=9)


@settings(deadline=None)
@given(TOKENS, TOKENS, st.sampled_from([None, "oak", "elm"]), st.integers(1, 3))
def test_keys_are_equal_where_the_engines_hashes_are(
    ours: list[int], theirs: list[int], salt: str | None, block_size: int
) -> None:
    cache = PrefixCache(2, block_size)
    same = [a == b for a, b in zip(cache.keys(ours, "oak"), cache.keys(theirs, salt), strict=False)]
    hashes = zip(hash_blocks(ours, block_size, "oak"), hash_blocks(theirs, block_size, salt), strict=False)
    assert same == [a == b for a, b in hashes]
