"""Waiting for what comes about, as long as a busy machine needs; and a port that nobody else gets meanwhile."""

import socket
import time
from collections.abc import Callable
from contextlib import suppress
from random import SystemRandom
from typing import Final

PATIENCE: Final = 60.0
"""Seconds after which what hasn't come doesn't come: a hang, not a busy machine."""


def wait_until(holds: Callable[[], object], why: str = "it never came about") -> None:
    """Return once it holds."""
    until = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < until, why
        time.sleep(0.01)


def free_port() -> int:
    """A port for a process that has yet to start, below those that the system gives to whoever asks for any."""
    while True:
        port = SystemRandom().randrange(20_000, 32_000)
        with socket.socket() as tried, suppress(OSError):
            tried.bind(("127.0.0.1", port))
            return port
