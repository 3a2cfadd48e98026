"""A stream of server-sent events, from bytes in any pieces."""

from collections.abc import Iterator
from typing import NamedTuple


class Event(NamedTuple):
    """One event: its number, or None where it has none, and its text."""

    id: int | None
    data: str


class EventReader:
    """Takes bytes and gives the events that are complete. An event of no data isn't one: comments, say."""

    def __init__(self) -> None:
        self._rest = b""
        self._id: int | None = None
        self._data: list[str] = []

    def feed(self, piece: bytes) -> Iterator[Event]:
        """The events that end in this piece."""
        lines = (self._rest + piece).replace(b"\r\n", b"\n").split(b"\n")
        self._rest = lines.pop()
        for line in lines:
            if line:
                self._field(line.decode("utf-8", "replace"))
            elif self._data:
                event = Event(self._id, "\n".join(self._data))
                self._data, self._id = [], None
                yield event

    def _field(self, line: str) -> None:
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if name == "data":
            self._data.append(value)
        elif name == "id" and value.isdecimal():
            self._id = int(value)
