"""Attacks on the bridge below HTTP's surface: what no browser sends, sent by hand over a socket."""

import http.client
import json
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest

from bridging import TOKEN, Page, bridge, some_requests
from engine.live.bridge import app, security, serving
from engine.live.bridge.limits import Limits
from patience import PATIENCE, wait_until
from pretended import answering
from pretended import serving as pretending
from recording import now, recorder

EVIL = "Host: evil.example"


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    site = tmp_path_factory.mktemp("site")
    (site / "live").mkdir()
    for name in ("index.html", "live/index.html"):
        (site / name).write_text("a page", "utf-8")
    with pretending(answering()) as server, bridge(server.url, site=site) as found:
        yield found


def head(page: Page, *lines: str, first: str = "GET /api/backend HTTP/1.1", closing: bool = True) -> bytes:
    """A request's head."""
    own = (f"Host: 127.0.0.1:{page.port}", *(("Connection: close",) if closing else ()))
    return "\r\n".join((first, *own, *lines, "", "")).encode("latin-1")


def send(page: Page, *pieces: bytes, pause: float = 0.0) -> bytes:
    """What comes back until the bridge hangs up; nothing where it does so without a word."""
    with socket.create_connection(("127.0.0.1", page.port), timeout=PATIENCE) as raw:
        found = b""
        try:
            for piece in pieces:
                raw.sendall(piece)
                time.sleep(pause)
            while piece := raw.recv(1 << 16):
                found += piece
        except ConnectionError:
            pass  # it was refused before all of it was sent
    return found


BEARER = f"Authorization: Bearer {TOKEN}"
JSON = ("Content-Type: application/json", BEARER)


@pytest.mark.parametrize(
    ("lines", "status"),
    [
        ((BEARER,), 200),
        ((BEARER, EVIL), 400),
        ((BEARER, "Origin: http://127.0.0.1:{port}", "Origin: https://evil.example"), 400),
        (("Authorization: Bearer guess", BEARER), 400),
        ((BEARER, "Last-Event-ID: 1", "Last-Event-ID: 2"), 400),
        (("X: folded", f" {BEARER}"), 401),
        ((f"Authorization : Bearer {TOKEN}",), 400),
        (("Authorization: Bearer \xff\xfe",), 401),
        ((BEARER, "X-Forwarded-Host: evil.example", "X-Forwarded-For: 1.2.3.4"), 200),
    ],
)
def test_what_is_said_twice_or_crookedly_is_refused(page: Page, lines: tuple[str, ...], status: int) -> None:
    answer = send(page, head(page, *(line.format(port=page.port) for line in lines)))
    assert answer.startswith(f"HTTP/1.1 {status} ".encode()), answer[:200]


def test_an_address_in_the_place_of_a_path_leads_nowhere(page: Page) -> None:
    for target in ("http://evil.example/api/backend", "evil.example:443", "//evil.example/api/backend"):
        answer = send(page, head(page, BEARER, first=f"GET {target} HTTP/1.1"))
        assert answer.split(b" ")[1] in (b"400", b"404"), answer[:200]
    assert b" 421 " in send(page, f"GET /api/backend HTTP/1.0\r\n{BEARER}\r\n\r\n".encode())


def test_a_redirect_stays_here_whatever_the_path_says(page: Page) -> None:
    for path in ("//evil.example/..%2flive", "/%5cevil.example/..%2flive", "/live?next=//evil.example"):
        answer = send(page, head(page, first=f"GET {path} HTTP/1.1"))
        [place] = [line for line in answer.lower().split(b"\r\n") if line.startswith(b"location:")]
        assert place.startswith(f"location: http://127.0.0.1:{page.port}/".encode())


def test_a_body_has_one_length(page: Page) -> None:
    post = "POST /api/runs HTTP/1.1"
    both = head(page, *JSON, "Content-Length: 4", "Transfer-Encoding: chunked", first=post)
    answer = send(page, both + b"0\r\n\r\n")
    assert b" 400 " in answer
    assert b"comes in pieces, too" in answer
    for length in ("\xb2", "+2", "-1", "1, 2", "0x2"):
        answer = send(page, head(page, *JSON, f"Content-Length: {length}", first=post) + b"{}")
        assert answer.startswith(b"HTTP/1.1 400 "), answer[:200]


def test_a_head_without_an_end_is_cut_off(page: Page) -> None:
    assert b" 200 " not in send(page, head(page, "X: " + "x" * 1_000_000, BEARER))
    assert page.ask("GET", "/api/backend")[0] == 200


def test_no_other_protocol_is_spoken(page: Page) -> None:
    upgrade = ("Upgrade: websocket", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Version: 13")
    with socket.create_connection(("127.0.0.1", page.port), timeout=PATIENCE) as raw:
        raw.sendall(head(page, *upgrade, "Connection: Upgrade", closing=False))
        assert raw.recv(1 << 16).startswith(b"HTTP/1.1 401 ")
    assert issubclass(serving.PatientProtocol, serving.H11Protocol), "one parser, whatever else is installed"


def test_who_says_nothing_or_a_byte_at_a_time_is_hung_up_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving, "HEAD_SECONDS", 1.5)
    with pretending(answering(0.2)) as server, bridge(server.url) as page:
        began = time.monotonic()
        assert send(page) == b""
        assert send(page, *(bytes([one]) for one in head(page, BEARER)[:40]), pause=0.05) == b""
        # Who has asked once isn't let off the second time.
        answer = send(page, head(page, BEARER, closing=False), b"GET / HT", pause=0.2)
        assert answer.count(b"HTTP/1.1 ") == 1
        assert time.monotonic() - began < 15, "unsaid, it would be 20 s"
        # An answer may take as long as it takes.
        assert page.run(some_requests(1, max_tokens=12))[-1]["complete"] is True


