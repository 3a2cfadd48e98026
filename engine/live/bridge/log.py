"""The events of one run, kept within a bound, for readers that come, lag and come back."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Iterator
from typing import Any, Final, NamedTuple

import msgspec

BATCH: Final = 512
"""Events that a reader is given at once: each piece that is sent costs the same, however long it is."""


class Kept(NamedTuple):
    """An event that is kept: its number from 1, when it was in the run, and its line."""

    number: int
    at: int
    line: str


class EventLog:
    """Appends in constant time and forgets the oldest events beyond `most_bytes`."""

    def __init__(self, most_bytes: int) -> None:
        self._most_bytes = most_bytes
        self._kept: deque[Kept] = deque()
        self._num_bytes = 0
        self._last = 0
        self._forgotten_at = 0
        self._news = asyncio.Event()
        self.is_over = False

    @property
    def num_forgotten(self) -> int:
        """How many events aren't kept any more."""
        return self._last - len(self._kept)

    def append(self, value: dict[str, Any], at: int = 0) -> None:
        """Keep one event. After the end nothing is added."""
        if self.is_over:
            return
        line = msgspec.json.encode(value).decode()
        self._last += 1
        self._kept.append(Kept(self._last, at, line))
        self._num_bytes += len(line)
        while self._num_bytes > self._most_bytes and len(self._kept) > 1:
            oldest = self._kept.popleft()
            self._num_bytes -= len(oldest.line)
            self._forgotten_at = oldest.at
        self._wake()

    def close(self) -> None:
        """Say that nothing comes any more."""
        self.is_over = True
        self._wake()

    def lines(self) -> Iterator[str]:
        """The lines that are kept, oldest first."""
        return (event.line for event in self._kept)

    async def after(self, number: int) -> AsyncIterator[list[Kept]]:
        """Batches of the events after `number`, as they come, until the log is closed.

        Where some of them aren't kept any more, a gap comes first, under the number of the last one that is lost.
        """
        at = 0
        while True:
            batch = self._batch(number, at)
            if batch:
                number, at = batch[-1].number, batch[-1].at
                yield batch
            elif self.is_over:
                return
            else:
                await self._news.wait()

    def _batch(self, number: int, at: int) -> list[Kept]:
        first = self._last - len(self._kept) + 1
        gap = []
        if number + 1 < first:
            told = {"event": "gap", "from": at, "to": max(at, self._forgotten_at), "lost": first - 1 - number}
            gap = [Kept(first - 1, self._forgotten_at, msgspec.json.encode(told).decode())]
            number = first - 1
        skip = max(number - first + 1, 0)
        count = min(len(self._kept) - skip, BATCH)
        # Turned so that the next event stands first: cheap from both ends, and readers are mostly at one of them.
        self._kept.rotate(-skip)
        found = [self._kept[index] for index in range(count)]
        self._kept.rotate(skip)
        return gap + found

    def _wake(self) -> None:
        news, self._news = self._news, asyncio.Event()
        news.set()
