"""Text output in batches, so that a flood of prints drowns neither the page nor the stored notebook."""

import time
from collections.abc import Callable

BATCH_SECONDS = 0.04
BATCH_CHARS = 16_000
MOST_CHARS = 400_000
"""What one cell or snippet may print; past this a word is said and the rest is dropped."""

CUT = f"\n[output cut after {MOST_CHARS:,} characters]\n"


class Batches:
    """Collects what several streams write, in order, and sends it on a few times a second."""

    def __init__(self, send: Callable[[str, str], None], clock: Callable[[], float] = time.monotonic) -> None:
        self._send = send
        self._clock = clock
        self.restart()

    def restart(self) -> None:
        """A new cell or snippet begins: nothing is held, and the allowance is whole."""
        self._name = ""
        self._held: list[str] = []
        self._held_chars = 0
        self._chars = 0
        self._sent_at = self._clock()

    def write(self, name: str, text: str) -> None:
        """Take `text` of the stream `name`, and send it at once or soon."""
        if self._chars >= MOST_CHARS:
            return
        if name != self._name:
            self.flush()
            self._name = name
        self._chars += len(text)
        if self._chars >= MOST_CHARS:
            text = text[: len(text) - (self._chars - MOST_CHARS)] + CUT
        self._held.append(text)
        self._held_chars += len(text)
        if self._held_chars >= BATCH_CHARS or self._clock() - self._sent_at >= BATCH_SECONDS:
            self.flush()

    def flush(self) -> None:
        """Send what is held."""
        if self._held:
            self._send(self._name, "".join(self._held))
            self._held, self._held_chars = [], 0
        self._sent_at = self._clock()
