"""Calls a student's code, and turns what goes wrong into words.

`KeyboardInterrupt` is let through, so that *Stop* ends a loop that never ends: nothing here can bound a
`while True` inside one method.
"""

import contextlib
import io
import linecache
import traceback
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeAlias

from labs.kit.result import Violation

Student: TypeAlias = Any
"""A student's class, or an object of it: nothing is known of it until it has been called."""

MOST_PRINTED = 2_000
"""Characters of a student's own output that are kept; a loop may print a flood."""


class StudentError(Exception):
    """The student's code ended a run early: `violation` says how."""

    def __init__(self, violation: Violation) -> None:
        super().__init__(violation.words)
        self.violation = violation


def ask(call: str, function: Callable[..., Any], *arguments: object) -> Any:
    """What `function` of the student's returns. `call` is the call as students write it: `step()`.

    Raises `StudentError` for whatever the student's code raises.
    """
    try:
        return function(*arguments)
    except Exception as error:
        raise StudentError(_raised(call, error)) from error


def unreadable(call: str, wanted: str, answer: object) -> StudentError:
    """The error for an answer that grading can't read: `wanted` says what it should have been."""
    shown = repr(answer)
    words = f"`{call}` is `{shown if len(shown) <= 60 else shown[:57] + '…'}`."
    return StudentError(Violation("readable", f"`{call}` is {wanted}.", words))


def shape_violation(student: Student, methods: Sequence[str], call: str) -> Violation | None:
    """What is wrong with the thing that was handed over, before any of it runs; None if nothing is.

    `call` is how grading is written: `grade.batcher(Batcher)`.
    """
    if not isinstance(student, type):
        holds = f"Grading takes the class itself, as in `{call}`: no brackets after its name."
        return Violation("a-class", holds, f"You handed over an object of type `{type(student).__name__}`.")
    missing = [f"`{name}`" for name in methods if not callable(getattr(student, name, None))]
    if missing:
        holds = f"`{student.__name__}` keeps every method of the starter."
        return Violation("methods", holds, f"It has no {', '.join(missing)}.")
    return None


@contextlib.contextmanager
def printing() -> Iterator[io.StringIO]:
    """Keeps what the student's code prints, up to `MOST_PRINTED` characters, away from the notebook."""
    kept = _Bounded()
    with contextlib.redirect_stdout(kept):
        yield kept


class _Bounded(io.StringIO):
    def write(self, text: str) -> int:
        super().write(text[: max(0, MOST_PRINTED - self.tell())])
        return len(text)


def _raised(call: str, error: Exception) -> Violation:
    line = _line_of(error)
    where = f", on your line `{line}`" if line else ""
    words = f"`{call}` raised `{type(error).__name__}: {error}`{where}."
    return Violation("no-error", "Your methods finish without an error.", words)


def _line_of(error: Exception) -> str:
    """The innermost line of the traceback that stands in the notebook (its module is `__main__`)."""
    line = ""
    for frame, number in traceback.walk_tb(error.__traceback__):
        if frame.f_globals.get("__name__") == "__main__":
            line = linecache.getline(frame.f_code.co_filename, number).strip() or line
    return line
