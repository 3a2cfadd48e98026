"""A recorder that goes, tells rubbish, or speaks otherwise. The bridge lives, and what came is kept and marked."""

import socket
import time
from pathlib import Path
from typing import Any

import pytest

from bridging import bridge, some_requests
from keeping import broken, kept
from patience import PATIENCE
from pretended import Server, answering, serving
from recording import hello, now, own, recorder


@pytest.fixture
def vllm() -> Any:
    with serving(answering(0.01), version='{"version": "0.32.0"}') as server:
        yield server


def test_a_recorder_that_goes_in_the_middle(vllm: Server, tmp_path: Path) -> None:
    path = tmp_path / "r"
    with bridge(vllm.url, recorder_path=path) as page, recorder(page, path) as one:
        run = page.begin(some_requests(2, gap=300_000_000))
        one.wait_until_asked()
        name = own(run, 0)
        one.say(("state", now(), True, []), ("add", now(), name, 8, 4, 0, []))
        one.say(("plan", now(), 1, [(name, 8, 0, 1, [1], [])], [], []), ("done", now(), 1, [(name, 1, None, [])], 5))
        one.say(("plan", now(), 2, [(name, 1, 8, 0, [], [])], [], []))
        one.socket.close()
        broken(page.events(run), "the recorder is gone")
        trace = kept(page, run)
    assert len(trace.steps()) == 1
    assert list(trace.requests()) == ["r0"]


def test_a_recorder_that_tells_rubbish(vllm: Server, tmp_path: Path) -> None:
    path = tmp_path / "r"
    with bridge(vllm.url, recorder_path=path) as page, recorder(page, path) as one:
        run = page.begin(some_requests(1))
        one.wait_until_asked()
        one.say(("state", now(), True, []), ("plan", "when?"))
        broken(page.events(run), "can't be read")


@pytest.mark.parametrize("first", [("hello", {"protocol": 1}), hello(protocol=99), ("hello",), "rubbish", {}])
def test_a_recorder_that_speaks_otherwise_isnt_taken_and_the_bridge_lives(
    vllm: Server, tmp_path: Path, first: Any
) -> None:
    path = tmp_path / "r"
    with bridge(vllm.url, recorder_path=path) as page:
        page.ask("GET", "/api/backend")
        with socket.socket(socket.AF_UNIX) as one:
            one.connect(str(path))
            from msgspec.msgpack import encode

            frame = encode(first)
            one.sendall(len(frame).to_bytes(4, "big") + frame)
            one.settimeout(PATIENCE)
            assert one.recv(1) == b""
        time.sleep(2.1)
        found = page.ask("GET", "/api/backend")[1]
    assert found["kind"] == "vllm"
    assert [lack for lack in found["lacks"] if lack["what"] == "the recorder"]


def test_messages_that_a_recorder_lost_are_a_gap(vllm: Server, tmp_path: Path) -> None:
    path = tmp_path / "r"
    with bridge(vllm.url, recorder_path=path) as page, recorder(page, path) as one:
        run = page.begin(some_requests(1))
        one.wait_until_asked()
        one.say(("state", now(), True, []), ("lost", 7))
        events = page.events(run)
    assert [value["lost"] for _, value in events if value.get("event") == "gap"] == [7]
    broken(events, "lost 7 messages")
