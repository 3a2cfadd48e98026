"""Words from work that takes a while: what it is after a second, and every ten seconds how far it is."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Thread

Say = Callable[[str], None]

SOON = 1.0
"""Seconds after which somebody wonders what goes on."""
OFTEN = 10.0
"""Seconds after which somebody wonders whether it still goes on."""


class Watch:
    """What is known of some work under way. Whoever does it sets `how_far`; it is asked from another thread."""

    def __init__(self) -> None:
        self.how_far: Callable[[], str] = lambda: ""


@contextmanager
def waiting(what: str, say: Say, *, first: float = SOON, often: float = OFTEN) -> Iterator[Watch]:
    """Say what is done when it takes longer than `first` seconds, and again whenever `often` more have passed."""
    watch, over, start = Watch(), Event(), time.monotonic()

    def beat() -> None:
        pause = first
        while not over.wait(pause):
            pause = often
            passed = time.monotonic() - start
            far = watch.how_far()
            word = f"goes on after {passed:.0f} s" if passed >= often else ""
            say(": ".join([what, *filter(None, [", ".join(filter(None, [word, far]))])]))

    thread = Thread(target=beat, daemon=True)
    thread.start()
    try:
        yield watch
    finally:
        over.set()
        thread.join()
