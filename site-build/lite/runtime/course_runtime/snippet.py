"""Run a lesson's snippet: a fresh namespace, and a traceback that begins in the snippet."""

import ast
import asyncio
import builtins
import inspect
import io
import linecache
import sys
import traceback
from collections.abc import Callable
from types import CodeType, TracebackType
from typing import Any, NoReturn

from course_runtime.shared import given_back, load_course
from course_runtime.stop import stoppable

FILE_NAME = "snippet.py"


class _Stream(io.TextIOBase):
    def __init__(self, name: str, write: Callable[[str, str], None]) -> None:
        self._name, self._write = name, write

    def writable(self) -> bool:
        return True

    def write(self, text: str, /) -> int:
        self._write(self._name, text)
        return len(text)


def _no_input(prompt: object = "", /) -> NoReturn:
    raise RuntimeError("input() can't wait for an answer in a lesson: give the value in the code instead")


def _parsed(source: str) -> ast.Module:
    """Parse with top-level await; the lines are kept, so that tracebacks show them."""
    linecache.cache[FILE_NAME] = (len(source), None, source.splitlines(keepends=True), FILE_NAME)
    flags = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT | ast.PyCF_ONLY_AST
    code = compile(source, FILE_NAME, "exec", flags=flags, dont_inherit=True)
    assert isinstance(code, ast.Module)
    return code


def _compiled(parsed: ast.Module) -> CodeType:
    code = compile(parsed, FILE_NAME, "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True)
    assert isinstance(code, CodeType)
    return code


def _from_snippet(tb: TracebackType | None) -> TracebackType | None:
    """Drop the frames that led to the snippet's own."""
    while tb is not None and tb.tb_frame.f_code.co_filename != FILE_NAME:
        tb = tb.tb_next
    return tb


def _formatted(error: BaseException) -> str:
    return "".join(traceback.format_exception(type(error), error, _from_snippet(error.__traceback__)))


async def _execute(source: str) -> None:
    namespace: dict[str, Any] = {"__name__": "__main__", "__builtins__": builtins}
    parsed = _parsed(source)
    load_course(parsed)
    with given_back():
        result = eval(_compiled(parsed), namespace)
        if inspect.iscoroutine(result):
            await result


async def run(source: str, write: Callable[[str, str], None]) -> tuple[str, str]:
    """Run `source`; hand (stream, text) to `write`; return the outcome and Python's traceback.

    The outcome is "ok", "error" or "stopped"; the traceback is empty unless it is "error".
    """
    kept = sys.stdout, sys.stderr, builtins.input
    sys.stdout, sys.stderr, builtins.input = _Stream("out", write), _Stream("err", write), _no_input
    try:
        with stoppable() as current:
            try:
                await _execute(source)
            except SystemExit:
                pass
            except (KeyboardInterrupt, asyncio.CancelledError) as error:
                return ("stopped", "") if current.stopped else ("error", _formatted(error))
            except BaseException as error:
                return "error", _formatted(error)
    finally:
        sys.stdout, sys.stderr, builtins.input = kept
    return "ok", ""
