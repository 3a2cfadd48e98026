"""Pretended model servers for the tests of the link: real HTTP on a port of its own, behaviour by choice."""

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final

MODEL: Final = "pretended"

Complete = Callable[["Handler", dict[str, Any]], None]
"""Answers a request for a completion."""


class Handler(BaseHTTPRequestHandler):
    """One request to a pretended server."""

    server: "Server"
    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""

    def do_GET(self) -> None:
        self.server.asked.append((self.path, dict(self.headers.items())))
        answer = self.server.pages.get(self.path)
        if answer is None:
            self.answer(404, "{}")
        elif callable(answer):
            answer(self)
        else:
            self.answer(200, answer)

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.asked.append((self.path, dict(self.headers.items())))
        self.server.bodies.append(body)
        try:
            self.server.complete(self, body)
        except (BrokenPipeError, ConnectionResetError):
            self.server.hung_up += 1

    def answer(self, status: int, text: str, **headers: str) -> None:
        """A whole answer."""
        data = text.encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(data)))
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)

    def stream(self) -> None:
        """Begin a stream; it ends with the connection."""
        self.close_connection = True
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()

    def tell(self, value: Any) -> None:
        """One event of a stream."""
        text = value if isinstance(value, str) else json.dumps(value)
        self.wfile.write(f"data: {text}\n\n".encode())
        self.wfile.flush()


class Server(ThreadingHTTPServer):
    """A pretended server: what it was asked, and how it answers."""

    daemon_threads = True
    # A burst of requests must not wait for a second try at connecting.
    request_queue_size = 128

    def __init__(self, complete: Complete, pages: dict[str, Any]) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.complete, self.pages = complete, pages
        self.asked: list[tuple[str, dict[str, str]]] = []
        self.bodies: list[dict[str, Any]] = []
        self.hung_up = 0

    @property
    def url(self) -> str:
        """Where it listens."""
        return f"http://127.0.0.1:{self.server_address[1]}"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Clients of these tests hang up on purpose."""


def answering(pause: float = 0.0, usage: bool = True) -> Complete:
    """Says a token at a time until `max_tokens`."""

    def complete(handler: Handler, body: dict[str, Any]) -> None:
        handler.stream()
        for count in range(1, body["max_tokens"] + 1):
            time.sleep(pause)
            reason = "length" if count == body["max_tokens"] else None
            value: dict[str, Any] = {"choices": [{"text": "a", "finish_reason": reason}]}
            handler.tell(value | ({"usage": {"completion_tokens": count}} if usage else {}))
        handler.tell("[DONE]")

    return complete


@contextmanager
def serving(complete: Complete | None = None, **pages: Any) -> Iterator[Server]:
    """A pretended server, for the length of a `with`. `version="0.32.0"` makes it a vLLM; so do others' pages."""
    found: dict[str, Any] = {"/v1/models": json.dumps({"data": [{"id": MODEL, "max_model_len": 512}]})}
    found |= {f"/{name.replace('__', '/')}": page for name, page in pages.items()}
    server = Server(complete or answering(), found)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join(5)
