"""A run in the page: it arrives, it is stopped, it survives a reload and a cut, and what came is kept."""

from __future__ import annotations

import json
import re
import threading
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from engine.live.bridge.limits import Limits
from engine.trace import Arrived, Finished, Trace
from tests.browser.live.conftest import MakeLink, OpenLive
from tests.browser.live.hands import connect, connected, forgive, live, numbers, over, run, status


def saved(page: Page, folder: Path) -> Trace:
    """Save the first run, and read the file."""
    with page.expect_download() as downloading:
        page.locator(".live-shelf").get_by_role("button", name=re.compile("^Save")).first.click()
    file = folder / downloading.value.suggested_filename
    downloading.value.save_as(file)
    return Trace.from_jsonl(file.read_text(encoding="utf-8"), file.name)


def test_a_run_arrives_and_is_saved(make_link: MakeLink, open_live: OpenLive, tmp_path: Path) -> None:
    link, page = make_link(pause=0.02), open_live()
    connected(page, link)
    run(page)
    over(page)
    expect(page.locator(".live-run-status")).to_have_text("The run is over, and all of it came.")
    expect(page.locator(".live-facts")).to_contain_text("8 of 8 done, 0 under way.")
    expect(page.locator(".live-facts")).to_contain_text("Requests were sent late by")
    expect(page.get_by_text("asked to keep prompts")).to_be_hidden()
    trace = saved(page, tmp_path)
    assert trace.header.source == "live"
    assert len(list(trace.of(Arrived))) == 8
    assert all(one.num_output_tokens == 12 for one in trace.of(Finished))


@pytest.mark.long
def test_the_player_draws_what_has_come(make_link: MakeLink, open_live: OpenLive) -> None:
    link, page = make_link(pause=0.1), open_live()
    connected(page, link)
    run(page, output_tokens=200, num_requests=3)
    player = page.locator(".live-run trace-player")
    expect(player.get_by_text("Live, running", exact=True)).to_be_visible()
    expect(live(page)).to_have_attribute("data-run", "running")
    # All three are seen before any of them is done.
    expect(page.locator(".live-facts")).to_contain_text("0 of 3 done, 3 under way")
    page.get_by_role("button", name="Stop").click()
    over(page)


def test_stop(make_link: MakeLink, open_live: OpenLive, tmp_path: Path) -> None:
    link, page = make_link(pause=0.1), open_live()
    connected(page, link)
    run(page, output_tokens=300, num_requests=2)
    expect(page.locator(".live-facts")).to_contain_text("2 under way")
    page.get_by_role("button", name="Stop").click()
    over(page)
    expect(page.locator(".live-run-status")).to_have_text("Incomplete: it was cancelled. What came is here.")
    trace = saved(page, tmp_path)
    assert trace.header.about.endswith("Incomplete: it was cancelled.")
    assert len(list(trace.of(Arrived))) == 2
    _, found, _ = link.bridge.ask("GET", "/api/backend")
    assert found["run"]["active"] is False


def test_a_reload_in_the_middle_finds_the_run_again(make_link: MakeLink, open_live: OpenLive, tmp_path: Path) -> None:
    link, page = make_link(pause=0.1), open_live()
    connected(page, link)
    run(page, output_tokens=60, num_requests=3)
    expect(page.locator(".live-facts")).to_contain_text("3 under way")
    page.reload()
    expect(live(page)).to_have_attribute("data-link", "on")
    expect(status(page, "workload")).to_contain_text("The bridge has a run, “calm”")
    expect(page.locator(".live-run trace-player")).to_be_visible()
    over(page)
    trace = saved(page, tmp_path)
    assert len(list(trace.of(Finished))) == 3
    assert "Incomplete" not in trace.header.about


def test_a_cut_is_mended_after_the_last_event(
    make_link: MakeLink, open_live: OpenLive, tmp_path: Path, complaints: list[str]
) -> None:
    link, page = make_link(pause=0.1), open_live()
    connected(page, link)
    run(page, output_tokens=60, num_requests=3)
    link.wire.is_down = True
    link.wire.cut()
    expect(page.locator(".live-run-status")).to_contain_text("The connection was lost")
    link.wire.is_down = False
    over(page)
    expect(page.locator(".live-run-status")).to_have_text("The run is over, and all of it came.")
    trace = saved(page, tmp_path)
    assert [one.num_output_tokens for one in trace.of(Finished)] == [60, 60, 60]
    forgive(complaints, "net::ERR_")


