"""What is said about options, files and places that can't be used, and about a command that can't end its work."""

import argparse
import bz2
import gzip
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from unittest.mock import Mock

import pytest

import samples
from command_line import REPLAY, ROOT, SHARED, engine, put, put_recording, run
from engine.cli.options import number, whole


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


def test_bad_files_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cases = {
        tmp_path / "none": "none: can't be read: No such file or directory",
        put(tmp_path, "bad", SHARED.replace("1100", "1030", 1) + "{"): "bad:3:2: no JSON: Expecting property name",
        tmp_path / "bare": "bare: is a folder without requests.jsonl; expected a file, or a recording's folder",
    }
    (tmp_path / "bare").mkdir()
    (tmp_path / "zip.gz").write_bytes(gzip.compress(SHARED.encode())[:-9])
    cases[tmp_path / "zip.gz"] = "zip.gz: can't be read: its gzipped content ends too soon; get the whole file"
    (tmp_path / "more.gz").write_bytes(gzip.compress(SHARED.encode()) + b"more")
    cases[tmp_path / "more.gz"] = "more.gz: can't be read: its gzipped content is damaged; get the file again"
    (tmp_path / "a.zip").write_bytes(b"PK\x03\x04\n\x00\x00\x00")
    cases[tmp_path / "a.zip"] = "a.zip: is a zip archive; unpack it first, or give it gzipped"
    cases[put(tmp_path, "mac.csv", samples.AZURE.replace("\n", "\r"))] = (
        "mac.csv:1: ends of lines: got '\\r', expected "
    )
    (tmp_path / "wide16").write_bytes(SHARED.encode("utf-16-be"))
    cases[tmp_path / "wide16"] = "wide16:1: is UTF-16; expected a text in UTF-8"
    (tmp_path / "latin").write_bytes(SHARED.encode() + b"\xe9")
    cases[tmp_path / "latin"] = "latin:3: byte 0 is no UTF-8; expected a text in UTF-8"
    (tmp_path / "wide").write_bytes(SHARED.encode("utf-16"))
    cases[tmp_path / "wide"] = "wide:1: is UTF-16; expected a text in UTF-8"
    for path, words in cases.items():
        assert run("hitrate", path, "--num-blocks", 9) == 2
        assert words in capsys.readouterr().err


@pytest.fixture
def recording(tmp_path: Path) -> Path:
    return put_recording(tmp_path / "run-1")


def test_a_place_that_can_not_be_written_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = put(tmp_path, "w", samples.AZURE)
    assert run("convert", path, "--out", path / "below") == 2
    assert f"{path / 'below'}: can't be written: {path} is a file and no folder\n" in capsys.readouterr().err


@pytest.mark.parametrize("meta", ["[1]", "{"])
def test_a_spoilt_meta_file_is_named(
    recording: Path, meta: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    put(recording, "meta.json", meta)
    assert run("convert", recording, "--out", tmp_path / "out") == 2
    assert f"{recording / 'meta.json'}: " in capsys.readouterr().err.replace(":1:2:", ":")


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
        for place in ("engine.cli.diff.run", "engine.cli.import_module"):
            with monkeypatch.context() as patched:
                patched.setattr(place, Mock(side_effect=error))
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


@pytest.mark.parametrize("data", [REPLAY.encode("utf-8-sig"), gzip.compress(REPLAY.encode())], ids=["mark", "gzipped"])
def test_json_may_begin_with_a_mark_and_be_gzipped_whatever_its_name(data: bytes, tmp_path: Path) -> None:
    (tmp_path / "t.json").write_bytes(data)
    assert run("replay", tmp_path / "t.json", "--out", tmp_path / "out.json") == 0


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "is empty; expected JSON"),
        (b" \n", "is empty; expected JSON"),
        (b"\xef\xbb\xbf", "is empty; expected JSON"),
        (bz2.compress(REPLAY.encode()), "is compressed by bzip2; unpack it first, or give it gzipped"),
        (REPLAY.encode("utf-16"), "is UTF-16; expected JSON in UTF-8"),
        (REPLAY.encode("utf-16-le"), "is UTF-16; expected JSON in UTF-8"),
        (REPLAY.encode() + b"\xff", f"byte {len(REPLAY)} is no UTF-8; expected JSON in UTF-8"),
    ],
)
def test_json_that_is_none_is_told_as_what_it_is(
    data: bytes, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "t.json").write_bytes(data)
    assert run("replay", tmp_path / "t.json", "--out", tmp_path / "out.json") == 2
    assert capsys.readouterr().err == f"{tmp_path / 't.json'}: {words}\n"


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


