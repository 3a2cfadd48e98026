"""What the course changes in the notebook's kernel (pyodide_kernel 0.8.6): stop, output, input, completion.

The kernel's own classes are changed before the first cell runs. Everything that leans on how that release
works stands here and in `notebook.mjs`.
"""

import builtins
import sys
from collections.abc import Callable
from typing import Any, Protocol

from pyodide_kernel import kernel_instance
from pyodide_kernel.display import LiteDisplayPublisher, LiteStream
from pyodide_kernel.interpreter import Interpreter
from pyodide_kernel.kernel import PyodideKernel

from course_runtime.stop import raise_if_asked, stoppable


class Output(Protocol):
    """What JavaScript offers."""

    def restart(self, header: Any, /) -> None:
        """A cell begins; its output answers the message with this header."""

    def write(self, name: str, text: str, /) -> None: ...

    def flush(self) -> None: ...


LIBRARY = "/lib/python3"
"""Where the files of the standard library and of this package stand."""

NO_INPUT = (
    "input() can't reach you here: it needs a service worker, which this browser or this address "
    "(http from another machine, say) doesn't offer. Give the value in the code instead."
)

NO_EXIT = "exit() doesn't end a notebook: Restart, above it, starts Python anew."

BROKEN = "The cell could not be run: a part of Python under the notebook was changed. Restart, above, brings it back."


def install(output: Output) -> None:
    """Change the kernel, before its first cell."""
    _batch_streams(output)
    _make_stoppable(output)
    Interpreter.ask_exit = lambda shell: print(NO_EXIT)
    Interpreter.input = property(lambda shell: shell._input, _set_input)
    kernel_instance.interpreter.Completer.use_jedi = False
    # The student's files come last: each look there is a round trip through the page.
    sys.path[:] = [place for place in sys.path if place not in ("", "/drive")] + ["/drive"]


def _batch_streams(output: Output) -> None:
    LiteStream.write = lambda stream, text: output.write(stream.name, text)
    LiteStream.flush = lambda stream: output.flush()
    for name in ("publish", "clear_output"):
        _after_flush(LiteDisplayPublisher, name, output)


def _after_flush(owner: type, name: str, output: Output) -> None:
    original = getattr(owner, name)

    def flushed(self: Any, *args: Any, **named: Any) -> Any:
        output.flush()
        return original(self, *args, **named)

    setattr(owner, name, flushed)


def _make_stoppable(output: Output) -> None:
    original = PyodideKernel.run

    async def run(self: PyodideKernel, code: str) -> dict[str, Any]:
        output.restart(self._parent_header.get("header"))
        try:
            with stoppable() as current:
                results: dict[str, Any] = await original(self, code)
        except Exception as error:  # the kernel itself failed: it would never answer
            return _as_broken(error)
        finally:
            output.flush()
        stopped = current.stopped and results["status"] == "error"
        return results | _as_stopped(results["traceback"]) if stopped else results

    PyodideKernel.run = run


def _as_broken(error: Exception) -> dict[str, Any]:
    """The answer of a kernel that a cell has taken something away from: `sys.stdout`, say, or its modules."""
    why = f"{type(error).__name__}: {error}"
    return {"status": "error", "ename": "RuntimeError", "evalue": BROKEN, "traceback": [why, BROKEN]}


def _as_stopped(traceback: list[str]) -> dict[str, Any]:
    """The traceback of a stopped cell: where it was in the student's code and the course's, in one word why."""
    lines = [line for line in traceback[:-1] if LIBRARY not in line]
    return {"ename": "KeyboardInterrupt", "evalue": "stopped", "traceback": [*lines, "KeyboardInterrupt: stopped"]}


def _set_input(shell: Interpreter, ask: Callable[..., str | None]) -> None:
    """The kernel hands over a new `ask` before each cell; without a service worker it answers None."""

    def asking(prompt: object = "", /) -> str:
        answer = ask(str(prompt))
        raise_if_asked()
        if answer is None:
            raise RuntimeError(NO_INPUT)
        return answer

    shell._input = ask
    builtins.input = asking
