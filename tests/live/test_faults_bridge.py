"""A bridge that can't begin, or is killed: said in words."""

import os
import signal
import socket
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

import pytest

from bridging import Page, some_requests, started_bridge
from engine.live.bridge.command import main
from patience import PATIENCE, free_port
from pretended import answering, serving

ROOT = Path(__file__).parents[2]


def test_a_port_in_use_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        assert main(["--vllm", "http://127.0.0.1:1", "--port", str(port)]) == 1
    assert f"port {port} is in use" in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments",
    [
        ["--vllm", "ftp://here"], ["--vllm", "here"], ["--vllm", "http://user:word@here"],
        ["--vllm", "http://here", "--allow-origin", "https://there/path"],
        ["--vllm", "http://here", "--allow-origin", "*"],
        ["--vllm", "http://here", "--replica", "one"], ["--vllm", "http://here", "--kv-events", "two=tcp://x:1"],
        ["--vllm", "http://here", "--token-ids", "9-3"],
    ],
)  # fmt: skip
def test_options_that_cant_be_are_refused_in_words(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 2
    words = capsys.readouterr().err
    assert "ive " in words
    assert "Traceback" not in words


def test_a_port_that_cant_be_is_refused_by_its_option(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--vllm", "http://here", "--port", "99999999"])
    assert ended.value.code == 2
    assert "--port: got '99999999'" in capsys.readouterr().err


def test_ctrl_c_ends_a_bridge_without_a_traceback(tmp_path: Path) -> None:
    port = free_port()
    command = [sys.executable, "-m", "engine.live", "--vllm", "http://127.0.0.1:1", "--port", str(port)]
    environment = os.environ | {"ENGINE_LIVE_RECORDER": str(tmp_path / "r")}
    # A test that itself runs in the background would hand on that interrupts are ignored.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment, cwd=ROOT
        )
    finally:
        signal.signal(signal.SIGINT, before)
    assert process.stdout
    assert "Ctrl+C" in process.stdout.readline()
    assert Page(port, "wrong").ask("GET", "/api/backend")[0] == 401
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=PATIENCE)
    assert (process.returncode, errors) == (0, "")


def test_a_bridge_that_is_killed_and_started_again_has_another_token(tmp_path: Path) -> None:
    with serving(answering(0.02)) as server:
        port = free_port()
        command = [
            sys.executable,
            "-m",
            "engine.live",
            "--vllm",
            server.url,
            "--port",
            str(port),
            "--site",
            str(tmp_path),
        ]
        environment = os.environ | {"ENGINE_LIVE_RECORDER": str(tmp_path / "r")}
        tokens = []
        for how in (signal.SIGKILL, signal.SIGTERM):
            process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment, cwd=ROOT)
            assert process.stdout
            process.stdout.readline()
            tokens.append(process.stdout.readline().strip().partition("#live=")[2])
            page = Page(port)
            if how == signal.SIGTERM:
                status, body, _ = page.ask("GET", "/api/backend", Authorization=f"Bearer {tokens[0]}")
                assert (status, "new with each start" in body["error"]) == (401, True)
            assert page.ask("GET", "/api/backend", Authorization=f"Bearer {tokens[-1]}")[0] == 200
            process.send_signal(how)
            process.wait(PATIENCE)
            process.stdout.close()
    assert len(set(tokens)) == 2
    assert min(map(len, tokens)) >= 43


def test_more_requests_are_out_than_the_shell_lets_files_be_open() -> None:
    """A shell of some systems begins with 256; here with 48."""
    resource = pytest.importorskip("resource")
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    with serving(answering(0.2)) as server, ExitStack() as stack:
        resource.setrlimit(resource.RLIMIT_NOFILE, (48, hard))
        try:
            page, _ = stack.enter_context(started_bridge("--vllm", server.url))
        finally:
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        assert page.run(some_requests(80, gap=0))[-1]["complete"] is True