def test_a_body_that_doesnt_come_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(security, "BODY_SECONDS", 0.3)
    with pretending() as server, bridge(server.url) as page:
        answer = send(page, head(page, *JSON, "Content-Length: 100", first="POST /api/runs HTTP/1.1") + b"{")
    assert b" 408 " in answer
    assert b"took longer than 0.3 s" in answer


def test_idle_connections_dont_keep_the_page_out_for_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving, "HEAD_SECONDS", 0.5)
    with pretending() as server, bridge(server.url) as page, ExitStack() as stack:
        for _ in range(serving.MOST_CONNECTIONS):
            stack.enter_context(socket.create_connection(("127.0.0.1", page.port), timeout=PATIENCE))
        wait_until(lambda: lets_in(page), "the page is kept out")


def lets_in(page: Page) -> bool:
    """Whether the bridge answers; a page that is slow to ask is hung up on, too."""
    with suppress(OSError):
        return bool(page.ask("GET", "/api/backend")[0] == 200)
    return False


def test_pages_that_follow_are_counted_before_they_are_answered_and_forgotten_when_they_leave() -> None:
    with pretending(answering(0.1)) as server, bridge(server.url, limits=Limits(max_readers=3)) as page:
        run = page.begin(some_requests(1, max_tokens=500))
        asking = head(page, BEARER, first=f"GET /api/runs/{run}/events HTTP/1.1", closing=False)
        three = [b"200"] * 3 + [b"429"] * 5
        assert eight_at_once(page, asking) == three
        for _ in range(40):
            time.sleep(0.5)  # who left is missed when the next token is told
            if eight_at_once(page, asking) == three:
                break
        else:
            pytest.fail("who has left still has a place")
        assert page.ask("DELETE", f"/api/runs/{run}")[0] == 200


def eight_at_once(page: Page, asking: bytes) -> list[bytes]:
    """The statuses with which eight readers are answered, who leave when all of them are."""
    with ExitStack() as stack:
        there = ("127.0.0.1", page.port)
        readers = [stack.enter_context(socket.create_connection(there, timeout=PATIENCE)) for _ in range(8)]
        for one in readers:
            one.sendall(asking)
        return sorted(one.recv(1 << 16).split(b" ")[1] for one in readers)


def test_a_page_that_doesnt_read_gives_its_place_to_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(app, "SEND_SECONDS", 1.0)
    monkeypatch.setattr(app, "PING_SECONDS", 0.2)
    path, limits = tmp_path / "r", Limits(max_readers=1)
    with (
        pretending(answering(0.2), version='{"version": "0.32.0"}') as server,
        bridge(server.url, recorder_path=path, limits=limits) as page,
        recorder(page, path) as told,
    ):
        run = page.begin(some_requests(1, max_tokens=500))
        told.wait_until_asked()
        told.say(("state", now(), True, []))
        for number in range(40):
            told.say(("add", now(), f"guest-{number}", 4, 9, 0, list(range(50_000))))
        told.say(("beat", now()))
        asking = head(page, BEARER, first=f"GET /api/runs/{run}/events HTTP/1.1", closing=False)
        with socket.create_connection(("127.0.0.1", page.port), timeout=PATIENCE) as idle:
            idle.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
            idle.sendall(asking)
            assert idle.recv(16).startswith(b"HTTP/1.1 200 ")
            assert status_of(page, asking) == b"429"
            wait_until(lambda: status_of(page, asking) == b"200", "the place is still taken")
        assert page.ask("DELETE", f"/api/runs/{run}")[0] == 200


def status_of(page: Page, asking: bytes) -> bytes:
    """The status with which a request is answered."""
    with socket.create_connection(("127.0.0.1", page.port), timeout=PATIENCE) as raw:
        raw.sendall(asking)
        return raw.recv(16).split(b" ")[1]


def test_a_server_whose_names_no_answer_could_hold_is_refused() -> None:
    odd = '{"data": [{"id": "\\ud800"}]}'
    with pretending(v1__models=odd) as server, bridge(server.url) as page:
        status, found, _ = page.ask("GET", "/api/backend")
    assert (status, found["where"]) == (502, "the model server")
    with pretending(version='{"version": "\\ud800"}') as server, bridge(server.url) as page:
        assert page.ask("GET", "/api/backend")[1]["kind"] == "openai"


def test_head_and_options_tell_nothing(page: Page) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", page.port, timeout=PATIENCE)
    for method, status in (("HEAD", 401), ("OPTIONS", 204)):
        connection.request(method, "/api/backend", headers={"Origin": f"http://localhost:{page.port}"})
        answer = connection.getresponse()
        assert (answer.status, answer.read()) == (status, b"")
    connection.close()
    assert json.dumps(page.ask("GET", "/api/%ff%00")[1])
