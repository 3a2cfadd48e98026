"""Sends the answers: HTTP/1.1, connections kept open, a thread each, and a quiet log."""

from __future__ import annotations

import shutil
import socket
import sys
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from coursekit.serve.answer import Answer, Asked

Responder = Callable[[str, Asked], Answer]


class FileHandler(BaseHTTPRequestHandler):
    """Answers GET and HEAD through the server's responder. There are no COOP or COEP headers on purpose:
    WebKitGTK hangs with them, and nothing here needs shared memory."""

    protocol_version = "HTTP/1.1"
    server_version = "InsideTheBatch"
    sys_version = ""
    disable_nagle_algorithm = True
    timeout = 60
    server: FileServer

    def do_GET(self) -> None:
        """Send the answer with its body."""
        answer = self.server.respond(self.path, self.headers)
        self.send_head(answer)
        if answer.file:
            with answer.file.open("rb") as body:
                shutil.copyfileobj(body, self.wfile)

    def do_HEAD(self) -> None:
        """Send the answer without its body."""
        self.send_head(self.server.respond(self.path, self.headers))

    def send_head(self, answer: Answer) -> None:
        """Send status and headers."""
        self.send_response(answer.status)
        for name, value in answer.headers.items():
            self.send_header(name, value)
        self.end_headers()

    def log_message(self, *_: Any) -> None:
        """A lab asks for a hundred files: a line for each would hide what matters."""


class FileServer(ThreadingHTTPServer):
    """A threaded server for one responder."""

    daemon_threads = True
    request_queue_size = 128

    def __init__(
        self,
        address: tuple[str, int],
        respond: Responder,
        handler: type[BaseHTTPRequestHandler] = FileHandler,
    ) -> None:
        self.respond = respond
        self.address_family = socket.AF_INET6 if ":" in address[0] else socket.AF_INET
        super().__init__(address, handler)

    def server_bind(self) -> None:
        """Bind without the reverse look-up of the host's name, which can take seconds."""
        socket_address: Any = self.server_address
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self.socket.bind(socket_address)
        self.server_address = self.socket.getsockname()
        self.server_name, self.server_port = self.server_address[:2]  # type: ignore[assignment]

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A browser that leaves in the middle of a file is no news; anything else is."""
        if not isinstance(sys.exception(), OSError):
            super().handle_error(request, client_address)
