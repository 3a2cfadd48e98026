"""What the pages ask of the engine gives the same as the engine itself, and problems where a value can't be."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from engine.metrics.report import report
from engine.pages.playground import Desk
from engine.pages.server import described
from engine.readers import ReadError, workload_lines
from engine.simulate.scenario import Scenario
from engine.trace import Trace
from tests.engine import samples

SETTINGS = {"num_blocks": 1001, "max_model_len": 4096}
VALUES: dict[str, Any] = {"settings": SETTINGS, "traffic": {"rate": 5, "num_requests": 40, "seed": 3}}
WORKLOAD = Scenario.from_mapping(VALUES).workload
AZURE = samples.AZURE.encode()
LINES = list(workload_lines(WORKLOAD))


def test_metrics_and_trace_are_the_engines_own() -> None:
    scenario = Scenario.from_mapping(VALUES)
    assert Desk().metrics(VALUES) == scenario.run().report() | {"num_requests": 40}
    trace = Trace.from_jsonl(Desk().trace(VALUES))
    assert [step.rows for step in trace.steps()] == [step.rows for step in scenario.trace().steps()]
    assert any(step.why for step in trace.steps())


def test_the_trace_of_many_requests_tells_no_reasons() -> None:
    values = {"settings": SETTINGS, "traffic": {"rate": 500, "num_requests": 301, "output_tokens": 2}}
    assert not any(step.why for step in Trace.from_jsonl(Desk().trace(values)).steps())


@pytest.mark.parametrize(
    ("values", "setting", "words"),
    [
        ({"settings": {**SETTINGS, "num_blocks": 2}, "traffic": {}}, "num_blocks", "num_blocks is 2, which lends 1"),
        ({"settings": {**SETTINGS, "max_seqs": 2}, "traffic": {}}, "max_seqs", "max_seqs is no setting; did you mean"),
        ({"settings": SETTINGS, "traffic": {"speed": 1}}, "speed", "speed is nothing that traffic has"),
        ({"settings": SETTINGS}, "traffic", "traffic is missing; give it, or open a file"),
        ({"settings": SETTINGS, "traffic": {"rate": -1}}, "rate", "rate"),
    ],
)
def test_what_cant_be_is_a_problem(values: dict[str, Any], setting: str, words: str) -> None:
    found = Desk().metrics(values)
    assert found["setting"] == setting
    assert found["problem"].startswith(words)


def test_a_files_requests_are_served_like_any_others() -> None:
    desk = Desk()
    told = desk.opened(LINES, "mine.workload.jsonl", most=1000)
    assert told == {
        "format": "workload file of the course",
        "holds_trace": False,
        "requests": 40,
        "more": False,
        "can_replay": True,
        "parts": [],
        "notes": [],
    }
    assert desk.metrics({"settings": SETTINGS}) == Desk().metrics(VALUES)
    spelled = desk.spelled_out({"settings": SETTINGS})
    assert Desk().metrics(json.loads(json.dumps(spelled))) == Desk().metrics(VALUES)


def test_of_a_long_file_only_its_beginning_is_taken() -> None:
    desk = Desk()
    told = desk.opened(iter(LINES), "mine.workload.jsonl", most=10)
    assert (told["requests"], told["more"]) == (10, True)
    assert desk.metrics({"settings": SETTINGS})["num_requests"] == 10


FILES = {
    "azure": samples.AZURE,
    "burstgpt": samples.BURSTGPT,
    "mooncake": samples.MOONCAKE,
    "recording": samples.RECORDING,
    "vllm bench": json.dumps(samples.VLLM, indent=1),
    "guidellm": json.dumps(samples.GUIDELLM, indent=1),
    "aiperf": samples.AIPERF,
    "workload": samples.WORKLOAD,
    "trace": samples.TRACE,
}


@pytest.mark.parametrize(("name", "text"), FILES.items(), ids=FILES)
def test_every_format_is_opened(name: str, text: str) -> None:
    desk = Desk()
    beside = samples.RECORDING_META if name == "recording" else None
    told = desk.opened(text.splitlines(keepends=True), name, most=10_000, beside=beside)
    assert "problem" not in told, told
    if told["holds_trace"]:
        trace = Trace.from_jsonl(desk.opened_trace())
        assert desk.opened_metrics() == report(trace) | {"num_requests": len(trace.requests())}
    else:
        assert desk.opened_trace() == ""
    if told["can_replay"]:
        big = {"num_blocks": 200_001, "max_model_len": 3_000_000, "max_num_batched_tokens": 100_000}
        assert desk.metrics({"settings": {**big, "block_size": 16}})["num_requests"] == told["requests"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "x.csv: is empty"),
        ("a,b\n1,2\n", "x.csv: columns: got a, b; expected those of one of these formats"),
        ("TIMESTAMP,ContextTokens,GeneratedTokens\n2023-11-16 18:15:46,-3,4\n", "x.csv:2: ContextTokens: got '-3'"),
        ('{"format": "inside-the-batch.trace", "schema": 99}\n', "x.csv:1: schema"),
    ],
)
def test_a_file_that_cant_be_read_says_where_and_leaves_the_desk_as_it_was(text: str, words: str) -> None:
    desk = Desk()
    desk.opened(LINES, "mine", most=1000)
    assert desk.opened(text.splitlines(keepends=True), "x.csv", most=1000)["problem"].startswith(words)
    assert desk.metrics({"settings": SETTINGS})["num_requests"] == 40


def test_files_are_read_plain_and_gzipped_and_tell_how_far_they_are(tmp_path: Path) -> None:
    path = tmp_path / "given"
    told: list[float] = []
    text = "".join([*LINES[:1], *(LINES[1].replace('"r0"', f'"r{n}"') for n in range(60_000))])
    for data in (text.encode(), gzip.compress(text.encode())):
        path.write_bytes(data)
        desk = Desk()
        found = desk.open_file(str(path), "mine.jsonl", most=50_000, tell=told.append)
        assert (found["requests"], found["more"]) == (50_000, True)
    assert len(told) == 4
    assert all(0 < share <= 1 for share in told)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"TIMESTAMP,ContextTokens\xff\n", "x: byte "),
        (gzip.compress(AZURE)[:-12], "x: can't be unpacked: "),
        (b"\x1f\x8bnothing at all", "x: can't be unpacked: "),
        (b"", "x: is empty"),
    ],
)
def test_bytes_that_are_no_text_are_a_problem(tmp_path: Path, data: bytes, words: str) -> None:
    path = tmp_path / "given"
    path.write_bytes(data)
    assert Desk().open_file(str(path), "x", most=10)["problem"].startswith(words)


def test_a_trace_in_steps_is_shown_and_not_replayed() -> None:
    steps = '{"format":"inside-the-batch.trace","schema":1,"name":"s","source":"simulated"}\n' + (
        '{"event":"arrived","at":0,"id":"a","num_prompt_tokens":3,"max_tokens":2}\n'
    )
    told = Desk().opened(steps.splitlines(keepends=True), "s.trace.jsonl", most=10)
    assert (told["holds_trace"], told["can_replay"], told["requests"]) == (True, False, 1)


def test_metrics_of_no_trace_are_refused() -> None:
    with pytest.raises(ValueError, match=r"^no trace is open"):
        Desk().opened_metrics()


def test_a_server_is_described_with_what_cant_be() -> None:
    text = (
        "vllm serve m --num-gpu-blocks-override {} --max-model-len 4096 --max-num-seqs 8 --max-num-batched-tokens 512"
    )
    assert described(text.format(10))["problem"].startswith("num_blocks is 10, which lends 9 blocks")
    assert described(text.format(1000))["problem"] is None
    assert described("vllm serve m")["problem"] is None
    with pytest.raises(ReadError):
        described("ls")


def command(*arguments: str) -> subprocess.CompletedProcess[str]:
    words = [sys.executable, "-m", "engine", "simulate", "--json", *arguments]
    return subprocess.run(words, capture_output=True, text=True, check=False)


def test_the_command_sets_any_setting_also_a_scenarios(tmp_path: Path) -> None:
    file = tmp_path / "s.json"
    file.write_text(json.dumps(VALUES), encoding="utf-8")
    told = command("--scenario", str(file), "--set", "num_blocks=301", "--set", "policy=fair", "--set", "watermark=0.1")
    values = {**VALUES, "settings": {**SETTINGS, "num_blocks": 301, "policy": "fair", "watermark": 0.1}}
    assert json.loads(told.stdout)["ttft"] == Desk().metrics(values)["ttft"]
    plain = command(
        "--num-requests", "20", "--set", "enable_chunked_prefill=false", "--set", "max_num_batched_tokens=20000"
    )
    assert json.loads(plain.stdout)["requests"]["arrived"] == 20


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ("num_blocks", "--set num_blocks: got no value, expected NAME=VALUE"),
        ("max_seqs=3", "max_seqs is no setting; did you mean"),
    ],
)
def test_a_setting_that_isnt_one_is_refused(given: str, words: str) -> None:
    told = command("--num-requests", "2", "--set", given)
    assert (told.returncode, told.stderr[: len(words)]) == (2, words)
