"""What a way of sending requests offers: a request goes out, an answer comes in pieces."""

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from typing import Final, NamedTuple, Protocol, TypeAlias

SILENCE: Final = 40.0
"""Seconds without a byte that are taken for a cut. The bridge speaks every 15 seconds or sooner."""


class Cut(Exception):
    """No connection, or one that ended too early. What was lost can be asked for again."""


class Request(NamedTuple):
    """One request to the bridge."""

    method: str
    url: str
    headers: Mapping[str, str]
    body: bytes | None = None


class Answer(Protocol):
    """What came back: its status at once, its content in pieces."""

    status: int

    def pieces(self) -> AsyncIterator[bytes]:
        """The content as it comes. Raises `Cut`."""

    async def close(self) -> None:
        """Hang up; what is read at this moment ends."""


Send: TypeAlias = Callable[[Request], Awaitable[Answer]]
"""Sends a request; raises `Cut` where there is no connection."""


async def content(answer: Answer, most: int) -> bytes:
    """The whole content, `most` bytes of it at most. Raises `Cut`."""
    found = bytearray()
    try:
        async for piece in answer.pieces():
            found += piece
            if len(found) >= most:
                break
    finally:
        await answer.close()
    return bytes(found[:most])
