"""Ten thousand events a second: for three seconds here, for a minute by `make test-live`."""

import os
import resource
import time
from pathlib import Path
from threading import Thread
from typing import Final

from bridging import Page, bridge, some_requests
from engine.live.bridge.limits import Limits
from pretended import answering, serving
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
    path, sent, before = tmp_path / "r", [0], resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    # The server's answer lasts as long as the burst: when it has come, the run ends.
    pause = (SECONDS + 1) / 20
    with (
        serving(answering(pause), version='{"version": "0.32.0"}') as server,
        bridge(server.url, recorder_path=path, limits=Limits(kept_bytes=8 << 20)) as page,
        recorder(page, path) as one,
    ):
        run = page.begin(some_requests(1, max_tokens=20))
        thread = Thread(target=lambda: sent.append(burst(one, run)))
        thread.start()
        told, lost, last = follow(page, run)
        thread.join()
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    print(f"\n{sent[-1]} steps in {SECONDS} s, {told} told, {lost} events lost; memory grew by {grown:.0f} MiB")
    assert last["event"] == "end"
    assert told + lost >= sent[-1] >= SECONDS * EVENTS_A_SECOND * 0.8
    assert grown < 250


def follow(page: Page, run: str) -> tuple[int, int, dict[str, object]]:
    """Follow a run without keeping it: steps told, events lost, the last event."""
    told = lost = 0
    last: dict[str, object] = {}
    for value in page.follow(run):
        told += value.get("event") == "step"
        lost += int(value["lost"]) if value.get("event") == "gap" else 0
        last = value
    return told, lost, last
