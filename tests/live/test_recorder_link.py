"""The recorder's way to the bridge: it never makes a server wait, and tells nothing of a prompt."""

import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from engine.live import recorder_link
from engine.live.recorder_link import RecorderLink
from patience import PATIENCE, wait_until
from recording import hello


class Listening:
    """A bridge's socket."""

    def __init__(self, path: Path) -> None:
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.bind(str(path))
        self.socket.listen()
        self.socket.settimeout(PATIENCE)
        self.rest = b""

    def meet(self) -> None:
        """Take the next recorder that comes."""
        self.one, _ = self.socket.accept()
        self.one.settimeout(PATIENCE)
        self.rest = b""

    def next(self, *, beats: bool = False) -> Any:
        """The next message, beats left out unless asked for."""
        while True:
            while len(self.rest) < 4 or len(self.rest) < 4 + int.from_bytes(self.rest[:4], "big"):
                piece = self.one.recv(1 << 16)
                assert piece, "the recorder hung up"
                self.rest += piece
            end = 4 + int.from_bytes(self.rest[:4], "big")
            message, self.rest = msgspec.msgpack.decode(self.rest[4:end]), self.rest[end:]
            if beats or message[0] != "beat":
                return message

    def close(self) -> None:
        self.socket.close()


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(recorder_link, "RETRY_SECONDS", 0.05)
    return tmp_path / "r"


@pytest.fixture
def listening(path: Path) -> Iterator[Listening]:
    found = Listening(path)
    yield found
    found.close()


def test_it_says_who_it_is_and_then_what_it_is_told(path: Path, listening: Listening) -> None:
    link = RecorderLink(path, hello()[1])  # type: ignore[arg-type]
    listening.meet()
    assert listening.next() == ["hello", hello()[1]]
    wait_until(lambda: link.is_on)
    link.tell(("plan", 1, 2, [], (), ()))
    assert listening.next() == ["plan", 1, 2, [], [], []]


def test_names_are_the_same_for_the_same_content_and_arent_its_hashes(path: Path, listening: Listening) -> None:
    link = RecorderLink(path, hello()[1])  # type: ignore[arg-type]
    listening.meet()
    listening.next()
    wait_until(lambda: link.is_on)
    link.tell(("add", 1, "a", 8, 4, 0, (b"one", b"two")))
    link.tell(("state", 2, True, [("b", 8, 4, 0, (b"two",))]))
    link.tell(("done", 3, 1, [("a", 1, None, (b"one",))], 5))
    added, state, done = (listening.next() for _ in range(3))
    one, two = added[-1]
    assert one != two
    assert state[3][0][-1] == [two]
    assert done[3][0][-1] == [one]
    assert all(isinstance(name, int) and name.to_bytes(8, "big")[:3] not in (b"one", b"two") for name in (one, two))
    other = RecorderLink(path, hello()[1])  # type: ignore[arg-type]
    listening.meet()
    listening.next()
    wait_until(lambda: other.is_on)
    other.tell(("add", 1, "a", 8, 4, 0, (b"one",)))
    assert listening.next()[-1] != [one], "each server veils in its own way"


def test_it_is_asked_who_is_there(path: Path, listening: Listening) -> None:
    link = RecorderLink(path, hello()[1])  # type: ignore[arg-type]
    listening.meet()
    listening.next()
    assert not link.state_wanted
    listening.one.sendall(b"s")
    wait_until(lambda: link.state_wanted)


def test_it_looks_for_another_bridge_when_one_is_gone(path: Path, listening: Listening) -> None:
    link = RecorderLink(path, hello()[1])  # type: ignore[arg-type]
    for _ in range(3):
        listening.meet()
        assert listening.next()[0] == "hello"
        wait_until(lambda: link.is_on)
        listening.one.close()
    wait_until(lambda: not link.is_on)


def test_a_bridge_that_doesnt_read_costs_the_server_nothing_and_the_loss_is_told(
    path: Path, listening: Listening, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recorder_link, "MOST_QUEUED", 100)
    link = RecorderLink(path, hello()[1])  # type: ignore[arg-type]
    listening.meet()
    listening.next()
    wait_until(lambda: link.is_on)
    big = ("plan", 1, 2, [("a" * 10_000, 1, 1, 0, (), ())], (), ())
    began = time.monotonic()
    for _ in range(5_000):
        link.tell(big)
    assert time.monotonic() - began < 10, "a bridge that may take its time with each of them would take minutes"
    told = 0
    while (message := listening.next())[0] != "lost":
        told += 1
    assert told + message[1] == 5_000
    assert message[1] > 1_000


def test_a_quiet_lane_says_that_nothing_happened(path: Path, listening: Listening) -> None:
    link = RecorderLink(path, hello()[1])  # type: ignore[arg-type]
    listening.meet()
    listening.next()
    link.since = 12_345
    times = [listening.next(beats=True)[1] for _ in range(2)]
    link.since = 0
    assert times[-1] == 12_345, "something is being noted since then"
    wait_until(lambda: listening.next(beats=True)[1] > 12_345)


def test_its_thread_doesnt_keep_a_server_alive(path: Path) -> None:
    RecorderLink(path, hello()[1])  # type: ignore[arg-type]
    assert all(thread.daemon for thread in threading.enumerate() if thread.name == "engine.live recorder")


def test_it_hangs_up_when_it_is_stopped(path: Path, listening: Listening) -> None:
    link = RecorderLink(path, hello()[1])  # type: ignore[arg-type]
    listening.meet()
    listening.next()
    wait_until(lambda: link.is_on)
    link.stop()
    while listening.one.recv(1 << 16):
        pass
    assert not link.is_on


def test_a_message_that_cant_be_sent_ends_it(path: Path, listening: Listening) -> None:
    link = RecorderLink(path, hello()[1])  # type: ignore[arg-type]
    listening.meet()
    listening.next()
    wait_until(lambda: link.is_on)
    link.tell(("plan", object()))
    wait_until(lambda: link.is_stopped)
