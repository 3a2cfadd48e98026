"""A file of another kind than a command wants is told as what it is, with the command that is for it."""

import json
import re
import shlex
from pathlib import Path

import pytest

import samples
from engine.cli import main
from engine.cli.kinds import READABLE, known
from engine.naive import continuous_batch
from engine.readers import FORMATS

REPLAY = {"name": "r", "requests": [{"id": "a", "prompt_token_ids": [1, 2, 3], "max_tokens": 1}]}
SCENARIO = {"settings": {"num_blocks": 64, "max_model_len": 512}, "traffic": {"num_requests": 2}}


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """One file of each kind in a folder of its own."""
    texts = {
        "arrivals/azure.csv": samples.AZURE,
        "trace/t.trace.jsonl": continuous_batch({"a": 3}, 1).to_jsonl(),
        "result/bench.json": json.dumps(samples.VLLM),
        "runs/run-1/requests.jsonl": samples.RECORDING,
        "replay/r.json": json.dumps(REPLAY),
        "scenario/s.json": json.dumps(SCENARIO),
        "server/start.sh": "#!/bin/sh\nexec vllm serve m --max-num-seqs 8\n",
        "other/words.txt": "nothing that anybody knows\n",
    }
    for name, text in texts.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True)
        path.write_text(text)
    assert main(["replay", str(tmp_path / "replay/r.json"), "--out", str(tmp_path / "outcome/o.json")]) == 0
    return tmp_path


FOR = {
    "arrivals/azure.csv": "simulate --workload",
    "trace/t.trace.jsonl": "report",
    "result/bench.json": "report",
    "runs/run-1": "fit",
    "replay/r.json": "replay",
    "outcome/o.json": "diff",
    "scenario/s.json": "simulate --scenario",
    "server/start.sh": "read-server",
}
"""The command for each file."""

COMMANDS = {
    "simulate --workload": ["simulate", "--workload", "FILE"],
    "simulate --scenario": ["simulate", "--scenario", "FILE"],
    "simulate --settings": ["simulate", "--settings", "FILE"],
    "simulate --cost": ["simulate", "--cost", "FILE"],
    "report": ["report", "FILE"],
    "hitrate": ["hitrate", "FILE", "--num-blocks", "9"],
    "fit": ["fit", "FILE", "--num-blocks", "99", "--train", "0.5"],
    "predict": ["predict", "FILE"],
    "replay": ["replay", "FILE", "--out", "OUT"],
    "diff": ["diff", "FILE", "FILE"],
    "convert": ["convert", "FILE", "--to", "trace", "--out", "OUT"],
    "read-server": ["read-server", "FILE"],
}

WITH_RESULTS = {"trace", "result", "runs"}
TAKEN = {
    **dict.fromkeys(("report", "predict", "convert"), WITH_RESULTS),
    **dict.fromkeys(("simulate --workload", "hitrate"), WITH_RESULTS | {"arrivals"}),
    "simulate --settings": set(),
    "simulate --cost": set(),
    "simulate --scenario": {"scenario"},
    "fit": {"runs"},
    "replay": {"replay"},
    "diff": {"outcome"},
    "read-server": {"server"},
}
"""What each command takes; its work, or its own words about a fault, is another test's matter."""


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("file", FOR)
def test_every_command_tells_what_a_file_of_another_kind_is_for(
    file: str, command: str, files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It does its work, or it names the command that would: nothing else."""
    path = files / file
    given = [{"FILE": str(path), "OUT": str(files / "out")}.get(word, word) for word in COMMANDS[command]]
    capsys.readouterr()
    status, err = main(given), capsys.readouterr().err
    if file.partition("/")[0] in TAKEN[command]:
        assert "`python -m engine" not in err
    else:
        assert status == 2
        assert err.startswith(f"{path}: is a"), err
        assert f"`python -m engine {FOR[file]} {path}" in err
        assert err.count("\n") == 2


def test_a_folder_is_told_by_what_is_in_it(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    assert main(["report", str(files / "trace")]) == 2
    assert capsys.readouterr().err == (
        f"{files}/trace: is a folder with t.trace.jsonl in it, a trace file of the course; expected what a server did: "
        "a trace, a recording or a result of a benchmark\n"
        f"`python -m engine report {files}/trace/t.trace.jsonl` tells it in numbers\n"
    )
    assert main(["fit", str(files / "runs"), "--num-blocks", "9"]) == 2
    assert f"`python -m engine fit {files}/runs/run-1 --num-blocks N` fits" in capsys.readouterr().err
    assert main(["fit", str(files / "runs/run-1/requests.jsonl"), "--num-blocks", "9"]) == 2
    assert f"give the folder that it is in: {files}/runs/run-1\n" in capsys.readouterr().err
    assert main(["report", str(files / "other")]) == 2
    assert capsys.readouterr().err == (
        f"{files}/other: is a folder without requests.jsonl; expected a file, or a recording's folder\n"
    )


def test_the_command_that_is_told_can_be_pasted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "it's a trace.csv"
    path.write_text(samples.AZURE)
    assert main(["report", str(path)]) == 2
    [command] = re.findall("`(.*)`", capsys.readouterr().err)
    assert shlex.split(command)[-1] == str(path)


def test_a_file_of_the_right_kind_with_a_fault_is_told_by_its_fault(
    files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = files / "replay/r.json"
    path.write_text(json.dumps(REPLAY | {"requests": [{"id": "a"}]}))
    capsys.readouterr()
    assert main(["replay", str(path), "--out", str(files / "out")]) == 2
    assert capsys.readouterr().err.startswith(f"{path}: requests[0].prompt_token_ids: got nothing")


def test_what_nobody_knows_and_what_can_not_be_read_twice_is_left_to_the_reader(files: Path) -> None:
    assert known(files / "other/words.txt") is None
    assert known(files / "none") is None
    assert known(Path("/dev/stdin")) is None
    assert READABLE.kinds == {one.name for one in FORMATS}
