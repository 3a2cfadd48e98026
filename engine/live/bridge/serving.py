"""The HTTP server that the bridge runs on: one parser wherever it is, and no patience with who says nothing."""

import asyncio
from typing import Any, Final

import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

HEAD_SECONDS: Final = 20.0
"""How long a connection may take to say what it asks for: a page takes milliseconds."""

MOST_CONNECTIONS: Final = 256
"""Connections at once; more are answered with 503."""


class PatientProtocol(H11Protocol):
    """Hangs up on a connection that doesn't ask, or asks a byte at a time: they would use up all there are."""

    _waiting: asyncio.TimerHandle | None = None

    # As uvicorn has it: asyncio types this transport more widely than what a server's connection ever gets.
    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for a request's head."""
        super().connection_made(transport)
        self._wait()

    def data_received(self, data: bytes) -> None:
        """Go on waiting, or stop once the head has come."""
        super().data_received(data)
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no more."""
        self._stop()
        super().connection_lost(exc)

    def _wait(self) -> None:
        if self.cycle is not None and not self.cycle.response_complete:
            self._stop()
        elif self._waiting is None:
            self._waiting = self.loop.call_later(HEAD_SECONDS, self.transport.close)

    def _stop(self) -> None:
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None


def server_of(app: ASGIApp, **more: Any) -> uvicorn.Server:
    """The server for `app`; `more` goes to uvicorn's settings."""
    given: dict[str, Any] = {
        "http": PatientProtocol,
        "ws": "none",
        "log_level": "warning",
        "access_log": False,
        "server_header": False,
        "timeout_graceful_shutdown": 3,
        "limit_concurrency": MOST_CONNECTIONS,
        "proxy_headers": False,
    }
    return uvicorn.Server(uvicorn.Config(app, **given | more))
