"""`python -m engine simulate` and `compare`: what they print, and what they refuse."""

import json
from pathlib import Path
from typing import Any

import pytest

from engine.cli import main

SMALL = ["--num-requests", "40", "--rate", "20", "--prompt-tokens", "100", "--output-tokens", "20", "--seed", "3"]


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    assert main([*arguments, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_the_metrics_are_those_of_the_seed(capsys: pytest.CaptureFixture[str]) -> None:
    one, other = (printed(capsys, "simulate", *SMALL) for _ in range(2))
    assert one.pop("wall_seconds") > 0
    del other["wall_seconds"]
    assert one == other
    assert one["requests"]["finished"] == 40
    assert one["ttft"]["n"] == 40
    assert one["ttft"]["p50"]["value"] <= one["ttft"]["p99"]["value"]


def test_step_by_step_gives_the_same_numbers(capsys: pytest.CaptureFixture[str]) -> None:
    fast, slow = printed(capsys, "simulate", *SMALL), printed(capsys, "simulate", *SMALL, "--step-by-step")
    del fast["wall_seconds"], slow["wall_seconds"]
    assert fast == slow


def test_detail_adds_what_needs_rows(capsys: pytest.CaptureFixture[str]) -> None:
    found = printed(capsys, "simulate", *SMALL, "--detail", "--ttft-limit", "1")
    assert found["itl"]["n"] == 40 * 19
    assert 0 < found["kv"]["mean_use"] < 1
    assert found["goodput"] == {"requests": 40, "share": 1.0, "rate": pytest.approx(40 / found["duration"])}


def test_a_trace_is_written_and_read_again(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    out = tmp_path / "run.trace.jsonl"
    found = printed(capsys, "simulate", *SMALL, "--trace", str(out), "--perfetto", str(tmp_path / "run.json"))
    again = printed(capsys, "simulate", "--workload", str(out))
    assert json.loads((tmp_path / "run.json").read_text())["traceEvents"]
    assert again["requests"] == found["requests"]
    assert again["ttft"] == found["ttft"]


def test_policies_are_compared_on_the_same_traffic(capsys: pytest.CaptureFixture[str]) -> None:
    crowd = [*SMALL, "--rate", "500", "--length-cv", "1", "--max-num-seqs", "2", "--policies", "fcfs,shortest-oracle"]
    found = printed(capsys, "compare", *crowd)
    assert found["shortest-oracle"]["e2e"]["mean"] < found["fcfs"]["e2e"]["mean"]
    assert found["shortest-oracle"]["throughput"]["output_tokens"] > 0


def test_processes_side_by_side_find_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    names = ["--policies", "fcfs,fair"]
    assert printed(capsys, "compare", *SMALL, *names, "--jobs", "2") == printed(capsys, "compare", *SMALL, *names)


def test_people_get_tables(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", *SMALL, "--policies", "fcfs,fair"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split()[:3] == ["policy", "finished", "lost"]
    assert [line.split()[0] for line in lines[2:]] == ["fcfs", "fair"]
    assert main(["simulate", *SMALL]) == 0
    assert "40 finished" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--rate", "0"], "argument --rate: got '0'; give a number above 0, as 6"),
        (["--num-requests", "many"], "argument --num-requests: got 'many'; give a whole number of 1 or more, as 10000"),
    ],
)
def test_a_bad_value_names_option_value_range_and_an_example(
    arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main(["simulate", *arguments])
    assert words in capsys.readouterr().err


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("null", "got null, expected an object, { … }"),
        ("{}", "cost: step_ps is missing; give picoseconds, as 9000000000 for 9 ms a step"),
        ('{"steps": 1}', "cost: steps is nothing that it has; it has step_ps, "),
        ('{"step_ps": 1, "num_experts": 8}', "cost: num_experts goes with all_experts_ps; give both or neither"),
        ('{"step_ps": "1"}', "step_ps is '1'"),
    ],
)
def test_a_bad_cost_model_is_told_in_words(
    content: str, words: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """What was missing was told as Python tells it: "missing 1 required keyword-only argument"."""
    path = tmp_path / "cost.json"
    path.write_text(content)
    assert main(["simulate", *SMALL, "--cost", str(path)]) == 2
    assert words in capsys.readouterr().err


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("[]", "got [], expected an object"),
        ('{"setings": {}}', "setings is no part of a scenario"),
        ("{}", "a scenario has either traffic or arrivals"),
        ('{"traffic": {"rat": 1}}', "rat is nothing that traffic has"),
        ('{"arrivals": [{"at": 0, "id": "a", "num_prompt_tokens": 1}]}', r"arrivals[0].num_output_tokens: "),
        ('{"traffic": {}, "settings": {"num_blocks": 9, "max_model_len": 4, "policy": "fifo"}}', "policy is 'fifo'"),
        (
            '{"traffic": {}, "settings": {"num_blocks": 9, "max_model_len": 4}, "limits": {"wait": 1}}',
            "wait is no limit",
        ),
        (
            '{"traffic": {}, "settings": {"num_blocks": 9, "max_model_len": 4}, "cost": {"step": 1}}',
            "cost: step is",
        ),
    ],
)
def test_a_scenario_that_cannot_be_is_refused(
    content: str, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "scenario.json"
    file.write_text(content)
    assert main(["simulate", "--scenario", str(file)]) == 2
    told = capsys.readouterr().err
    assert str(file) in told
    assert words in told


ENGINE: dict[str, Any] = {"settings": {"num_blocks": 64, "max_model_len": 512}}
HUGE = 10**30


@pytest.mark.parametrize(
    ("parts", "words"),
    [
        ({"traffic": 5}, "traffic is 5; give an object"),
        ({"traffic": {}, "settings": []}, "settings is []; give an object"),
        ({"traffic": {}, "limits": [1]}, "limits is [1]; give an object"),
        ({"traffic": {}, "cost": 5}, "cost is 5; give an object"),
        ({"traffic": {}, "name": 5}, "name is 5; give a text"),
        ({"traffic": {}, "admission": []}, "admission is []; give 'strict' or 'skip_ahead'"),
        ({"arrivals": {}}, "arrivals is {}; give an array"),
        ({"traffic": {"rate": "six"}}, "rate is 'six'; give a number of 1e-09 or more"),
        ({"traffic": {"rate": 1e300}}, "rate is 1e+300; give 1e+09 or less"),
        ({"traffic": {"arrivals": "foo"}}, "arrivals is 'foo'; give 'poisson' or 'gamma' or 'constant'"),
        ({"traffic": {"num_requests": 3.5}}, "num_requests is 3.5; give a whole number of 1 or more"),
        ({"traffic": {"prompt_tokens": HUGE}}, f"prompt_tokens is {HUGE}; give 16,777,216 or less"),
        ({"traffic": {"length_cv": 1e300}}, "length_cv is 1e+300; give 100 or less"),
        ({"traffic": {"num_tenants": HUGE}}, f"num_tenants is {HUGE}; give 100,000 or less"),
        ({"traffic": {"isolate": "no"}}, "isolate is 'no'; give True or False"),
        ({"traffic": {"deadline": 1e308}}, "deadline is 1e+308; give 1e+09 or less, or None"),
        ({"traffic": {}, "limits": {"max_wait": 1e300}}, "max_wait is 1e+300; give 1e+09 or less, or None"),
        ({"traffic": {}, "limits": {"timeout": "x"}}, "timeout is 'x'; give a number of 1e-09 or more, or None"),
        ({"traffic": {}, "limits": {"max_waiting": 1.5}}, "max_waiting is 1.5; give a whole number of 0 or more"),
        (
            {"arrivals": [{"at": 0, "id": "a", "num_prompt_tokens": HUGE, "num_output_tokens": 1}]},
            f"a: num_prompt_tokens is {HUGE}; it takes 16,777,216 or less",
        ),
        (
            {"arrivals": [{"at": HUGE, "id": "a", "num_prompt_tokens": 1, "num_output_tokens": 1}]},
            f"a: at is {HUGE}; it takes 4,611,686,018,427,387,904 or less",
        ),
    ],
)
def test_a_value_of_a_scenario_that_cannot_be_is_named_with_what_can(
    parts: dict[str, Any], words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "scenario.json"
    file.write_text(json.dumps(ENGINE | parts))
    assert main(["simulate", "--scenario", str(file)]) == 2
    assert capsys.readouterr().err.startswith(f"{file}: {words}")


@pytest.mark.parametrize(
    ("option", "words"),
    [
        ("--prompt-tokens", "prompt_tokens"),
        ("--prefix-tokens", "prefix_tokens"),
        ("--num-tenants", "num_tenants"),
        ("--num-blocks", "num_blocks"),
        ("--block-size", "block_size"),
        ("--max-wait", "max_wait"),
        ("--patience", "patience"),
        ("--length-cv", "length_cv"),
    ],
)
def test_a_number_beyond_all_machines_is_refused_at_once(
    option: str, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Some took all memory, some for ever; some ended in a traceback."""
    assert main(["simulate", *SMALL, option, str(HUGE)]) == 2
    assert capsys.readouterr().err.startswith(f"{words} is ")


def test_a_policy_that_is_unknown_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", *SMALL, "--policies", "fcfs,lifo"]) == 2
    assert "policy 'lifo'; give one of fcfs, priority" in capsys.readouterr().err


def test_a_policy_that_needs_predictions_says_how_to_get_them(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", *SMALL, "--policy", "shortest"]) == 2
    assert "has no predicted_output_tokens" in capsys.readouterr().err


def test_reasons_go_into_the_trace(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    out = tmp_path / "run.trace.jsonl"
    printed(capsys, "simulate", *SMALL, "--why", "--trace", str(out))
    assert '"why":[["admitted","r0",' in out.read_text()


def test_reasons_need_a_trace_to_stand_in(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", *SMALL, "--why"]) == 2
    assert capsys.readouterr().err == "--why: the reasons go into a trace; say with --trace OUT where to write it\n"
