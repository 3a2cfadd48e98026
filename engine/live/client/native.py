"""Requests from an ordinary Python: the standard library's HTTP, in a thread."""

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import suppress
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from typing import Final
from urllib.parse import urlsplit

from engine.live.client.transport import SILENCE, Cut, Request

PIECE: Final = 1 << 16
"""Bytes that are read at once, at most."""


class NativeAnswer:
    """An answer over a connection of its own."""

    def __init__(self, response: HTTPResponse, wire: socket.socket) -> None:
        self.status = response.status
        self._response, self._wire = response, wire

    async def pieces(self) -> AsyncIterator[bytes]:
        """The content as it comes. Raises `Cut`."""
        while piece := await asyncio.to_thread(self._read):
            yield piece

    def _read(self) -> bytes:
        try:
            return self._response.read1(PIECE)
        except (OSError, HTTPException, ValueError) as error:
            raise Cut(_words(error)) from None

    async def close(self) -> None:
        """Hang up. A thread that waits for a byte gets none and ends."""
        with suppress(OSError):
            self._wire.shutdown(socket.SHUT_RDWR)
        self._wire.close()


async def send(request: Request) -> NativeAnswer:
    """Send a request. Raises `Cut`."""
    return await asyncio.to_thread(_send, request)


def _send(request: Request) -> NativeAnswer:
    parts = urlsplit(request.url)
    kind = HTTPSConnection if parts.scheme == "https" else HTTPConnection
    connection = kind(parts.hostname or "", parts.port, timeout=SILENCE)
    path = f"{parts.path}?{parts.query}" if parts.query else parts.path
    try:
        connection.request(request.method, path, request.body, dict(request.headers))
        wire = connection.sock
        return NativeAnswer(connection.getresponse(), wire)
    except (OSError, HTTPException) as error:
        connection.close()
        raise Cut(_words(error)) from None


def _words(error: Exception) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error) or type(error).__name__