def test_a_name_that_says_gzipped_says_nothing(tmp_path: Path) -> None:
    """A browser may unpack what it fetches, and keep its name."""
    (tmp_path / "w.jsonl.gz").write_text(SHARED)
    (tmp_path / "r.json.gz").write_text(REPLAY)
    assert run("hitrate", tmp_path / "w.jsonl.gz", "--num-blocks", 9) == 0
    assert run("replay", tmp_path / "r.json.gz", "--out", tmp_path / "out.json") == 0


def test_a_key_that_stands_twice_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = put(tmp_path, "t.json", '{"name": "a", "config": {"block_size": 4, "block_size": 8}, "requests": []}')
    assert run("replay", path, "--out", tmp_path / "out.json") == 2
    assert capsys.readouterr().err == f"{path}: no JSON: the key 'block_size' stands twice in one object; keep one\n"


WORKLOAD = '{"format":"inside-the-batch.workload","schema":1,"name":"w"}\n'


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            '{"timestamp": %s, "input_length": 5, "output_length": 1}' % ("9" * 5000),
            ":1: no JSON: a number has thousands of",
        ),
        (
            '{"timestamp": 1, "input_length": 99999999999, "output_length": 1}',
            "num_prompt_tokens is 99999999999; it takes",
        ),
        (
            WORKLOAD + '{"at":0,"id":"a","num_prompt_tokens":5,"num_output_tokens":1,"beginning":[[1,50]]}',
            "shorten the",
        ),
        (
            WORKLOAD + '{"at":0,"id":"a","num_prompt_tokens":-5,"num_output_tokens":1}',
            "num_prompt_tokens is -5; it takes 1",
        ),
        (WORKLOAD + '{"at":0,"id":"a","num_prompt_tokens":5,"num_output_tokens":-1}', "num_output_tokens"),
        (WORKLOAD, "holds no request; expected at least one"),
    ],
)
def test_numbers_that_can_not_be_end_in_a_line_whoever_reads_them(
    text: str, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Some ended in a traceback, and `hitrate` counted the blocks of a prompt that can't be for hours."""
    path = put(tmp_path, "w.jsonl", text)
    for command in (("simulate", "--workload"), ("simulate", "--num-requests", 2, "--lengths")):
        assert run(*command, path) == 2
        assert words in capsys.readouterr().err
    if "prompt" in words or "digits" in words:
        assert run("hitrate", path, "--num-blocks", 9) == 2
        assert words in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "words"), [("[" * 9**5, "nested too deep"), ("9" * 5000, "a number has thousands of digits")]
)
def test_json_that_python_can_not_hold_is_told_in_words(
    text: str, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = put(tmp_path, "r.json", text)
    assert run("replay", path, "--out", tmp_path / "out") == 2
    assert capsys.readouterr().err == f"{path}: no JSON: {words}\n"


def test_signs_that_can_not_be_printed_are_spelled_out(tmp_path: Path) -> None:
    trace = '{"format":"inside-the-batch.trace","schema":1,"name":"\\ud800","source":"live","unit":"ns"}\n'
    found = engine("report", put(tmp_path, "t.jsonl", trace), stdout=subprocess.PIPE)
    assert (found.returncode, found.stderr) == (0, "")
    assert found.stdout.startswith("\\ud800 (live): no request")
