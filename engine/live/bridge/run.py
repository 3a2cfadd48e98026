"""One run under way: it sends a workload, gathers what is told, and always comes to an end that says how it was."""

import asyncio
import time
from typing import Any, Final

import httpx

from engine.live.bridge.backends.backend import Backend, Source, SourceLost, Watched
from engine.live.bridge.feed import Feed
from engine.live.bridge.limits import Limits
from engine.live.bridge.log import EventLog
from engine.live.bridge.options import FIRST_TOKEN_ID, VOCABULARY, Options
from engine.live.bridge.prompts import Prompts
from engine.live.bridge.sending import Sender
from engine.trace import Header, header_object
from engine.workload.records import Workload

LEAD: Final = 100_000_000
"""Nanoseconds between the request for a run and its beginning: time to get the first prompts ready."""


class Run:
    """A workload on a backend. `log` has its events; `task` ends with it and never raises."""

    def __init__(
        self, name: str, workload: Workload, backend: Backend, client: httpx.AsyncClient, options: Options
    ) -> None:
        self.name, self.workload, self.backend = name, workload, backend
        self.log = EventLog(options.limits.kept_bytes)
        self._client, self._options = client, options
        self._feed = Feed(self.log, time.monotonic_ns() + LEAD)
        self._why: str | None = None
        self.log.append(header_object(self._header()))
        self.task = asyncio.create_task(self._go())

    @property
    def is_active(self) -> bool:
        """Whether it goes on."""
        return not self.log.is_over

    def as_dict(self) -> dict[str, Any]:
        """What `GET /api/backend` says of it."""
        return {"run": self.name, "name": self.workload.name, "active": self.is_active}

    async def cancel(self, why: str = "it was cancelled") -> None:
        """End it now, hang up on every request, and wait until that is done."""
        self._why = self._why or why
        self.task.cancel()
        await asyncio.wait([self.task])

    def _header(self) -> Header:
        backend = self.backend
        about = " ".join(filter(None, (_who(backend), self.workload.about)))
        return Header(
            self.workload.name, "live", "ns", dict(backend.settings), self.workload.seed, about, backend.keeps_prompts
        )

    async def _go(self) -> None:
        why = None
        try:
            why = await self._to_the_end()
        except asyncio.CancelledError:
            why = self._why or "the bridge was stopped"
        except Exception as error:
            # Whatever went wrong, a page must not wait for ever; its words may hold what isn't a page's concern.
            why = f"the bridge failed: {type(error).__name__}"
            raise
        finally:
            self._end(why)

    def _end(self, why: str | None) -> None:
        at = self._feed.now()
        told = {"why": why} if why else {}
        self.log.append({"event": "end", "at": at, "complete": why is None, **told}, at)
        self.log.close()

    async def _to_the_end(self) -> str | None:
        """Why the run isn't complete, or None if it is."""
        limits = self._options.limits
        sender = self._sender(limits)
        watched = Watched(self.name, self.workload, self._feed)
        sources = [make(watched) for make in self.backend.sources]
        telling = [asyncio.create_task(source.tell()) for source in sources]
        sending = asyncio.create_task(sender.run())
        left = (self._feed.began - time.monotonic_ns()) / 1e9 + limits.max_seconds
        try:
            await asyncio.wait([sending, *telling], timeout=left, return_when=asyncio.FIRST_COMPLETED)
            why = _trouble(telling)
            if why is None and not sending.done():
                why = f"it took longer than {limits.max_seconds} s"
        finally:
            await _stop([sending])
            lost = await _finish(sources)
            await _stop(telling)
        if why is None:
            sending.result()
        return why or _trouble(telling) or lost or _broken(sender)

    def _sender(self, limits: Limits) -> Sender:
        first, beyond = self._options.token_ids or (FIRST_TOKEN_ID, VOCABULARY)
        known = self.backend.vocabulary
        if known is not None and self._options.token_ids is None and known < beyond:
            first, beyond = min(first, known // 8), known
        return Sender(
            self._client,
            self.workload,
            Prompts(first, beyond, self.name),
            self._feed,
            limits,
            self.backend.asked,
            self.name,
            tells_tokens="steps" not in self.backend.gives,
        )


def _who(backend: Backend) -> str:
    name = (
        f"An OpenAI-compatible server of {backend.version}" if backend.kind == "openai" else f"vLLM {backend.version}"
    )
    recorder = " with the recorder" if backend.kind == "recorder" else ""
    return f"{name}{recorder}, model {backend.model}."


def _trouble(telling: list[asyncio.Task[None]]) -> str | None:
    """What a source that ended by itself says: none does while all is well."""
    for source in telling:
        if source.done() and not source.cancelled() and (error := source.exception()) is not None:
            return str(error) if isinstance(error, SourceLost) else f"the bridge failed: {type(error).__name__}"
    return None


async def _finish(sources: list[Source]) -> str | None:
    """Let every source tell the rest. What one of them lost, if it did."""
    lost = None
    for source in sources:
        try:
            await source.finish()
        except SourceLost as error:
            lost = lost or str(error)
    return lost


async def _stop(tasks: list[asyncio.Task[None]]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


def _broken(sender: Sender) -> str | None:
    words = [f"{count} × {why}" for why, count in sender.broken.most_common(5)]
    return "answers broke off or were refused: " + "; ".join(words) if words else None
