"""Ten thousand events a second: for three seconds here, for a minute by `make test-live`."""

import json
import os
import time
from pathlib import Path
from threading import Event, Thread
from typing import Any, Final

from bridging import Page, some_requests, started_bridge
from pretended import Handler, answering, serving
from recording import Recorder, now, own, recorder

SECONDS: Final = int(os.environ.get("BURST_SECONDS", "3"))
EVENTS_A_SECOND: Final = 10_000
TICK: Final = 0.02


def burst(one: Recorder, run: str) -> int:
    """Tell ten thousand decisions a second, and how many they were."""
    one.wait_until_asked()
    name, number = own(run, 0), 0
    one.say(("state", now(), True, []), ("add", now(), name, 8, 1 << 20, 0, []))
    began = time.monotonic()
    while (passed := time.monotonic() - began) < SECONDS:
        messages = []
        while number < passed * EVENTS_A_SECOND:
            number += 1
            messages.append(("plan", now(), number, [(name, 1, number, 0, [], [])], [], []))
            messages.append(("done", now(), number, [(name, 1, None, [])], 1))
        one.say(*messages)
        time.sleep(TICK)
    one.say(("leave", now(), [(name, number)]))
    return number


def test_ten_thousand_events_a_second_are_told_or_said_to_be_lost(tmp_path: Path) -> None:
    path, sent = tmp_path / "r", [0]
    over = Event()

    def answer_when_over(handler: Handler, body: dict[str, Any]) -> None:
        over.wait(SECONDS * 10)
        answering()(handler, body)

    def send() -> None:
        sent.append(burst(one, run))
        over.set()

    with (
        serving(answer_when_over, version='{"version": "0.32.0"}') as server,
        started_bridge("--vllm", server.url, "--recorder", str(path)) as (page, process),
        recorder(page, path) as one,
    ):
        run = page.begin(some_requests(1, max_tokens=1))
        thread = Thread(target=send)
        thread.start()
        told, lost, last = follow(page, run)
        thread.join()
        memory = memory_of(process)
    print(f"\n{sent[-1]} steps in {SECONDS} s, {told} told, {lost} events lost; the bridge took {memory} MiB")
    assert last["event"] == "end"
    assert told + lost >= sent[-1]
    assert memory < 400
    # A busy machine may not even send ten thousand.
    assert sent[-1] >= SECONDS * EVENTS_A_SECOND * 0.3


def follow(page: Page, run: str) -> tuple[int, int, dict[str, Any]]:
    """Follow a run without keeping it: steps told, events lost, the last event."""
    told = lost = 0
    line = "{}"
    for line in page.lines(run):
        if line.startswith('{"event":"step"'):
            told += 1
        elif line.startswith('{"event":"gap"'):
            lost += int(json.loads(line)["lost"])
    return told, lost, json.loads(line)


def memory_of(process: int) -> int:
    """The most memory that a process ever had, in MiB."""
    known = Path(f"/proc/{process}/status")
    status = known.read_text("utf-8") if known.is_file() else "VmHWM: 0"
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM")) // 1024
