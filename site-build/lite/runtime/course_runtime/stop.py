"""Turn the student's *Stop* into KeyboardInterrupt, without shared memory.

A worker that runs Python answers no messages, so it has to ask. JavaScript's `asked()` says whether the
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
from dataclasses import dataclass
from types import FrameType
from typing import Any

SLICE_SECONDS = 0.05
"""How long a sleep goes on before it asks again."""


class _Run:
    """The cell or snippet that runs now."""

    def __init__(self, task: "asyncio.Task[Any] | None") -> None:
        self.task = task
        self.stopped = False
        self.others = asyncio.all_tasks() if task else set()


@dataclass(frozen=True)
class Hooks:
    """What JavaScript offers."""

    asked: Callable[[], bool]
    """Whether the student wants to stop: looked up now."""
    begin: Callable[[], None]
    end: Callable[[], None]
    hush: Callable[[int], None]
    """+1 and -1: keep the interrupt buffer quiet while `time.sleep` does the asking."""


class _State:
    hooks: Hooks | None = None
    run: _Run | None = None


def install(asked: Callable[[], bool], begin: Callable[[], None], end: Callable[[], None],
            hush: Callable[[int], None]) -> None:
    """Take the JavaScript functions that `Hooks` describes, and listen."""
    _State.hooks = Hooks(asked, begin, end, hush)
    signal.signal(signal.SIGINT, _on_sigint)
    time.sleep = _sleeper(time.sleep, hush)


@contextmanager
def stoppable() -> Iterator[_Run]:
    """Everything inside can be stopped. Yields a record whose `stopped` says whether it was."""
    assert _State.hooks, "install() comes first"
    run = _State.run = _Run(_current_task())
    _State.hooks.begin()
    try:
        yield run
    finally:
        _State.hooks.end()
        _State.run = None


def raise_if_asked() -> None:
    """Raise KeyboardInterrupt when the student wants to stop."""
    if _State.hooks and _State.hooks.asked():
        _note()
        raise KeyboardInterrupt


def cancel() -> None:
    """Cancel what runs while it awaits: JavaScript calls this when a message gets through."""
    run = _State.run
    if run is None or run.task is None or run.task.done():
        return
    run.stopped = True
    if getattr(run.task, "_fut_waiter", None) is not None:
        run.task.cancel("stopped")
        return
    # The task stands inside run_until_complete(), on a switched stack: cancel what that waits for.
    for task in asyncio.all_tasks() - run.others - {run.task}:
        task.cancel("stopped")


def _current_task() -> "asyncio.Task[Any] | None":
    try:
        return asyncio.current_task()
    except RuntimeError:  # no event loop runs: the code is wholly synchronous
        return None


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
    cancel()


def _sleeper(sleep: Callable[[float], None], hush: Callable[[int], None]) -> Callable[[float], None]:
    def sliced(seconds: float, /) -> None:
        end = time.monotonic() + seconds
        hush(1)
        try:
            sleep(min(seconds, SLICE_SECONDS))
            while (left := end - time.monotonic()) > 0:
                raise_if_asked()
                sleep(min(left, SLICE_SECONDS))
        finally:
            hush(-1)

    sliced.__name__ = sliced.__qualname__ = "sleep"
    sliced.__doc__ = sleep.__doc__
    return sliced
