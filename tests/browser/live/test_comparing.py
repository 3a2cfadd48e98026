"""Runs kept on the page: shown, compared with a simulation, carried to the lab; and recordings for everybody else."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from engine.calibrate.cost import ServerCost
from engine.settings import Settings
from engine.simulate import serve
from engine.simulate.traffic import Traffic
from engine.trace import Trace
from tests.browser.live.conftest import MakeLink, OpenLive
from tests.browser.live.hands import connected, over, run, status

COST = ServerCost(step_ps=8_000_000_000, prefill_token_ps=30_000_000, decode_seq_ps=30_000_000, kv_token_ps=50_000)
WORKING = re.compile("Fitting|Loading Python|at work")
SETTINGS = Settings(num_blocks=400, max_model_len=1024, max_num_seqs=16)


def recording(seed: int) -> Trace:
    """What a server of known costs did."""
    traffic = Traffic(rate=8, num_requests=30, prompt_tokens=100, output_tokens=30, length_cv=0.5, seed=seed)
    trace = serve(SETTINGS, traffic.workload(f"recording {seed}"), COST)
    return Trace(trace.header._replace(source="recorded", about="Made for a test."), trace.records)


@pytest.fixture
def recorded(open_live: OpenLive) -> Page:
    """The live page with two recordings to open."""
    texts = {f"{seed}.trace.jsonl": recording(seed).to_jsonl() for seed in (1, 2)}
    index = [{"file": file, "name": f"recording {file[0]}", "about": "Of a test."} for file in texts]

    def answer(route: Route) -> None:
        file = route.request.url.rpartition("/")[2]
        route.fulfill(body=json.dumps({"recordings": index}) if file == "index.json" else texts[file])

    page = open_live("progress/")
    page.route("**/recordings/*", answer)
    page.goto("live/")
    page.wait_for_function("!document.querySelector(':not(:defined)')")
    return page


def predict(page: Page) -> None:
    """Fit and predict; Python has to start first, and a busy machine takes its time."""
    page.get_by_role("button", name="Fit and predict").click()
    expect(status(page, "compare")).not_to_have_text(WORKING, timeout=120_000)


def table(page: Page) -> list[list[str]]:
    """The cells of the table of errors."""
    rows: list[list[str]] = page.locator(".live-table tbody tr").evaluate_all(
        "rows => rows.map((row) => [...row.cells].map((cell) => cell.innerText))"
    )
    return rows


def error(cell: str) -> float:
    """The percent in a cell."""
    return float(cell.split("\n")[-1].removesuffix(" %").replace("−", "-"))


@pytest.mark.long
def test_recordings_are_there_for_those_without_a_server(recorded: Page) -> None:
    page = recorded
    rows = page.locator(".live-recordings li")
    expect(rows).to_have_count(2)
    expect(rows.first).to_contain_text("recording 1 recorded Of a test.")
    rows.first.get_by_role("button").click()
    expect(page.locator(".live-shelf li")).to_contain_text("recorded")
    player = page.get_by_role("region", name="“recording 1”")
    expect(player.get_by_text("Recorded", exact=True)).to_be_visible()


def test_fit_to_one_and_predict_the_other(recorded: Page) -> None:
    page = recorded
    for row in page.locator(".live-recordings li").all():
        row.get_by_role("button").click()
    expect(page.locator(".live-shelf li")).to_have_count(2)
    assert page.get_by_label("Fit the cost to").input_value() == "1.trace.jsonl"
    assert page.get_by_role("combobox", name="Predict").input_value() == "2.trace.jsonl"
    predict(page)
    expect(status(page, "compare")).to_contain_text("Predicted “recording 2”: the worst statistic is off by")
    words = "Fitted to the steps of “recording 1”: 8 ms a step, 30 µs a token"
    expect(page.locator(".live-result")).to_contain_text(words)
    rows = table(page)
    assert [row[:2] for row in rows] == [["TTFT", "30"], ["TPOT", "30"], ["E2E", "30"]]
    assert all(abs(error(cell)) < 5 for row in rows[1:] for cell in row[2:]), rows
    expect(page.locator(".live-result trace-player")).to_be_visible()
    expect(page.locator(".live-result .live-note")).to_have_count(0)


def test_the_recordings_that_are_shipped(open_live: OpenLive) -> None:
    page = open_live()
    for name in ("Memory to spare", "Short of memory"):
        page.get_by_role("button", name=f"Open: {name}").click()
        expect(page.get_by_role("region", name=f"“{name}”").get_by_text("Recorded", exact=True)).to_be_visible()
    predict(page)
    expect(page.locator(".live-result")).to_contain_text("Fitted to the steps of “Memory to spare”")
    assert [row[0] for row in table(page)] == ["TTFT", "TPOT", "E2E"]


@pytest.mark.long
def test_predicting_what_was_fitted_is_no_prediction(recorded: Page) -> None:
    page = recorded
    page.locator(".live-recordings li").first.get_by_role("button").click()
    predict(page)
    expect(page.locator(".live-result .live-note")).to_contain_text("that is a fit, and no prediction yet")


@pytest.mark.long
def test_a_live_run_against_its_simulation(make_link: MakeLink, open_live: OpenLive) -> None:
    """Times of tokens alone are enough, with a few requests more."""
    link, page = make_link(pause=0.01), open_live()
    connected(page, link)
    run(page, num_requests=16)
    over(page)
    predict(page)
    expect(page.locator(".live-result")).to_contain_text("Fitted to the requests of “calm”")
    assert [row[:2] for row in table(page)] == [["TTFT", "16"], ["TPOT", "16"], ["E2E", "16"]]


@pytest.mark.long
def test_a_run_too_short_to_fit_says_so(make_link: MakeLink, open_live: OpenLive) -> None:
    link, page = make_link(), open_live()
    connected(page, link)
    run(page, num_requests=3)
    over(page)
    predict(page)
    expect(status(page, "compare")).to_have_text("3 requests have a whole answer; a fit needs 8 or more")


@pytest.mark.long
def test_a_trace_file_is_taken_in(open_live: OpenLive, tmp_path: Path) -> None:
    page = open_live()
    file = tmp_path / "mine.trace.jsonl"
    file.write_text(recording(3).to_jsonl(), encoding="utf-8")
    picked: Any = page.locator(".live-runs input[type=file]")
    picked.set_input_files(str(file))
    expect(page.locator(".live-shelf [data-run]")).to_contain_text("recording 3")
    wrong = tmp_path / "wrong.json"
    wrong.write_text('{"a": 1}\n', encoding="utf-8")
    picked.set_input_files(str(wrong))
    expect(status(page, "runs")).to_contain_text("wrong.json can't be read")
    expect(page.locator(".live-shelf [data-run]")).to_have_count(1)


@pytest.mark.long
def test_recordings_that_do_not_arrive(open_live: OpenLive, complaints: list[str]) -> None:
    page = open_live("progress/")
    page.route("**/recordings/*", lambda route: route.abort())
    page.goto("live/")
    expect(status(page, "without")).to_contain_text("The list of recordings didn't arrive.")
    complaints.clear()


def test_open_in_the_lab(recorded: Page) -> None:
    page = recorded
    page.locator(".live-recordings li").first.get_by_role("button").click()
    page.locator(".live-shelf").get_by_role("button", name="Open in the lab: recording 1").click()
    page.wait_for_url("**/labs/founding/?trace=tab")
    page.get_by_role("button", name="Open the trace in the lab").click()
    frame = page.frame_locator("course-lab iframe")
    expect(page.locator("course-lab")).to_have_attribute("data-phase", "ready", timeout=120_000)
    expect(frame.get_by_role("heading", name="recording 1")).to_be_visible(timeout=60_000)
    page.get_by_role("button", name="Run all").click()
    expect(frame.get_by_text("'arrived': 30")).to_be_visible(timeout=60_000)
