"""A pretended recorder: says what a recorder would say, over the real socket, for tests without vLLM."""

import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import msgspec

from bridging import Page
from engine.live.bridge.run import LEAD
from engine.live.recorder_wire import LENGTH_BYTES, PROTOCOL
from patience import PATIENCE, wait_until

SETTINGS: Final = {
    "num_blocks": 30, "max_model_len": 512, "block_size": 16, "max_num_seqs": 8, "max_num_batched_tokens": 128,
    "async_scheduling": False,
}  # fmt: skip


def hello(**facts: Any) -> tuple[str, dict[str, Any]]:
    """What a recorder says first."""
    known = {"protocol": PROTOCOL, "version": "0.32.0", "model": "tiny", "lane": "one", "vocabulary": 512}
    return "hello", known | {"settings": SETTINGS, "lacks": []} | facts


class Recorder:
    """A connection to the bridge's socket."""

    def __init__(self, path: Path, **facts: Any) -> None:
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(PATIENCE)
        self.socket.connect(str(path))
        self.say(hello(**facts))

    def say(self, *messages: Any) -> None:
        """Send messages."""
        frames = (msgspec.msgpack.encode(message) for message in messages)
        self.socket.sendall(b"".join(len(frame).to_bytes(LENGTH_BYTES, "big") + frame for frame in frames))

    def wait_until_asked(self) -> None:
        """Wait until a run begins, which is a moment after it was asked for."""
        assert self.socket.recv(1) == b"s"
        time.sleep(2 * LEAD / 1e9)


@contextmanager
def recorder(page: Page, path: Path, **facts: Any) -> Iterator[Recorder]:
    """A pretended recorder that the bridge knows of."""
    page.ask("GET", "/api/backend")  # the bridge listens from its first question on
    found = Recorder(path, **facts)
    try:
        knows = "the bridge doesn't know of the recorder"
        wait_until(lambda: page.ask("GET", "/api/backend")[1]["kind"] == "recorder", knows)
        yield found
    finally:
        found.socket.close()


def own(run: str, number: int) -> str:
    """What vLLM calls the `number`-th request of a run."""
    return f"cmpl-itb-{run}-{number}-0-0123abcd"


def now() -> int:
    """The clock of a recorder."""
    return time.monotonic_ns()
