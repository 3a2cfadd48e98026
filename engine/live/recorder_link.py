"""The recorder's way to the bridge: a queue and a thread, so that the server never waits for anybody."""

import os
import select
import socket
import threading
import time
from collections import deque
from collections.abc import Iterable
from hashlib import blake2b
from pathlib import Path
from typing import Final

import msgspec

from engine.live.recorder_wire import LENGTH_BYTES, Hello, Message, is_safe

MOST_QUEUED: Final = 50_000
"""Messages that wait for a slow bridge; the next ones are counted and lost."""

LOOK_SECONDS: Final = 0.005
"""How often the thread looks for messages. It isn't woken: that would take the server's time."""

IDLE_SECONDS: Final = 0.05
"""How often it looks where nothing has happened for a while."""

RETRY_SECONDS: Final = 1.0
"""How often it looks for a bridge."""

SEND_SECONDS: Final = 10.0
"""How long one piece may take to be read before the bridge counts as gone."""


class RecorderLink:
    """Takes messages at the price of one append; nothing at all while no bridge listens."""

    def __init__(self, path: Path, hello: Hello) -> None:
        self.is_on = False
        """Whether a bridge listens: nothing needs to be noted while none does."""
        self.is_stopped = False
        """Whether nothing will be told any more."""
        self.state_wanted = False
        """Whether the bridge asked who is there; whoever answers sets it back."""
        self.since = 0
        """Since when something is being noted that isn't queued yet; 0 where nothing is."""
        self._path, self._hello = path, hello
        self._queue: deque[Message] = deque()
        self._num_lost = 0
        self._veil = os.urandom(32)
        self._encoder = msgspec.msgpack.Encoder()
        threading.Thread(target=self._work, name="engine.live recorder", daemon=True).start()

    def tell(self, message: Message) -> None:
        """Queue one message, or count it as lost."""
        if len(self._queue) < MOST_QUEUED:
            self._queue.append(message)
        else:
            self._num_lost += 1

    def stop(self) -> None:
        """Tell nothing any more, and let the bridge see it."""
        self.is_stopped = True
        self.is_on = False

    def _work(self) -> None:
        while not self.is_stopped:
            try:
                if not is_safe(self._path.parent):
                    raise OSError("anybody could listen there")
                with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as bridge:
                    bridge.connect(str(self._path))
                    bridge.settimeout(SEND_SECONDS)
                    self._serve(bridge)
            except OSError:
                # No bridge, or not any more. That is no concern of the server's.
                pass
            except Exception:
                # A message that can't be sent: better none at all than some without it.
                self.stop()
            self.is_on = False
            time.sleep(RETRY_SECONDS)

    def _serve(self, bridge: socket.socket) -> None:
        self._queue.clear()
        self._num_lost = 0
        self._send(bridge, [("hello", self._hello)])
        self.is_on = True
        quiet = 0
        while not self.is_stopped:
            pieces = [self._queue.popleft() for _ in range(min(len(self._queue), 1000))]
            if self._num_lost:
                lost, self._num_lost = self._num_lost, 0
                pieces.append(("lost", lost))
            quiet = 0 if pieces else quiet + 1
            self._send(bridge, pieces or self._beat(quiet))
            wait = 0.0 if len(self._queue) > 100 else LOOK_SECONDS if quiet < 200 else IDLE_SECONDS
            if select.select([bridge], [], [], wait)[0]:
                if not bridge.recv(64):
                    return
                self.state_wanted = True
            elif wait:
                # `select` came back early only for the bridge: otherwise the wait is over.
                continue

    def _beat(self, quiet: int) -> list[Message]:
        """Say every now and then that nothing happened, so that nobody waits for it."""
        if quiet % 20 != 1:
            return []
        # In this order: what is noted after the first line is later, what was noted before the last is queued.
        now = time.monotonic_ns()
        since = self.since
        return [] if self._queue else [("beat", min(now, since or now))]

    def _send(self, bridge: socket.socket, messages: Iterable[Message]) -> None:
        frames = bytearray()
        for message in messages:
            frame = self._encoder.encode(self._veiled(message))
            frames += len(frame).to_bytes(LENGTH_BYTES, "big") + frame
        if frames:
            bridge.sendall(frames)

    # Hashing takes a microsecond for each block, so it's done here and not where a step waits for it.

    def _veiled(self, message: Message) -> Message:
        match message[0]:
            case "add":
                return (*message[:-1], self._names(message[-1]))
            case "state":
                return (*message[:-1], [(*one[:-1], self._names(one[-1])) for one in message[-1]])
            case "done":
                rows = [(*row[:-1], self._names(row[-1])) for row in message[3]]
                return (*message[:3], rows, *message[4:])
        return message

    def _names(self, hashes: Iterable[bytes]) -> list[int]:
        return [int.from_bytes(blake2b(one, key=self._veil, digest_size=8).digest(), "big") for one in hashes]
