"""Where the site is served, and what is said about it."""

from __future__ import annotations

import argparse
import socket
from collections.abc import Iterator

import pytest

from coursekit.commands.serve import port_number
from coursekit.failures import BuildFailed
from coursekit.serve.answer import Answer
from coursekit.serve.ports import TRIES, address_of, open_server, words


def respond(target: str, headers: object) -> Answer:
    return Answer(404)


@pytest.fixture
def taken() -> Iterator[int]:
    with socket.create_server(("127.0.0.1", 0)) as other:
        yield other.getsockname()[1]


def test_a_taken_port_gives_the_next_free_one_with_a_word(taken: int) -> None:
    with open_server("127.0.0.1", taken, respond) as server:
        assert taken < server.server_port < taken + TRIES
        first, last = words(server, taken)
        assert f"Port {taken} is taken" in first
        assert "another origin" in first
        assert f"work saved on port {taken}" in first
        assert f"http://127.0.0.1:{server.server_port}/" in last


def test_the_port_asked_for_needs_no_word() -> None:
    with open_server("127.0.0.1", 0, respond) as server:
        [line] = words(server, server.server_port)
        assert address_of(server) in line


def test_open_to_other_machines_says_what_http_lacks() -> None:
    with open_server("0.0.0.0", 0, respond) as server:
        warning, line = words(server, 0)
        assert "service worker" in warning
        assert f"http://127.0.0.1:{server.server_port}/" in line


@pytest.mark.parametrize("host", ["no-such-host.invalid", "203.0.113.7"])
def test_an_address_that_is_not_here_is_named_with_a_mend(host: str) -> None:
    with pytest.raises(BuildFailed, match=rf"HOST={host} .*127\.0\.0\.1 is for this machine"):
        open_server(host, 23000, respond)


def test_all_ports_taken(monkeypatch: pytest.MonkeyPatch, taken: int) -> None:
    monkeypatch.setattr("coursekit.serve.ports.TRIES", 1)
    with pytest.raises(BuildFailed, match=f"{taken}.* taken: name a free one with PORT="):
        open_server("127.0.0.1", taken, respond)


@pytest.mark.parametrize("text", ["http", "-1", "65536", ""])
def test_what_is_no_port_is_refused(text: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError, match=f"PORT={text} is no port"):
        port_number(text)
