"""What a student takes along: the trace, the scenario, the command, a notebook."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from playwright.sync_api import FilePayload, expect

from engine.simulate.scenario import Scenario
from engine.trace import Trace
from tests.browser.playground.driving import SMALL, Playground, reported
from tests.engine import samples


def saved(playground: Playground, button: str) -> str:
    """What a button saves."""
    with playground.page.expect_download() as coming:
        playground.press(button)
    return Path(coming.value.path()).read_text(encoding="utf-8")


@pytest.mark.long
def test_the_trace_that_is_saved_is_the_engines(playground: Playground) -> None:
    playground.open(SMALL)
    playground.run()
    trace = Trace.from_jsonl(saved(playground, "Save the trace"))
    scenario = Scenario.from_mapping(json.loads(saved(playground, "Save the scenario")))
    assert [step.rows for step in trace.steps()] == [step.rows for step in scenario.trace().steps()]
    assert len(trace.requests()) == 60


def test_a_trace_that_is_saved_before_the_first_run_is_told_of(playground: Playground) -> None:
    playground.visit(SMALL)
    playground.status.evaluate(
        "(node) => { window.told = []; new MutationObserver(() => told.push(node.textContent)).observe(node, "
        "{ childList: true, characterData: true, subtree: true }); }"
    )
    with playground.page.expect_download(timeout=120_000) as coming:
        playground.press("Save the trace")
    assert len(Trace.from_jsonl(Path(coming.value.path()).read_text(encoding="utf-8")).requests()) == 60
    expect(playground.status).to_have_text("The trace is in your downloads.")
    told = playground.page.evaluate("told")
    assert told[0].startswith("Starting Python…")
    assert "Simulating what the trace says, to save it…" in told


@pytest.mark.long
@pytest.mark.parametrize(
    "fragment", [SMALL, "#v=1&incident=head-of-line&num_blocks=1301&max_model_len=20000&policy=fair"]
)
def test_the_scenario_that_is_saved_gives_the_same_numbers(
    playground: Playground, fragment: str, tmp_path: Path
) -> None:
    playground.open(fragment)
    playground.run()
    (tmp_path / "s.json").write_text(saved(playground, "Save the scenario"), encoding="utf-8")
    mine, theirs = reported("python -m engine simulate --scenario s.json", tmp_path), Path(__file__).parents[3]
    copied = reported(playground.copied(), theirs)
    assert {**mine, "name": "", "wall_seconds": 0} == {**copied, "name": "", "wall_seconds": 0}


@pytest.mark.long
def test_a_files_scenario_has_its_requests_written_out(playground: Playground) -> None:
    playground.open("#v=1&num_blocks=200001&max_model_len=100000")
    with playground.page.expect_file_chooser() as asked:
        playground.press("Open a file…")
    asked.value.set_files(FilePayload(name="azure.csv", mimeType="text/csv", buffer=samples.AZURE.encode()))
    expect(playground.status).to_contain_text("3 requests simulated in")
    playground.idle()
    scenario = Scenario.from_mapping(json.loads(saved(playground, "Save the scenario")))
    assert [arrival.num_prompt_tokens for arrival in scenario.workload] == [374, 20, 396]


def test_the_command_is_copied_or_shown(playground: Playground) -> None:
    playground.open(SMALL)
    context = playground.page.context
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    playground.press("Copy the command")
    expect(playground.status).to_have_text("The command is copied.")
    assert playground.page.evaluate("navigator.clipboard.readText()") == playground.copied()
    playground.page.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject(new Error('no')); }")
    playground.press("Copy the command")
    expect(playground.status).to_contain_text("the command stands below")
    expect(playground.command).to_be_visible()


def test_the_lab_gets_code_that_gives_the_same(playground: Playground) -> None:
    playground.open("#v=1&num_requests=60&policy=fair&num_tenants=3")
    playground.run()
    playground.press("Open in the lab")
    playground.page.wait_for_url("**/labs/founding/?snippet=playground")
    expect(playground.page.get_by_role("button", name="Open the snippet in the lab")).to_be_visible()
    record = json.loads(playground.page.evaluate("localStorage.getItem('inside-the-batch/snippet/playground')"))
    code = record["data"]["code"].replace("\ntrace\n", "\n").removesuffix("\ntrace")
    names: dict[str, object] = {}
    exec(code, names)
    trace = names["trace"]
    assert isinstance(trace, Trace)
    assert len(trace.requests()) == 60
    scenario = names["scenario"]
    assert isinstance(scenario, Scenario)
    assert scenario.settings.policy == "fair"
