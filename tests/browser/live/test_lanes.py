"""Two replicas behind one router: a player for each, with its own steps and the requests that went there."""

from __future__ import annotations

import re
from pathlib import Path
from threading import Thread

import pytest
from playwright.sync_api import expect

from engine.trace import Step, Trace
from tests.browser.live.conftest import MakeLink, OpenLive
from tests.browser.live.hands import connected, over, run
from tests.live.recording import Recorder, now, own, recorder

VLLM = '{"version": "0.32.0"}'


def decide(one: Recorder, name: str, number: int) -> None:
    """What a scheduler would decide about one request of 8 tokens that gets 4."""
    one.wait_until_asked()
    request, at = own(name, number), now()
    one.say(("state", at, True, []), ("add", at + 1, request, 8, 4, 0, []))
    rows: list[tuple[int, int, int, list[int], list[int]]] = [
        (8, 0, 1, [1], []),
        *((1, 8 + place, 0, [], []) for place in range(3)),
    ]
    for place, row in enumerate(rows):
        end = "length" if place == 3 else None
        one.say(("plan", now(), place + 1, [(request, *row)], [], []))
        one.say(("done", now(), place + 1, [(request, 1, end, [])], 1))


@pytest.mark.long
def test_each_lane_has_its_player(make_link: MakeLink, open_live: OpenLive, tmp_path: Path) -> None:
    path = tmp_path / "r"
    link, page = make_link(pause=0.05, recorder_path=path, version=VLLM), open_live()
    with recorder(link.bridge, path, lane="left") as left, recorder(link.bridge, path, lane="right") as right:
        for _ in range(50):
            if len(link.bridge.ask("GET", "/api/backend")[1]["lanes"]) == 2:
                break
            page.wait_for_timeout(100)
        connected(page, link)
        expect(page.locator(".live-backend")).to_contain_text("left, right")
        expect(page.locator(".live-backend")).to_contain_text("vLLM with the recorder: every decision, exactly")
        with page.expect_response(re.compile("/api/runs$")) as started:
            run(page, num_requests=2, rate=50, prompt_tokens=8, output_tokens=4)
        name = started.value.json()["run"]
        threads = [Thread(target=decide, args=(one, name, number)) for number, one in enumerate((left, right))]
        for thread in threads:
            thread.start()
        over(page)
        for thread in threads:
            thread.join()
    expect(page.locator(".live-run trace-player")).to_have_count(2)
    expect(page.locator(".live-run h3")).to_have_text(["left", "right"])
    rows = page.locator(".live-shelf [data-run]")
    expect(rows).to_have_count(2)
    for row, request in zip(rows.all(), ("r0", "r1"), strict=True):
        with page.expect_download() as downloading:
            row.get_by_role("button", name=re.compile("^Save")).click()
        file = tmp_path / downloading.value.suggested_filename
        downloading.value.save_as(file)
        trace = Trace.from_jsonl(file.read_text(encoding="utf-8"), file.name)
        assert {one.id for step in trace.of(Step) for one in step.rows} == {request}


def test_a_recorder_shows_steps_in_one_player(make_link: MakeLink, open_live: OpenLive, tmp_path: Path) -> None:
    path = tmp_path / "r"
    link, page = make_link(pause=0.05, recorder_path=path, version=VLLM), open_live()
    with recorder(link.bridge, path) as one:
        connected(page, link)
        expect(page.locator(".live-backend")).to_contain_text("every step of the scheduler")
        with page.expect_response(re.compile("/api/runs$")) as started:
            run(page, num_requests=1, prompt_tokens=8, output_tokens=4)
        thread = Thread(target=decide, args=(one, started.value.json()["run"], 0))
        thread.start()
        over(page)
        thread.join()
    player = page.locator(".live-run trace-player")
    expect(player).to_have_count(1)
    expect(player.get_by_text(re.compile("in 4 steps")).first).to_be_visible()
