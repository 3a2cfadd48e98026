"""A progress bar for long work: on standard error, only for people, gone when the work is done."""

import sys
import time
from typing import Final, TextIO

from engine.views.numbers import percent

WIDTH: Final = 30
"""Characters of the bar."""

SECONDS_BETWEEN: Final = 0.1
"""The bar isn't drawn more often."""


class Progress:
    """How much of `total` is done. Nothing is shown where `stream` is no terminal, or the total isn't known."""

    def __init__(self, what: str, total: int, stream: TextIO | None = None) -> None:
        self.what = what
        self.total = total
        self.done = 0
        self._stream = sys.stderr if stream is None else stream
        self._shows = total > 0 and self._stream.isatty()
        # Work that is done in a moment shows no bar at all.
        self._next = time.monotonic() + 3 * SECONDS_BETWEEN
        self._drawn = False

    def advance(self, count: int = 1) -> None:
        """So much more is done."""
        self.done += count
        if self._shows and time.monotonic() >= self._next:
            self._draw()

    def __enter__(self) -> "Progress":
        return self

    def __exit__(self, *failure: object) -> None:
        """Take the bar away."""
        if self._drawn:
            self._stream.write("\r\x1b[K")
            self._stream.flush()

    def _draw(self) -> None:
        self._next = time.monotonic() + SECONDS_BETWEEN
        share = min(1.0, self.done / self.total)
        bar = ("#" * round(share * WIDTH)).ljust(WIDTH, ".")
        self._stream.write(f"\r{self.what} [{bar}] {percent(share, 0):>5}")
        self._stream.flush()
        self._drawn = True
