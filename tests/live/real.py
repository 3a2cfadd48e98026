"""A real vLLM with a tiny model, for the length of a `with`, and workloads that make it preempt, evict and abort."""

import os
import signal
import subprocess
import time
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from random import Random
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from bridging import Page
from patience import free_port
from tiny_model import make_tiny_model

ROOT: Final = Path(__file__).parents[2]
PYTHON: Final = os.environ.get("VLLM_PYTHON", "")
"""The Python that has vLLM; `make test-live` sets it."""

START_SECONDS: Final = 240
RECORDING: Final = ("--scheduler-cls", "engine.live.recorder.RecordingScheduler")
SMALL: Final = (
    *("--max-num-seqs", "8", "--max-num-batched-tokens", "128", "--max-model-len", "512"),
    *("--block-size", "32", "--num-gpu-blocks-override", "30"),
)
"""So few blocks that requests are preempted."""


class Real(NamedTuple):
    """A vLLM that runs: its address, its process, and the socket that its recorder looks for."""

    url: str
    process: subprocess.Popen[bytes]
    recorder: Path
    log: Path


@contextmanager
def real_server(
    folder: Path,
    *options: str,
    asynchronous: bool = False,
    prompts: str = "",
    model_changes: Mapping[str, Any] = MappingProxyType({}),
) -> Iterator[Real]:
    """Start vLLM with `options` and a tiny model in `folder`; stop it at the end.

    `prompts` is what its recorder is asked about them.
    """
    model = make_tiny_model(folder / "model", model_changes)
    port = free_port()
    entry = (
        [str(Path(__file__).parent / "asynchronous_server.py"), "--async-scheduling"]
        if asynchronous
        else ["-m", "vllm.entrypoints.openai.api_server", "--no-async-scheduling"]
    )
    command = [
        *(PYTHON, *entry, "--model", str(model), "--served-model-name", "tiny", "--load-format", "dummy"),
        *("--dtype", "float32", "--enforce-eager", "--host", "127.0.0.1", "--port", str(port), *options),
    ]
    recorder, log = folder / "recorder.sock", folder / "vllm.log"
    own = {"ENGINE_LIVE_RECORDER": str(recorder), "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}
    own |= {"ENGINE_LIVE_PROMPTS": prompts}
    quiet = {"VLLM_CPU_KVCACHE_SPACE": "1", "VLLM_NO_USAGE_STATS": "1", "HF_HUB_OFFLINE": "1"}
    with log.open("wb") as out:
        process = subprocess.Popen(
            command, env=os.environ | own | quiet, stdout=out, stderr=out, start_new_session=True
        )
    try:
        real = Real(f"http://127.0.0.1:{port}", process, recorder, log)
        _wait(real)
        yield real
    finally:
        stop(process)


def stop(process: subprocess.Popen[bytes], how: int = signal.SIGTERM) -> None:
    """End a server and the processes that it started, which are a group of their own."""
    for number in (how, signal.SIGKILL):
        try:
            os.killpg(process.pid, number)
            process.wait(20)
        except (ProcessLookupError, subprocess.TimeoutExpired):
            continue


def _wait(real: Real) -> None:
    until = time.monotonic() + START_SECONDS
    while time.monotonic() < until and real.process.poll() is None:
        try:
            with urllib.request.urlopen(f"{real.url}/health", timeout=2):
                return
        except OSError:
            time.sleep(0.5)
    raise AssertionError(f"vLLM didn't start:\n{real.log.read_text('utf-8', 'replace')[-4000:]}")


def wait_for(page: Page, kind: str) -> dict[str, Any]:
    """What the bridge says of its backend, once that is of this kind: a recorder looks for a bridge every second."""
    for _ in range(50):
        status, found, _ = page.ask("GET", "/api/backend")
        if status == 200 and found["kind"] == kind:
            return dict(found)
        time.sleep(0.2)
    raise AssertionError(found)


def busy_requests(
    count: int, seed: int, *, gap: float = 0.02, longest: int = 120, priorities: int = 1
) -> list[dict[str, Any]]:
    """Requests at random, of which some begin alike and some are given up. `gap` is in seconds."""
    chance, at, found = Random(seed), 0, []
    for number in range(count):
        at += round(chance.random() * 2 * gap * 1e9)
        prompt = chance.randint(5, 300)
        request: dict[str, Any] = {
            "at": at, "id": f"r{number}", "num_prompt_tokens": prompt, "max_tokens": chance.randint(2, longest),
        }  # fmt: skip
        if chance.random() < 0.4:
            request["beginning"] = [[chance.randint(1, 3), min(96, prompt)]]
        if chance.random() < 0.1:
            request["cancel_at"] = at + round(chance.random() * 4e8)
        if priorities > 1:
            request["priority"] = chance.randrange(priorities)
        found.append(request)
    return found
