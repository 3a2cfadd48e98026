"""vLLM's KV events: which blocks were stored and removed, as MessagePack over ZeroMQ."""

from typing import Any, Final

import msgspec
import zmq
import zmq.asyncio

from engine.live.bridge.backends.backend import Watched

MOST_WAITING: Final = 10_000
"""Batches that wait for a slow bridge. vLLM numbers them, so the next ones are missed and said so."""

MOST_NAMES: Final = 10_000
"""Blocks of one event that are told."""


class KVEvents:
    """Tells one server's KV events during a run. A block's name is a number for its content, within this run."""

    def __init__(self, address: str, lane: str, watched: Watched) -> None:
        self._lane, self._watched = lane, watched
        self._numbers: dict[Any, int] = {}
        self._context = zmq.asyncio.Context()
        self._socket = self._context.socket(zmq.SUB)
        self._socket.setsockopt(zmq.RCVHWM, MOST_WAITING)
        self._socket.setsockopt(zmq.LINGER, 0)
        self._socket.subscribe(b"")
        self._socket.connect(address)
        self._next: int | None = None

    async def tell(self) -> None:
        """Tell what is published, as it comes."""
        try:
            while True:
                self._take(await self._socket.recv_multipart())
        finally:
            self._context.destroy(linger=0)

    async def finish(self) -> None:
        """What is published after the run isn't of it."""

    def _take(self, parts: list[Any]) -> None:
        try:
            _, number, payload = parts
            events = msgspec.msgpack.decode(payload)[1]
            told = [self._told(event) for event in events if isinstance(event, dict)]
        except (ValueError, TypeError, LookupError, msgspec.MsgspecError):
            return
        self._note_losses(int.from_bytes(number, "big"))
        lane = {"lane": self._lane} if self._lane else {}
        for facts in told:
            self._watched.feed.beside("kv", **lane, **facts)

    def _note_losses(self, number: int) -> None:
        if self._next is not None and number > self._next:
            self._watched.feed.gap(self._watched.feed.last, number - self._next)
        self._next = number + 1

    def _told(self, event: dict[str, Any]) -> dict[str, Any]:
        kind = event["type"]
        names = [self._number(one) for one in event.get("block_hashes", ())[:MOST_NAMES]]
        return {
            "stored": names if kind == "BlockStored" else [],
            "removed": names if kind == "BlockRemoved" else [],
            "cleared": kind == "AllBlocksCleared",
        }

    def _number(self, block_hash: Any) -> int:
        return self._numbers.setdefault(block_hash, len(self._numbers))
