"""Looks who is behind the address, and looks again when asked anew: a server may have been started since."""

import asyncio
import time
from dataclasses import replace
from typing import Final

import msgspec

from engine.live.bridge.backends.backend import Backend, Lack
from engine.live.bridge.backends.openai import choose, models_of, openai_backend
from engine.live.bridge.backends.recorder import recorder_backend
from engine.live.bridge.backends.vllm import vllm_backend
from engine.live.bridge.options import Options
from engine.live.bridge.recorders import Recorders
from engine.live.bridge.target import fetch, new_client

KEPT_SECONDS: Final = 2.0
"""How long an answer is taken for granted: a page may ask often."""


class Finder:
    """Finds the backend. One question at a time goes to the server."""

    def __init__(self, options: Options) -> None:
        self._options = options
        self.client = new_client(options.target, options.limits)
        self._recorders = Recorders(options.recorder_path)
        self._asking = asyncio.Lock()
        self._found: tuple[float, Backend] | None = None

    async def find(self, *, anew: bool = False) -> Backend:
        """The backend as it was a moment ago, or as it is now if asked `anew`. Raises `Unreachable`."""
        async with self._asking:
            if anew or self._found is None or time.monotonic() - self._found[0] > KEPT_SECONDS:
                self._found = None
                self._found = (time.monotonic(), await self._look())
            return self._found[1]

    def forget(self) -> None:
        """Take nothing for granted any more: a run has ended, and the server may have ended it."""
        self._found = None

    async def close(self) -> None:
        """Let go of the server."""
        await self._recorders.close()
        await self.client.aclose()

    async def _look(self) -> Backend:
        await self._recorders.open()
        version = await self._version()
        model = choose(await models_of(self.client), self._options.model)
        if version is None:
            return openai_backend(model)
        found = await vllm_backend(self.client, version, model, self._options.replicas)
        recorders = list(self._recorders.connected)
        if recorders:
            return recorder_backend(found, recorders)
        if self._recorders.refused:
            return replace(found, lacks=(*found.lacks, Lack("the recorder", self._recorders.refused)))
        return found

    async def _version(self) -> str | None:
        """vLLM's version; None if it's another server."""
        text = await fetch(self.client, "version", must=False)
        try:
            version = msgspec.json.decode(text or "")["version"]
        except (ValueError, KeyError, TypeError, RecursionError):
            return None
        return version if isinstance(version, str) else None
