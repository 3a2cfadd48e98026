"""A router and what stands behind it: pretended servers that tell their decisions, and a proxy that takes turns."""

import http.client
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import cycle
from pathlib import Path
from select import select
from typing import Any
from urllib.parse import urlsplit

from bridging import Page
from patience import PATIENCE
from pretended import Handler, answering, serving
from recording import Recorder, now, recorder

PASSED_ON = ("Content-Type", "Authorization", "X-Request-Id", "Accept-Encoding")
"""Headers of a request that the router hands on."""


class Replica:
    """A pretended vLLM: one request after another, one token a step, each decision told as a recorder would.

    Its recorder tells prompts, too, whether or not it says that it was asked to: a bridge mustn't take them unasked.
    """

    def __init__(self, pause: float = 0.01) -> None:
        self.recorder: Recorder | None = None
        self.prompts: list[list[int]] = []
        self._answer = answering(pause)
        self._num_steps = 0
        self._turn = threading.Lock()
        self._state = threading.Lock()

    def connect(self, told: Recorder) -> None:
        """Tell decisions from now on, and who is there as often as the bridge asks."""
        self.recorder = told
        told.socket.settimeout(None)
        threading.Thread(target=self._tell_state, args=(told,), daemon=True).start()

    def _tell_state(self, told: Recorder) -> None:
        with suppress(OSError, ValueError):
            while select([told.socket], [], []) and self._tell_state_if_asked(told):
                pass

    def _tell_state_if_asked(self, told: Recorder) -> bool:
        """As a recorder does before it tells anything else: what is told before belongs to no run. False at the end."""
        with self._state:
            while select([told.socket], [], [], 0)[0]:
                if not told.socket.recv(1):
                    return False
                told.say(("state", now(), True, []))
        return True

    def complete(self, handler: Handler, body: dict[str, Any]) -> None:
        """Answer a request, and tell what was decided about it."""
        with self._turn:
            name = f"cmpl-{handler.headers['X-Request-Id']}-0-0123abcd"
            self.prompts.append(body["prompt"])
            self._decide(name, body["prompt"], body["max_tokens"])
            self._answer(handler, body)

    def _decide(self, name: str, prompt: list[int], max_tokens: int) -> None:
        assert self.recorder
        self._tell_state_if_asked(self.recorder)
        self.recorder.say(("prompt", name, prompt), ("add", now(), name, len(prompt), max_tokens, 0, []))
        rows = [(len(prompt), 0, 1, [1], [])]
        rows += [(1, len(prompt) + place, 0, [], []) for place in range(max_tokens - 1)]
        for place, row in enumerate(rows):
            self._num_steps += 1
            end = "length" if place == max_tokens - 1 else None
            self.recorder.say(
                ("plan", now(), self._num_steps, [(name, *row)], [], []),
                ("done", now(), self._num_steps, [(name, 1, end, [])], 1),
            )


@contextmanager
def replica(pause: float = 0.01) -> Iterator[tuple[Replica, str]]:
    """One of them, and its address."""
    one = Replica(pause)
    with serving(one.complete, version='{"version": "0.32.0"}') as server:
        yield one, server.url


@contextmanager
def recorded(page: Page, path: Path, one: Replica, **facts: Any) -> Iterator[None]:
    """Let a replica tell its decisions to the bridge."""
    with recorder(page, path, **facts) as told:
        one.connect(told)
        yield


class _Router(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, urls: Sequence[str]) -> None:
        super().__init__(("127.0.0.1", 0), _Passing)
        self.first, self._turns = urls[0], cycle(urls)
        self._lock = threading.Lock()

    def next(self) -> str:
        """Whose turn it is."""
        with self._lock:
            return next(self._turns)


class _Passing(BaseHTTPRequestHandler):
    server: _Router
    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""

    def do_GET(self) -> None:
        self._pass_on(self.server.first, None)

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self._pass_on(self.server.next(), body)

    def _pass_on(self, url: str, body: bytes | None) -> None:
        self.close_connection = True
        headers = {name: self.headers[name] for name in PASSED_ON if name in self.headers}
        connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=PATIENCE)
        try:
            connection.request(self.command, self.path, body, headers)
            answer = connection.getresponse()
            self.send_response(answer.status)
            self.send_header("Content-Type", answer.headers.get("Content-Type", "application/json"))
            self.send_header("Connection", "close")
            self.end_headers()
            while piece := answer.read1(1 << 16):
                self.wfile.write(piece)
                self.wfile.flush()
        finally:
            connection.close()


@contextmanager
def router(urls: Sequence[str]) -> Iterator[str]:
    """A proxy that gives each completion to the next server, and streams its answer as it comes; its address."""
    server = _Router(urls)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join(5)
