"""`hitrate` and `convert`: files of all kinds in, tables and JSON out, and what is said about bad ones."""

import argparse
import gzip
import io
import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest

import samples
from engine.cli import main
from engine.cli.options import number, whole
from engine.cli.progress import Progress
from engine.cli.tables import report_tables, seconds, table
from engine.metrics import Limits, report
from engine.naive import continuous_batch
from engine.readers import read
from engine.trace import Header, Trace

ROOT = Path(__file__).parents[2]
SHARED = (
    '{"timestamp": 0, "input_length": 1100, "output_length": 5, "hash_ids": [1, 2, 3]}\n'
    '{"timestamp": 5, "input_length": 1100, "output_length": 5, "hash_ids": [1, 2, 4]}\n'
)


def put(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_bytes(gzip.compress(text.encode()) if name.endswith(".gz") else text.encode())
    return path


def run(*arguments: object) -> int:
    return main([str(argument) for argument in arguments])


@pytest.mark.parametrize("name", ["w.jsonl", "w.jsonl.gz", "w.csv"])
def test_hitrate_prints_both_rates(tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    path = put(tmp_path, name, SHARED)
    assert run("hitrate", path, "--block-size", 512, "--num-blocks", 9, "--json") == 0
    out, err = capsys.readouterr()
    assert json.loads(out) == {"hit_rate_blocks": 2 / 6, "hit_rate_tokens": 1024 / 2200}
    assert err == ""


def test_hitrate_prints_a_table_for_people(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("hitrate", put(tmp_path, "w", SHARED), "--block-size", 512, "--num-blocks", 9) == 0
    assert capsys.readouterr().out == (
        "2 requests\n\n"
        "counted in    all    hit  hit rate\n"
        "----------  -----  -----  --------\n"
        "blocks          6      2    0.3333\n"
        "tokens      2,200  1,024    0.4655\n"
    )


def test_hitrate_says_when_a_file_knows_no_contents(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("hitrate", put(tmp_path, "w", samples.AZURE), "--num-blocks", 9, "--json") == 0
    out, err = capsys.readouterr()
    assert json.loads(out)["hit_rate_blocks"] == 0
    assert "note: the file doesn't say what prompts hold" in err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--num-blocks", "0"), "argument --num-blocks: got '0'; give a whole number of 1 or more, as 5000"),
        (("--num-blocks", "many"), "argument --num-blocks: got 'many'; give a whole number of 1 or more, as 5000"),
        (("--num-blocks", "9", "--block-size", "-1"), "argument --block-size: got '-1'; give a whole number"),
        ((), "the following arguments are required: --num-blocks"),
        (("--num-blocks", "9", "--blok-size=4"), "--blok-size is no option; did you mean --block-size?"),
        (("--num-blocks", "9", "-q"), "-q is no option"),
        (("--num-blocks", "9", "another", "one"), "got more than it takes: another one"),
    ],
)
def test_a_bad_option_is_named_with_its_range_and_an_example(
    arguments: tuple[str, ...], words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as caught:
        run("hitrate", put(tmp_path, "w", SHARED), *arguments)
    assert caught.value.code == 2
    first, mend = capsys.readouterr().err.splitlines()
    assert first.startswith("python -m engine hitrate: ")
    assert words in first
    assert mend == "`python -m engine hitrate --help` lists what it takes"


def test_bad_files_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cases = {
        tmp_path / "none": "none: can't be read: No such file or directory",
        put(tmp_path, "bad", SHARED.replace("1100", "1030", 1) + "{"): "bad:3:2: no JSON: Expecting property name",
        tmp_path / "bare": "bare: is a folder without requests.jsonl; expected a file, or a recording's folder",
    }
    (tmp_path / "bare").mkdir()
    (tmp_path / "zip.gz").write_bytes(gzip.compress(SHARED.encode())[:-9])
    cases[tmp_path / "zip.gz"] = "zip.gz: can't be read: Compressed file ended before"
    (tmp_path / "not.gz").write_bytes(b"abc")
    cases[tmp_path / "not.gz"] = "not.gz: can't be read: "
    (tmp_path / "latin").write_bytes(SHARED.encode() + b"\xe9")
    cases[tmp_path / "latin"] = "latin:3: byte 0 is no UTF-8; expected a text in UTF-8"
    (tmp_path / "wide").write_bytes(SHARED.encode("utf-16"))
    cases[tmp_path / "wide"] = "wide:1: is UTF-16; expected a text in UTF-8"
    for path, words in cases.items():
        assert run("hitrate", path, "--num-blocks", 9) == 2
        assert words in capsys.readouterr().err


@pytest.fixture
def recording(tmp_path: Path) -> Path:
    folder = tmp_path / "run-1"
    folder.mkdir()
    put(folder, "requests.jsonl", samples.RECORDING)
    put(folder, "meta.json", json.dumps(samples.RECORDING_META))
    return folder


def test_a_recording_becomes_a_trace_and_this_a_timeline(
    recording: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out" / "run.trace.jsonl"
    assert run("convert", recording, "--out", out) == 0
    told = capsys.readouterr()
    assert told.out == f"{out}: trace of 2 requests, from a recording of a vLLM server\n"
    assert told.err.startswith("note: requests count from queued_ts")
    trace = Trace.from_jsonl(out.read_text())
    assert (trace.header.name, trace.header.settings["max_num_seqs"]) == ("run-1", 128)
    assert run("convert", out, "--to", "perfetto", "--out", tmp_path / "run.json", "--json") == 0
    assert json.loads(capsys.readouterr().out) == {
        "format": "trace file of the course",
        "to": "perfetto",
        "out": str(tmp_path / "run.json"),
        "requests": 2,
        "notes": [],
    }
    assert json.loads((tmp_path / "run.json").read_text())["traceEvents"]


def test_arrivals_become_a_workload_and_never_a_trace(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, out = put(tmp_path, "azure.csv", samples.AZURE), tmp_path / "azure.workload.jsonl"
    assert run("convert", path, "--out", out) == 0
    with out.open() as lines:
        found = read(lines, "w").workload()
    assert (found.name, len(found)) == ("azure", 3)
    assert run("convert", path, "--to", "trace", "--out", out) == 2
    assert "azure.csv: is an Azure LLM inference trace; expected what a server did" in capsys.readouterr().err


def test_one_of_several_runs_is_chosen_by_its_number(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    line = json.dumps(samples.VLLM) + "\n"
    path, out = put(tmp_path, "bench.json", line + line), tmp_path / "out.jsonl"
    assert run("convert", path, "--out", out) == 2
    assert "holds 2 runs; say which one, by its number:" in capsys.readouterr().err
    assert run("convert", path, "--out", out, "--part", 1) == 0


def test_a_place_that_can_not_be_written_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = put(tmp_path, "w", samples.AZURE)
    assert run("convert", path, "--out", path / "below") == 2
    assert f"{path / 'below'}: can't be written: " in capsys.readouterr().err


@pytest.mark.parametrize("meta", ["[1]", "{"])
def test_a_spoilt_meta_file_is_named(
    recording: Path, meta: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    put(recording, "meta.json", meta)
    assert run("convert", recording, "--out", tmp_path / "out") == 2
    assert f"{recording / 'meta.json'}: " in capsys.readouterr().err.replace(":1:2:", ":")


def test_ranges_of_options() -> None:
    assert whole(0, 3, 5)("5") == 5
    assert number(0, 6)("0.5") == 0.5
    assert number(0, 0.5, 1, least=True)("0") == 0
    for parse, text, words in (
        (whole(0, 3, 5), "6", "give a whole number from 0 to 5, as 3"),
        (number(0, 6), "0", "give a number above 0, as 6"),
        (number(0, 6), "inf", "give a number above 0, as 6"),
        (number(0, 0.5, 1, least=True), "nan", "give a number from 0 up to 1, as 0.5"),
    ):
        with pytest.raises(argparse.ArgumentTypeError) as caught:
            parse(text)
        assert str(caught.value) == f"got {text!r}; {words}"


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_bar_is_for_terminals_and_goes_away(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr("engine.cli.progress.time.monotonic", lambda: now[0])
    shown, hidden = Terminal(), io.StringIO()
    for stream in (shown, hidden):
        now[0] = 0.0
        with Progress("reading", 200, stream) as progress:
            progress.advance(50)
            now[0] = 1.0
            progress.advance(50)
            progress.advance(50)
    assert shown.getvalue() == "\rreading [###############...............]  50%\r\x1b[K"
    assert hidden.getvalue() == ""


def test_a_bar_shows_nothing_of_what_is_done_at_once_or_has_no_known_end() -> None:
    stream = Terminal()
    for total in (0, 5):
        with Progress("reading", total, stream) as progress:
            progress.advance()
    assert stream.getvalue() == ""


def test_times_read_well() -> None:
    times = (4321.4, 999.7, 1.5, 0.0312, 0.0000078, 0.00000000312, 0.0)
    assert [seconds(time) for time in times] == ["4,321 s", "1,000 s", "1.5 s", "31.2 ms", "7.8 us", "3.12 ns", "0 s"]


def test_columns_line_up() -> None:
    assert table(("", "n"), [("a", "10"), ("bcd", "2")]) == "      n\n---  --\na    10\nbcd   2"


REPORT = """\
f (recorded): 4 arrived, 3 finished, 1 rejected

95 % intervals  n    mean           P50             P90             P95             P99
--------------  -  ------  ------------  --------------  --------------  --------------
ttft            3  583 ms  500 ms (?-?)    1 s (0.25-?)     1 s (0.5-?)     1 s (0.5-?)
tpot            2  125 ms  125 ms (?-?)  125 ms (125-?)  125 ms (125-?)  125 ms (125-?)
itl             4  188 ms  125 ms (?-?)  250 ms (125-?)  250 ms (250-?)  250 ms (250-?)
e2e             3  833 ms     1 s (?-?)     1 s (0.5-?)       1 s (1-?)       1 s (1-?)

duration                  2 s
throughput requests       1.5 /s
throughput output tokens  4.5 /s
goodput requests          2
goodput share             50.0%
goodput rate              1 /s
"""


def test_a_report_as_tables_and_as_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = put(tmp_path, "f", json.dumps(samples.VLLM))
    assert run("report", path, "--ttft", 0.6) == 0
    out, err = capsys.readouterr()
    assert out == REPORT
    assert "note: 1 requests failed" in err
    assert run("report", path, "--ttft", 0.6, "--json") == 0
    with path.open() as lines:
        expected = report(read(lines, "f").trace(), Limits(ttft=600_000_000))
    assert json.loads(capsys.readouterr().out) == expected


def test_a_report_of_steps_and_of_nothing() -> None:
    trace = continuous_batch({"a": 3, "b": 1}, 1)
    told = report_tables(report(trace))
    assert "e2e             2   3.5  3 (?-?)" in told
    assert "duration                  4 steps\nthroughput requests       0.5 /step\n" in told
    nobody = Trace(Header("nobody", "live", "ns"), ())
    assert report_tables(report(nobody)).startswith("nobody (live): no request\n\nduration")


def test_where_one_requests_time_went(recording: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("report", recording, "--request", "b-0") == 0
    assert capsys.readouterr().out == (
        "b-0               time   share\n"
        "--------------  ------  ------\n"
        "queueing        250 ms   10.0%\n"
        "own prefill        0 s    0.0%\n"
        "others prefill     0 s    0.0%\n"
        "recompute          0 s    0.0%\n"
        "decode             2 s   80.0%\n"
        "unexplained     250 ms   10.0%\n"
        "total            2.5 s  100.0%\n"
    )
    assert run("report", recording, "--request", "b-0", "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["id"], found["unit"], found["decode"], found["total"]) == ("b-0", "s", 2.0, 2.5)
    assert run("report", recording, "--request", "x") == 2
    assert "--request: got 'x', expected a request that ended, as b-0" in capsys.readouterr().err


def engine(*arguments: object, stdout: int, **options: Any) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "engine", *map(str, arguments)]
    return subprocess.run(command, cwd=ROOT, stdout=stdout, stderr=subprocess.PIPE, text=True, timeout=60, **options)


def test_a_reader_that_goes_away_or_a_full_disk_ends_in_a_word_and_no_traceback(tmp_path: Path) -> None:
    path = put(tmp_path, "w", SHARED)
    reading, writing = os.pipe()
    os.close(reading)
    found = engine("hitrate", path, "--num-blocks", 9, stdout=writing)
    os.close(writing)
    assert (found.returncode, found.stderr) == (141, "")
    with open("/dev/full", "w") as full:
        found = engine("hitrate", path, "--num-blocks", 9, stdout=full.fileno())
    assert (found.returncode, found.stderr) == (2, "standard output: No space left on device\n")


def test_what_ends_any_command_is_said_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    long = tmp_path / ("n" * 300)
    assert run("replay", put(tmp_path, "t.json", "{}"), "--out", long) == 2
    assert capsys.readouterr().err == f"{long}: File name too long\n"
    for error, status, words in (
        (MemoryError(), 2, "more memory than there is"),
        (KeyboardInterrupt(), 130, "stopped"),
    ):
        monkeypatch.setattr("engine.cli.diff.run", Mock(side_effect=error))
        assert run("diff", "a", "b") == status
        assert words in capsys.readouterr().err


def test_a_pipe_is_written_to_and_stays_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, pipe = put(tmp_path, "azure.csv", samples.AZURE), tmp_path / "pipe"
    os.mkfifo(pipe)
    with ThreadPoolExecutor() as pool:
        got = pool.submit(pipe.read_text)
        assert run("convert", path, "--out", pipe, "--to", "workload") == 0
        assert got.result(10).startswith('{"format":"inside-the-batch.workload"')
    assert pipe.is_fifo()
    assert run("convert", path, "--out", tmp_path, "--to", "workload") == 2
    assert f"{tmp_path}: can't be written: Is a directory" in capsys.readouterr().err


REPLAY = json.dumps({"name": "r", "requests": [{"id": "a", "prompt_token_ids": [1, 2, 3], "max_tokens": 1}]})


@pytest.mark.parametrize("data", [REPLAY.encode("utf-8-sig"), gzip.compress(REPLAY.encode())], ids=["mark", "gzipped"])
def test_json_may_begin_with_a_mark_and_be_gzipped_whatever_its_name(data: bytes, tmp_path: Path) -> None:
    (tmp_path / "t.json").write_bytes(data)
    assert run("replay", tmp_path / "t.json", "--out", tmp_path / "out.json") == 0


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "is empty; expected JSON"),
        (b" \n", "is empty; expected JSON"),
        (REPLAY.encode("utf-16"), "is UTF-16; expected JSON in UTF-8"),
        (REPLAY.encode() + b"\xff", f"byte {len(REPLAY)} is no UTF-8; expected JSON in UTF-8"),
    ],
)
def test_json_that_is_none_is_told_as_what_it_is(
    data: bytes, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "t.json").write_bytes(data)
    assert run("replay", tmp_path / "t.json", "--out", tmp_path / "out.json") == 2
    assert capsys.readouterr().err == f"{tmp_path / 't.json'}: {words}\n"


@pytest.mark.parametrize("zipped", [False, True])
def test_a_file_may_come_through_a_pipe(zipped: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """As `<(zcat trace.gz)` gives one: it has no places, and is read once."""
    pipe, data = tmp_path / "pipe", SHARED.encode()
    os.mkfifo(pipe)
    with ThreadPoolExecutor() as pool:
        pool.submit(pipe.write_bytes, gzip.compress(data) if zipped else data)
        assert run("hitrate", pipe, "--num-blocks", 9, "--json") == 0
    assert json.loads(capsys.readouterr().out)["hit_rate_blocks"] > 0


def test_output_that_a_shell_has_closed_is_nobodys_fault(tmp_path: Path) -> None:
    command = f"'{sys.executable}' -m engine hitrate '{put(tmp_path, 'w', SHARED)}' --num-blocks 9 >&-"
    found = subprocess.run(command, shell=True, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (found.returncode, found.stderr) == (0, "")


def test_a_page_for_tables_is_looked_at_before_any_work(recording: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`--write /dev/full` was read for ever, and a missing page was noticed after the fit."""
    for command in (("fit", recording, "--num-blocks", 9), ("predict", recording)):
        for page in ("/dev/full", recording / "none.md"):
            assert run(*command, "--write", page) == 2
            assert capsys.readouterr().err.startswith(f"{page}: is no file; expected a page")


def test_a_key_that_stands_twice_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = put(tmp_path, "t.json", '{"name": "a", "config": {"block_size": 4, "block_size": 8}, "requests": []}')
    assert run("replay", path, "--out", tmp_path / "out.json") == 2
    assert capsys.readouterr().err == f"{path}: no JSON: the key 'block_size' stands twice in one object; keep one\n"
