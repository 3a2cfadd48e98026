"""Turn the student's *Stop* into KeyboardInterrupt, without shared memory.

A worker that runs Python answers no messages, so it has to ask. JavaScript's tickets say whether the
student pressed *Stop* (see `stop.mjs`); who asks depends on what Python is doing:

- running bytecode: Pyodide looks at the interrupt buffer now and then, and raises SIGINT: `_on_sigint`;
- sleeping: `time.sleep` is cut into slices that ask;
- awaiting: nothing runs, so a message arrives, and `cancel()` cancels the awaiting task;
- reading `input()`: the page answers the prompt, and the answer is never handed on: `raise_if_asked()`.

One long call into C can't be stopped. The page offers *Restart* then.
"""

import asyncio
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any, Protocol

SLICE_SECONDS = 0.05
"""How long a sleep goes on before it asks again."""


class Tickets(Protocol):
    """What JavaScript offers."""

    def begin(self) -> None:
        """A run begins."""

    def end(self) -> None:
        """It has ended."""

    def asked(self) -> bool:
        """Whether the student wants to stop: looked up now, told once."""

    def again(self) -> None:
        """Tell once more at the next look."""

    def hush(self, change: int, /) -> None:
        """+1 and -1: keep the interrupt buffer quiet while a sleep does the asking."""


class Run:
    """The cell or snippet that runs now."""

    def __init__(self) -> None:
        try:
            self.task: asyncio.Task[Any] | None = asyncio.current_task()
        except RuntimeError:  # no event loop runs: the code is wholly synchronous
            self.task = None
        self.others = asyncio.all_tasks() if self.task else set()
        self.stopped = False


class _State:
    tickets: Tickets
    run: Run | None = None


def install(tickets: Tickets) -> None:
    """Listen to the student's wish."""
    _State.tickets = tickets
    time.sleep = _sliced(time.sleep)


@contextmanager
def stoppable() -> Iterator[Run]:
    """Everything inside can be stopped, whatever ran before. Yields a record whose `stopped` says whether it was."""
    signal.signal(signal.SIGINT, _on_sigint)
    run = _State.run = Run()
    _State.tickets.begin()
    try:
        yield run
    finally:
        _State.tickets.end()
        _State.run = None


def raise_if_asked() -> None:
    """Raise KeyboardInterrupt when the student wants to stop."""
    if _State.tickets.asked():
        _note()
        raise KeyboardInterrupt


def cancel() -> bool:
    """Cancel what the run awaits; False where it awaits nothing."""
    run = _State.run
    if run is None or run.task is None:
        return False
    _note()
    if getattr(run.task, "_fut_waiter", None) is not None:
        return run.task.cancel("stopped")
    # The task stands inside run_until_complete(), on a switched stack: cancel what that waits for.
    inner = asyncio.all_tasks() - run.others - {run.task}
    cancelled = [task.cancel("stopped") for task in inner]  # every one of them, not only the first
    return any(cancelled)


def _note() -> None:
    if _State.run is not None:
        _State.run.stopped = True


def _on_sigint(signum: int, frame: FrameType | None) -> None:
    """Raise where the student's code is on the stack; else it awaits, and is cancelled."""
    _note()
    while frame is not None:
        if frame.f_globals.get("__name__") == "__main__":
            raise KeyboardInterrupt
        frame = frame.f_back
    if not cancel():
        _State.tickets.again()


def _sliced(sleep: Callable[[float], None]) -> Callable[[float], None]:
    def sliced(seconds: float, /) -> None:
        end = time.monotonic() + seconds
        _State.tickets.hush(1)
        try:
            sleep(min(seconds, SLICE_SECONDS))
            while (left := end - time.monotonic()) > 0:
                raise_if_asked()
                sleep(min(left, SLICE_SECONDS))
        finally:
            _State.tickets.hush(-1)

    sliced.__name__ = sliced.__qualname__ = "sleep"
    sliced.__doc__ = sleep.__doc__
    return sliced
