"""A wire between a client and a bridge that can be cut and mended."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress


class Wire:
    """Forwards connections to `port`. `cut()` ends those that are open; while `is_down` new ones end at once.

    A bridge looks at the Host that it was asked for, so the wire's own port is put right in what passes.
    """

    def __init__(self, port: int) -> None:
        self._to = port
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._listening.getsockname()[1])
        self.is_down = False
        self.num_connections = 0
        self._open: list[socket.socket] = []
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self) -> None:
        """End everything that is open."""
        while self._open:
            one = self._open.pop()
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()

    def close(self) -> None:
        """Take the wire away."""
        # Closing alone leaves it open as long as a thread waits in accept().
        with suppress(OSError):
            self._listening.shutdown(socket.SHUT_RDWR)
        self._listening.close()
        self.cut()

    def _accept(self) -> None:
        while True:
            try:
                near, _ = self._listening.accept()
            except OSError:
                return
            if self.is_down:
                near.close()
                continue
            self.num_connections += 1
            far = socket.create_connection(("127.0.0.1", self._to))
            self._open += [near, far]
            own, other = f"127.0.0.1:{self.port}".encode(), f"127.0.0.1:{self._to}".encode()
            threading.Thread(target=_pass_on, args=(near, far, own, other), daemon=True).start()
            threading.Thread(target=_pass_on, args=(far, near, b"", b""), daemon=True).start()


def _pass_on(source: socket.socket, target: socket.socket, old: bytes, new: bytes) -> None:
    with suppress(OSError):
        while data := source.recv(1 << 16):
            target.sendall(data.replace(old, new) if old else data)
    for end in (source, target):
        with suppress(OSError):
            end.shutdown(socket.SHUT_RDWR)


@contextmanager
def wire_to(port: int) -> Iterator[Wire]:
    """A wire for the length of a `with`."""
    wire = Wire(port)
    try:
        yield wire
    finally:
        wire.close()
