"""`python -m engine`: files in, files out, exit statuses, and what is said about bad ones."""

import gzip
import json
import re
from pathlib import Path
from typing import Any

import pytest

from engine.cli import COMMANDS, main
from engine.outcome import dumps
from parity_records import records

NAME = "49_priority_refund_stale_hash"


def put(path: Path, value: Any) -> Path:
    """Write `value` as JSON, or a text as it is; gzipped where the name asks for it."""
    text = value if isinstance(value, str) else json.dumps(value)
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(gzip.compress(text.encode()) if path.suffix == ".gz" else text.encode())
    return path


def run(*arguments: object) -> int:
    return main([str(argument) for argument in arguments])


@pytest.fixture
def trace(tmp_path: Path) -> Path:
    return put(tmp_path / "trace.json", records()[NAME]["trace"])


@pytest.fixture
def recorded(tmp_path: Path) -> Path:
    return put(tmp_path / "recorded.json.gz", records()[NAME]["outcome"])


def test_a_replay_writes_the_recorded_outcome(trace: Path, recorded: Path, tmp_path: Path) -> None:
    out = tmp_path / "deep" / "out.json"
    assert run("replay", trace, "--out", out) == 0
    assert out.read_text() == dumps({**records()[NAME]["outcome"], "engine": "inside-the-batch"})
    assert run("diff", recorded, out) == 0


def test_correct_leaves_the_defect_out(
    trace: Path, recorded: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out.json"
    assert run("replay", trace, "--out", out, "--correct") == 0
    assert run("diff", recorded, out) == 1
    assert capsys.readouterr().out.endswith("part: step 2: evicted_block_ids is [8] in A and [] in B\n")


def test_gzipped_outcomes_carry_no_time(trace: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.json.gz"
    assert run("replay", trace, "--out", out) == 0
    assert gzip.decompress(out.read_bytes())
    assert out.read_bytes()[4:8] == bytes(4)


def test_folders_are_replayed_and_compared_by_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("26_stuck", "30_abort"):
        put(tmp_path / "traces" / f"{name}.json", records()[name]["trace"])
        put(tmp_path / "recorded" / f"{name}.json.gz", records()[name]["outcome"])
    assert run("replay", tmp_path / "traces", "--out", tmp_path / "out") == 0
    said = capsys.readouterr().out
    assert "stalled, 6 steps, 0 preemptions, 0 hit tokens; 'big' waits at the head and doesn't fit" in said
    assert run("diff", tmp_path / "recorded", tmp_path / "out") == 0
    assert capsys.readouterr().out.count("are the same") == 2


def test_a_bad_file_in_a_folder_spoils_no_other(
    trace: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    put(tmp_path / "traces" / "a.json", {"name": "a", "requests": [{"id": "x"}]})
    put(tmp_path / "traces" / "b.json", records()[NAME]["trace"])
    assert run("replay", tmp_path / "traces", "--out", tmp_path / "out") == 2
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["b.json"]
    assert "a.json: requests[0].prompt_token_ids: got nothing, expected" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{", "bad.json:1:2: no JSON: Expecting property name"),
        ('{"name": NaN}', "bad.json: no JSON: NaN is no number in JSON"),
        ("[" * 100_000, "bad.json: no JSON: "),
        ('{"name": 1, "requests": []}', "bad.json: name: got 1, expected a text"),
    ],
)
def test_a_bad_trace_is_refused_and_nothing_written(
    text: str, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bad = put(tmp_path / "bad.json", text)
    assert run("replay", bad, "--out", tmp_path / "out.json") == 2
    assert words in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["bad.json"]


def test_bytes_that_are_no_text_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "bad.json").write_bytes(b'"\xff"')
    (tmp_path / "bad.json.gz").write_bytes(b"\x1f\x8bno gzip at all")
    assert run("diff", tmp_path / "bad.json", tmp_path / "bad.json") == 2
    assert "byte 1 is no UTF-8" in capsys.readouterr().err
    assert run("diff", tmp_path / "bad.json.gz", tmp_path / "bad.json") == 2
    assert "bad.json.gz: can't be read: its gzipped content is damaged" in capsys.readouterr().err


def test_what_does_not_go_together_is_refused(
    trace: Path, recorded: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    empty, one, two = tmp_path / "empty", tmp_path / "one", tmp_path / "two"
    empty.mkdir()
    both = put(tmp_path / "both" / "z.json", {}).parent
    put(both / "z.json.gz", {})
    put(one / "x.json", records()[NAME]["outcome"])
    put(two / "y.json", records()[NAME]["outcome"])
    for arguments, words in (
        (("replay", tmp_path / "none.json", "--out", tmp_path / "o.json"), "none.json: can't be read: No such file"),
        (("replay", trace, "--out", empty), "is one file; expected a file's name"),
        (("replay", one, "--out", trace), "is no folder, but"),
        (("replay", empty, "--out", tmp_path / "o"), "holds no .json or .json.gz file"),
        (("replay", trace, "--out", trace / "o.json"), "can't be written: "),
        (("diff", one, recorded), "expected two files or two folders"),
        (("replay", both, "--out", tmp_path / "o"), "both: holds z.json and z.json.gz, which are one name"),
        (("diff", one, two), "x has no partner in the other folder"),
        (("diff", trace, recorded), "trace.json: is a replay's JSON file; expected an outcome of a replay"),
    ):
        assert run(*arguments) == 2
        assert words in capsys.readouterr().err


def test_every_command_explains_itself(capsys: pytest.CaptureFixture[str]) -> None:
    for name in COMMANDS:
        with pytest.raises(SystemExit) as raised:
            run(name, "--help")
        assert raised.value.code == 0
        assert name in capsys.readouterr().out
    with pytest.raises(SystemExit) as raised:
        run("nonsense")
    assert raised.value.code == 2


@pytest.mark.parametrize("command", COMMANDS)
def test_help_says_what_a_value_is_and_not_its_options_name_again(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main([command, "--help"])
    told = re.findall(r"--([a-z-]+) ([A-Z_]+)\b", capsys.readouterr().out)
    assert [name for name, value in told if "-" in name and value == name.upper().replace("-", "_")] == []
