"""Requests from a browser's Python: the page's own `fetch`. And what the page knows about its bridge."""

import asyncio
import json
from collections.abc import AsyncIterator
from importlib import import_module
from typing import Any, Final
from urllib.parse import urlsplit

from engine.live.client.transport import SILENCE, Cut, Request

CHANNEL: Final = "engine.live"
"""The broadcast channel on which the page answers."""

PATIENCE: Final = 2.0
"""Seconds to wait for the page's answer."""

LOOPBACK: Final = ("127.0.0.1", "localhost", "::1")
"""Hosts that are this very machine."""


def _plain(value: dict[str, Any]) -> Any:
    # By way of JSON: whatever the value holds, JavaScript gets objects and not maps.
    return import_module("js").JSON.parse(json.dumps(value))


class PageAnswer:
    """An answer to the page's `fetch`."""

    def __init__(self, response: Any, controller: Any) -> None:
        self.status = int(response.status)
        self._reader = response.body.getReader()
        self._controller = controller

    async def pieces(self) -> AsyncIterator[bytes]:
        """The content as it comes. Raises `Cut`."""
        problem = import_module("pyodide.ffi").JsException
        while True:
            try:
                piece = await asyncio.wait_for(self._reader.read(), SILENCE)
            except (problem, TimeoutError) as error:
                raise Cut(str(error) or "silence") from None
            if piece.done:
                return
            yield piece.value.to_bytes()

    async def close(self) -> None:
        """Hang up."""
        self._controller.abort()


async def send(request: Request) -> PageAnswer:
    """Send a request. Raises `Cut`."""
    js, ffi = import_module("js"), import_module("pyodide.ffi")
    controller = js.AbortController.new()
    options = _plain({"method": request.method, "headers": dict(request.headers), "cache": "no-store"})
    options.signal = controller.signal
    if request.body is not None:
        options.body = request.body.decode()
    if js.location.protocol == "https:" and urlsplit(request.url).hostname in LOOPBACK:
        # A secure page may ask its own machine in plain http, where the browser is told that it means to.
        options.targetAddressSpace = "loopback"
    try:
        return PageAnswer(await js.fetch(request.url, options), controller)
    except ffi.JsException as error:
        raise Cut(str(error)) from None


async def known_link() -> tuple[str, str] | None:
    """The address and the token that the page around this Python is connected with, or None."""
    js, ffi = import_module("js"), import_module("pyodide.ffi")
    found: asyncio.Future[tuple[str, str]] = asyncio.get_running_loop().create_future()

    def hear(event: Any) -> None:
        if event.data.type == "live" and not found.done():
            found.set_result((str(event.data.address), str(event.data.token)))

    channel, listener = js.BroadcastChannel.new(CHANNEL), ffi.create_proxy(hear)
    channel.onmessage = listener
    try:
        channel.postMessage(_plain({"type": "live-wanted"}))
        return await asyncio.wait_for(found, PATIENCE)
    except TimeoutError:
        return None
    finally:
        channel.close()
        listener.destroy()