@pytest.mark.long
def test_a_bridge_that_is_gone_leaves_what_came_and_the_student_goes_on_later(
    make_link: MakeLink, open_live: OpenLive, tmp_path: Path, complaints: list[str]
) -> None:
    link, page = make_link(pause=0.05), open_live()
    page.clock.install()
    connected(page, link)
    run(page, output_tokens=60, num_requests=3)
    expect(page.locator(".live-facts")).to_contain_text("3 under way")
    link.wire.is_down = True
    link.wire.cut()
    for _ in range(12):
        page.clock.run_for(8_100)
        page.wait_for_timeout(150)
    expect(live(page)).to_have_attribute("data-run", "cut")
    expect(page.locator(".live-run-status")).to_contain_text("Incomplete: the connection was lost (Nothing answers at")
    expect(page.locator(".live-shelf [data-run]")).to_have_count(1)
    assert "Incomplete: the connection was lost" in saved(page, tmp_path).header.about
    link.wire.is_down = False
    page.get_by_role("button", name="Go on after the last event").click()
    for _ in range(20):
        page.clock.run_for(1_000)
        page.wait_for_timeout(100)
    over(page)
    expect(page.locator(".live-shelf [data-run]")).to_have_count(1)
    trace = saved(page, tmp_path)
    assert [one.num_output_tokens for one in trace.of(Finished)] == [60, 60, 60]
    forgive(complaints, "net::ERR_")


@pytest.mark.long
def test_what_a_slow_page_missed_is_a_gap(
    make_link: MakeLink, open_live: OpenLive, tmp_path: Path, complaints: list[str]
) -> None:
    link, page = make_link(pause=0.005, limits=Limits(kept_bytes=3_000)), open_live()
    connected(page, link)
    run(page, output_tokens=400, num_requests=4)
    link.wire.is_down = True
    link.wire.cut()
    threading.Timer(1.0, lambda: setattr(link.wire, "is_down", False)).start()
    over(page)
    expect(page.locator(".live-facts")).to_contain_text("events didn't reach this page: the player shows the gap.")
    trace = saved(page, tmp_path)
    assert "events were lost on the way" in trace.header.about
    forgive(complaints, "net::ERR_")


@pytest.mark.long
def test_another_run_goes_on_already(make_link: MakeLink, open_live: OpenLive, complaints: list[str]) -> None:
    link, page = make_link(pause=0.1), open_live()
    connected(page, link)
    name = link.bridge.begin([{"at": 0, "id": "r0", "num_prompt_tokens": 4, "max_tokens": 200}])
    page.get_by_role("button", name="Run it").click()
    expect(status(page, "workload")).to_contain_text("another run goes on")
    expect(live(page)).to_have_attribute("data-run", "none")
    link.bridge.ask("DELETE", f"/api/runs/{name}")
    forgive(complaints, "409")


@pytest.mark.long
def test_a_workload_beyond_the_bridges_limits(make_link: MakeLink, open_live: OpenLive, complaints: list[str]) -> None:
    link, page = make_link(limits=Limits(max_prompt_tokens=50)), open_live()
    connected(page, link)
    numbers(page, prompt_tokens=400, num_requests=4)
    page.get_by_role("button", name="Run it").click()
    expect(status(page, "workload")).to_contain_text("expected a whole number from 1 to 50")
    forgive(complaints, "422")


@pytest.mark.long
def test_a_number_out_of_its_range(make_link: MakeLink, open_live: OpenLive) -> None:
    link, page = make_link(), open_live()
    connected(page, link)
    numbers(page, rate=0)
    page.get_by_role("button", name="Run it").click()
    expect(status(page, "workload")).to_have_text(re.compile("“Requests a second” isn't in its range"))
    expect(page.locator("input[name=rate]")).to_be_focused()


