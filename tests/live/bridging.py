"""A bridge on a port of its own, for the tests of the link, and what a page would ask of it."""

import http.client
import json
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, Final

from engine.live.bridge.app import make_app
from engine.live.bridge.limits import Limits
from engine.live.bridge.options import Options
from engine.live.bridge.serving import server_of
from engine.live.bridge.target import Target
from patience import PATIENCE, free_port

TOKEN: Final = "a-token-for-tests"


@dataclass
class Page:
    """Asks a bridge as a page would, with headers of choice."""

    port: int
    token: str = TOKEN

    def ask(
        self, method: str, path: str, body: Any = None, *, timeout: float = PATIENCE, **headers: str | None
    ) -> tuple[int, Any, dict[str, str]]:
        """Status, JSON (or text) and headers of an answer. A header given as None is left out."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)
        try:
            data = body if isinstance(body, bytes) or body is None else json.dumps(body).encode()
            connection.request(method, path, data, self._headers(data, headers))
            answer = connection.getresponse()
            text = answer.read().decode()
            kind = answer.headers.get_content_type()
            found = json.loads(text) if text and kind == "application/json" else text
            return answer.status, found, {name.lower(): value for name, value in answer.getheaders()}
        finally:
            connection.close()

    def begin(self, requests: list[dict[str, Any]], name: str = "a workload") -> str:
        """Begin a run, and its name."""
        status, found, _ = self.ask("POST", "/api/runs", workload(requests, name))
        assert status == 201, found
        return str(found["run"])

    def events(self, run: str, last: int = 0, limit: int | None = None) -> list[tuple[int, dict[str, Any]]]:
        """The events after `last` until the stream ends, or `limit` of them."""
        return list(islice(self._stream(run, last), limit))

    def lines(self, run: str) -> Iterator[str]:
        """The lines of a run's events one by one, as they come."""
        return (text for _, text in self._lines(run, 0))

    def _stream(self, run: str, last: int) -> Iterator[tuple[int, dict[str, Any]]]:
        return ((number, json.loads(text)) for number, text in self._lines(run, last))

    def _lines(self, run: str, last: int) -> Iterator[tuple[int, str]]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        try:
            headers = {"Last-Event-ID": str(last)} if last else {}
            connection.request("GET", f"/api/runs/{run}/events", None, self._headers(None, headers))
            answer = connection.getresponse()
            assert answer.status == 200, answer.read()
            number = 0
            while line := answer.readline():
                name, _, value = line.decode().rstrip("\n").partition(": ")
                if name == "id":
                    number = int(value)
                elif name == "data":
                    yield number, value
        finally:
            connection.close()

    def run(self, requests: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Run a workload to its end, and what was told."""
        return [value for _, value in self.events(self.begin(requests))]

    def _headers(self, data: bytes | None, given: Mapping[str, str | None]) -> dict[str, str]:
        headers: dict[str, str | None] = {"Authorization": f"Bearer {self.token}"}
        headers |= {"Content-Type": "application/json"} if data is not None else {}
        headers |= {name.replace("_", "-"): value for name, value in given.items()}
        return {name: value for name, value in headers.items() if value is not None}


def workload(requests: list[dict[str, Any]], name: str = "a workload") -> dict[str, Any]:
    """The body of `POST /api/runs`."""
    return {"workload": {"format": "inside-the-batch.workload", "schema": 1, "name": name, "requests": requests}}


def some_requests(count: int, gap: int = 1_000_000, **fields: Any) -> list[dict[str, Any]]:
    """Requests that come one after another, `gap` nanoseconds apart."""
    common = {"num_prompt_tokens": 8, "max_tokens": 4}
    return [{"at": number * gap, "id": f"r{number}", **common, **fields} for number in range(count)]


@contextmanager
def bridge(url: str, *, limits: Limits | None = None, key: str | None = None, **given: Any) -> Iterator[Page]:
    """A bridge to the server at `url`, on a free port, for the length of a `with`."""
    listening = socket.socket()
    listening.bind(("127.0.0.1", 0))
    listening.listen(64)
    port = listening.getsockname()[1]
    with tempfile.TemporaryDirectory() as folder:
        given.setdefault("recorder_path", Path(folder) / "recorder.sock")
        options = Options(target=Target(url, key), port=port, limits=limits or Limits(), **given)
        yield from _served(listening, options)


def _served(listening: socket.socket, options: Options) -> Iterator[Page]:
    server = server_of(make_app(options, TOKEN), log_level="critical", timeout_graceful_shutdown=1)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    try:
        yield Page(options.port)
    finally:
        server.should_exit = True
        thread.join(PATIENCE)
        listening.close()
        assert not thread.is_alive(), "the bridge hangs"


@contextmanager
def started_bridge(*options: str) -> Iterator[tuple[Page, int]]:
    """A bridge as a process of its own, started as anybody would, and the number of that process."""
    port = free_port()
    command = [sys.executable, "-m", "engine.live", "--port", str(port), *options]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parents[2])
    assert process.stdout
    try:
        process.stdout.readline()
        token = process.stdout.readline().strip().partition("#live=")[2]
        yield Page(port, token), process.pid
    finally:
        process.terminate()
        process.wait(PATIENCE)
        process.stdout.close()


def refused(answer: tuple[int, Any, dict[str, str]], status: int) -> dict[str, str]:
    """The headers of a refusal, which has words and a mend."""
    got, body, headers = answer
    assert got == status, body
    assert set(body) <= {"error", "where", "mend"}
    assert body["error"]
    assert body["mend"]
    return headers
