"""A server that counts what it sends, and can send it as a slow line would.

The line is made slow on the server's side, because a browser's own throttling doesn't reach its workers.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from coursekit.serve.answer import Answer, Asked, answer
from coursekit.serve.ports import address_of, open_server
from coursekit.serve.server import FileHandler

_PIECE_BYTES = 8192


@dataclass
class Line:
    """How fast the line is, and what went over it since `reset()`. No bytes a second is no limit."""

    bytes_a_second: int = 0
    delay_seconds: float = 0.0
    requests: int = 0
    sent_bytes: int = 0
    _free_at: float = 0.0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def reset(self) -> None:
        """Count from nought."""
        self.requests = self.sent_bytes = 0

    def take(self, count: int) -> None:
        """Send `count` bytes: waits until the line, which all connections share, has carried them."""
        with self._lock:
            self.sent_bytes += count
            if not self.bytes_a_second:
                return
            self._free_at = max(self._free_at, time.monotonic()) + count / self.bytes_a_second
            wait = self._free_at - time.monotonic()
        time.sleep(max(0.0, wait))


@contextmanager
def served(site: Path, line: Line) -> Iterator[str]:
    """Serve `site` over `line`; yields the address."""

    class Handler(FileHandler):
        def do_GET(self) -> None:
            time.sleep(line.delay_seconds)
            found = self.server.respond(self.path, self.headers)
            line.requests += 1
            self.send_head(found)
            line.take(sum(len(name) + len(value) + 4 for name, value in found.headers.items()))
            if found.file:
                with found.file.open("rb") as body:
                    while piece := body.read(_PIECE_BYTES):
                        line.take(len(piece))
                        self.wfile.write(piece)

    def respond(target: str, headers: Asked) -> Answer:
        return answer(target, headers, [("/", site)])

    server = open_server("127.0.0.1", 0, respond, Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield address_of(server)
    finally:
        server.shutdown()
        server.server_close()