@pytest.mark.long
def test_a_file_of_arrivals(make_link: MakeLink, open_live: OpenLive) -> None:
    """The first requests of a file that the bridge takes, ten times as fast."""
    link, page = make_link(limits=Limits(max_requests=5)), open_live()
    connected(page, link)
    rows = ["TIMESTAMP,ContextTokens,GeneratedTokens"]
    rows += [f"2023-11-16 18:17:{second:02d}.0000000,{20 + second},{3 + second}" for second in range(9)]
    page.get_by_label("A file of arrivals").check()
    page.locator(".live-picked").set_input_files(
        {"name": "azure.csv", "mimeType": "text/csv", "buffer": "\n".join(rows).encode()}
    )
    expect(page.locator(".live-sum")).to_have_text("azure.csv, 1 KB. It is read here, in your browser.")
    page.get_by_label("Arrivals come faster by").fill("10")
    page.get_by_role("button", name="Run it").click()
    over(page)
    expect(page.locator(".live-facts")).to_contain_text("5 of 5 done")
    assert sorted(len(body["prompt"]) for body in link.server.bodies) == [20, 21, 22, 23, 24]
    assert sorted(body["max_tokens"] for body in link.server.bodies) == [3, 4, 5, 6, 7]


@pytest.mark.long
def test_a_file_that_cannot_be_read(make_link: MakeLink, open_live: OpenLive) -> None:
    link, page = make_link(), open_live()
    connected(page, link)
    page.get_by_label("A file of arrivals").check()
    page.locator(".live-picked").set_input_files({"name": "x.csv", "mimeType": "text/csv", "buffer": b"a,b\n1,2\n"})
    page.get_by_role("button", name="Run it").click()
    expect(status(page, "workload")).to_contain_text("x.csv: columns: got a, b; expected those of one of these formats")


@pytest.mark.long
def test_python_in_the_page_knows_the_bridge(make_link: MakeLink, open_live: OpenLive) -> None:
    """As a notebook's Python does, a snippet's asks the page over the channel, and runs through the page's fetch."""
    link, page = make_link(pause=0.01), open_live()
    connected(page, link)
    code = """
import engine.live
from engine.simulate.traffic import Traffic
traffic = Traffic(rate=20, num_requests=4, prompt_tokens=8, output_tokens=5)
trace = await engine.live.run(traffic.workload("mine"))
print(trace.complete, len(trace.finish_steps()), len(trace.requests()), trace.why)
"""
    found = page.evaluate(
        """async (code) => {
          const { sharedRunner } = await import("/assets/course/lib/shared-runner.js");
          const runner = await sharedRunner();
          let out = "";
          const { outcome, traceback } = await runner.run(code, ({ text }) => (out += text));
          return [outcome, out, traceback];
        }""",
        code,
    )
    assert found[0] == "ok", found
    assert "; complete" in found[1]
    assert "True 0 4" in found[1]


def test_a_run_by_the_keyboard_alone(make_link: MakeLink, open_live: OpenLive) -> None:
    link, page = make_link(pause=0.02), open_live()
    page.get_by_label("Address of the bridge").focus()
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.type(link.printed)
    page.keyboard.press("Enter")
    expect(live(page)).to_have_attribute("data-link", "on")
    for _ in range(30):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.name === 'live-workload'"):
            break
    page.keyboard.press("ArrowDown")
    expect(page.get_by_role("radio", name="Bursts")).to_be_checked()
    for _ in range(12):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.textContent === 'Run it'"):
            break
    page.keyboard.press("Enter")
    expect(page.locator(".live-run trace-player")).to_be_visible()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Stop"
    page.keyboard.press("Enter")
    over(page)


@pytest.mark.long
def test_only_the_address_that_was_typed_is_asked(
    make_link: MakeLink, open_live: OpenLive, complaints: list[str]
) -> None:
    link, page = make_link(), open_live()
    assert [words for words in complaints if "another host" in words] == []
    connect(page, link.printed)
    expect(live(page)).to_have_attribute("data-link", "on")
    asked = {words for words in complaints if "another host" in words}
    assert asked == {f"another host: {link.address}/api/backend"}
    assert json.dumps([one for one in link.server.asked if one[0] not in ("/v1/models", "/version")]) == "[]"
