"""A file that comes through a pipe or on standard input, and one that goes to standard output."""

import gzip
import json
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import samples
from command_line import REPLAY, ROOT, SHARED, engine, put, run
from engine.naive import continuous_batch
from engine.readers import read

TRACE = continuous_batch({"a": 3}, 1).to_jsonl()
SCENARIO = json.dumps({"settings": {"num_blocks": 64, "max_model_len": 512}, "traffic": {"num_requests": 2}})
SMALL = ("--num-requests", 2)
ALL = {
    ("hitrate", "-", "--num-blocks", 9): SHARED,
    ("report", "-"): TRACE,
    ("convert", "-", "--to", "perfetto", "--out", "OUT"): TRACE,
    ("simulate", "--workload", "-"): SHARED,
    ("simulate", "--lengths", "-", *SMALL): samples.AZURE,
    ("simulate", "--scenario", "-"): SCENARIO,
    ("simulate", "--settings", "-", *SMALL): '{"num_blocks": 99, "max_model_len": 999}',
    ("compare", "--cost", "-", *SMALL): '{"step_ps": 9000000000}',
    ("replay", "-", "--out", "OUT"): REPLAY,
    ("read-server", "-"): "vllm serve m --max-num-seqs 8\n",
}
"""Every command that reads a single file, and what it may be given."""


def give(monkeypatch: pytest.MonkeyPatch, data: str | bytes) -> None:
    """Put this on standard input, through a pipe: it has no places, and is read once."""
    reading, writing = os.pipe()
    os.write(writing, data.encode() if isinstance(data, str) else data)
    os.close(writing)
    monkeypatch.setattr("sys.stdin", os.fdopen(reading))


@pytest.mark.parametrize("zipped", [False, True])
def test_a_file_may_come_through_a_pipe(zipped: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """As `<(zcat trace.gz)` gives one."""
    pipe, data = tmp_path / "pipe", SHARED.encode()
    os.mkfifo(pipe)
    with ThreadPoolExecutor() as pool:
        pool.submit(pipe.write_bytes, gzip.compress(data) if zipped else data)
        assert run("hitrate", pipe, "--num-blocks", 9, "--json") == 0
    assert json.loads(capsys.readouterr().out)["hit_rate_blocks"] > 0


@pytest.mark.parametrize("zipped", [False, True])
@pytest.mark.parametrize("command", ALL, ids=lambda command: f"{command[0]} {command[1]}")
def test_every_command_reads_standard_input(
    command: tuple[object, ...], zipped: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = ALL[command].encode()
    give(monkeypatch, gzip.compress(data) if zipped else data)
    assert run(*(tmp_path / "out" if word == "OUT" else word for word in command)) == 0


def test_a_run_on_standard_input_is_fitted_to_and_an_outcome_compared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    give(monkeypatch, TRACE)
    assert run("predict", "-") == 2  # too short for a fit, but read
    assert "a fit needs 12 or more" in capsys.readouterr().err
    path = tmp_path / "o.json"
    assert run("replay", put(tmp_path, "r.json", REPLAY), "--out", path) == 0
    give(monkeypatch, path.read_bytes())
    assert run("diff", path, "-") == 0
    assert f"{path} and - are the same" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "-: is empty; expected a workload or a trace"),
        (SHARED.encode("utf-16"), "-:1: is UTF-16; expected a text in UTF-8"),
        (SHARED.encode() + b"\xff", "-:3: byte 0 is no UTF-8"),
        (gzip.compress(SHARED.encode())[:-9], "-: can't be read: its gzipped content ends too soon"),
        (SHARED.encode() + b"{", "-:3:2: no JSON"),
    ],
)
def test_a_fault_on_standard_input_has_its_place(
    data: bytes, words: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    give(monkeypatch, data)
    assert run("hitrate", "-", "--num-blocks", 9) == 2
    assert capsys.readouterr().err.startswith(words)


def test_where_standard_input_can_not_be_a_file_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A file that is called `-` isn't looked at, either."""
    put(tmp_path, "-", TRACE)
    monkeypatch.chdir(tmp_path)
    give(monkeypatch, "")
    assert run("fit", "-", "--num-blocks", 9) == 2
    assert capsys.readouterr().err.startswith("-: is no folder; expected the folder of a recording")
    monkeypatch.setattr("sys.stdin", None)
    assert run("report", "-") == 2
    assert capsys.readouterr().err == "-: standard input is closed; give a file's name\n"
    for command in (("diff", "-", "-"), ("predict", "-", "a", "-"), ("simulate", "--workload", "-", "--cost", "-")):
        with pytest.raises(SystemExit):
            run(*command)
        assert "- stands 2 times and is standard input, which is read once" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        run("report", "")
    assert "argument FILE: got ''; give a file's name" in capsys.readouterr().err


def test_what_is_written_to_standard_output_is_all_that_stands_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    give(monkeypatch, SHARED)
    assert run("convert", "-", "--out", "-", "--json") == 0
    out, err = capsys.readouterr()
    assert len(read(out.splitlines(keepends=True), "w").workload()) == 2
    assert json.loads(err)["out"] == "-"
    assert run("simulate", *SMALL, "--trace", "-") == 0
    out, err = capsys.readouterr()
    assert len(read(out.splitlines(keepends=True), "t").trace().requests()) == 2
    assert "throughput" in err
    assert run("replay", put(tmp_path, "r.json", REPLAY), "--out", "-") == 0
    out, err = capsys.readouterr()
    assert json.loads(out)["status"] == "done"
    assert err.startswith("-: done, ")
    with pytest.raises(SystemExit):
        run("simulate", *SMALL, "--trace", "-", "--perfetto", "-")
    assert "- stands 2 times and is standard output, which is one" in capsys.readouterr().err


def test_a_reader_of_what_is_written_may_go_away_and_a_disk_be_full() -> None:
    trace = ROOT / "docs" / "recordings" / "roomy.trace.jsonl"
    command = ("convert", trace, "--to", "trace", "--out", "-")
    reading, writing = os.pipe()
    os.close(reading)
    found = engine(*command, stdout=writing)
    os.close(writing)
    assert (found.returncode, found.stderr) == (141, "")
    with open("/dev/full", "w") as full:
        found = engine(*command, stdout=full.fileno())
    assert (found.returncode, found.stderr) == (2, "standard output: No space left on device\n")


def test_a_link_that_is_written_to_stays_one(tmp_path: Path) -> None:
    """/dev/stdout is one, to the file that a shell writes into: `--out /dev/stdout > FILE` put a file in its place."""
    path, link = put(tmp_path, "real.jsonl", ""), tmp_path / "link.jsonl"
    link.symlink_to(path.name)
    assert run("convert", put(tmp_path, "w", SHARED), "--out", link) == 0
    assert link.is_symlink()
    assert path.read_text().startswith('{"format":"inside-the-batch.workload"')
