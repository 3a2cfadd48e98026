"""Calls a student's code, and turns what goes wrong into words.

What *Stop* raises is let through, so that it ends a loop that never ends: nothing here can bound a `while True`
inside one method. `sys.exit()` isn't: it would end the grading without a word.
"""

import contextlib
import io
import linecache
import traceback
from asyncio import CancelledError
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeAlias

from labs.kit.result import Violation

Student: TypeAlias = Any
"""A student's class, or an object of it: nothing is known of it until it has been called."""

MOST_PRINTED = 2_000
"""Characters of a student's own output that are kept; a loop may print a flood."""

MOST_TOLD = 300
"""Characters of an error's message that are told."""

MOST_SHOWN = 60
"""Characters of a value that are shown."""


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
    except (KeyboardInterrupt, CancelledError):
        raise
    except BaseException as error:
        raise StudentError(_raised(call, error)) from error


def look(student: Student, name: str) -> Any:
    """An attribute of the student's object, which may be a property of theirs; None where there is none."""
    return ask(name, getattr, student, name, None)


def unreadable(call: str, wanted: str, answer: object) -> StudentError:
    """The error for an answer that grading can't read: `wanted` says what it should have been."""
    words = f"`{call}` is {_in_short(repr, answer, MOST_SHOWN)}."
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


def _in_short(show: Callable[[Any], str], value: object, most: int) -> str:
    """What `show` makes of a student's value, cut where it is long; a class of theirs may not be able to say it."""
    try:
        shown = show(value)
    except Exception:
        return f"a `{type(value).__name__}` that can't be shown"
    return f"`{shown if len(shown) <= most else shown[: most - 1] + '…'}`"


def _raised(call: str, error: BaseException) -> Violation:
    line = _line_of(error)
    where = f", on your line `{line}`" if line else ""
    told = _in_short(lambda raised: f"{type(raised).__name__}: {raised}", error, MOST_TOLD)
    words = f"`{call}` raised {told}{where}."
    return Violation("no-error", "Your methods finish without an error.", words)


def _line_of(error: BaseException) -> str:
    """The innermost line of the traceback that stands in the notebook (its module is `__main__`)."""
    line = ""
    for frame, number in traceback.walk_tb(error.__traceback__):
        if frame.f_globals.get("__name__") == "__main__":
            line = linecache.getline(frame.f_code.co_filename, number).strip() or line
    return line
