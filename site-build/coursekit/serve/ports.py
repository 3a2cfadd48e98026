"""Opens the server on the port asked for, or on the next free one."""

from __future__ import annotations

import errno
import socket

from coursekit.failures import BuildFailed
from coursekit.serve.server import FileHandler, FileServer, Responder

TRIES = 20


def open_server(host: str, port: int, respond: Responder, handler: type[FileHandler] = FileHandler) -> FileServer:
    """A server that listens, on `port` or, where it is taken, on one of the next twenty.

    Port 0 takes any free one. Raises BuildFailed with the mend where none can be had.
    """
    for candidate in range(port, min(port + TRIES, 65536)):
        try:
            return FileServer((host, candidate), respond, handler)
        except OSError as reason:
            if reason.errno != errno.EADDRINUSE:
                raise BuildFailed(f"HOST={host} PORT={candidate} can't be served on: {_meaning(reason)}") from reason
    raise BuildFailed(f"Ports {port} to {port + TRIES - 1} on {host} are all taken: name a free one with PORT=…")


def _meaning(reason: OSError) -> str:
    if isinstance(reason, PermissionError):
        return "the system keeps ports below 1024 for itself; take one above"
    if isinstance(reason, socket.gaierror) or reason.errno == errno.EADDRNOTAVAIL:
        return "this machine has no such address; 127.0.0.1 is for this machine alone, 0.0.0.0 for all"
    return str(reason)


def address_of(server: FileServer) -> str:
    """The address to open in a browser on this machine."""
    host, port = str(server.server_address[0]), server.server_port
    reachable = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, f"[{host}]" if ":" in host else host)
    return f"http://{reachable}:{port}/"


def words(server: FileServer, wanted_port: int) -> list[str]:
    """What a person should know about where the site is served."""
    lines = []
    if wanted_port not in (0, server.server_port):
        lines.append(
            f"Port {wanted_port} is taken, so this is port {server.server_port}. To a browser another port "
            f"is another origin: work saved on port {wanted_port} is kept, but isn't seen here."
        )
    if str(server.server_address[0]) in ("0.0.0.0", "::"):
        lines.append(
            "Other machines can open this too, over plain http. There browsers have no service worker and "
            "take no brotli: lessons, snippets and labs work, input() in a lab doesn't."
        )
    lines.append(f"Inside the Batch: {address_of(server)}   (Ctrl+C stops)")
    return lines
