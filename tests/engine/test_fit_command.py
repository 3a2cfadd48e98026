"""`python -m engine fit`: what it prints for programs and for people, and what it says about bad values."""

import json
from pathlib import Path

import pytest

from engine.calibrate.page import BEGIN, END
from engine.cli import main
from recordings import calls, recorded, server, write


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A short recording, on disk, whose settings say all."""
    recording = recorded(server(), requests=calls(45))
    known = {"async_scheduling": True, "enable_prefix_caching": True}
    found: Path = write(recording, tmp_path_factory.mktemp("recordings") / "run", **known)
    return found


def run(*arguments: object) -> int:
    return main(["fit", *map(str, arguments)])


def test_a_program_gets_every_statistic_and_the_same_bytes_each_time(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(folder, "--num-blocks", 900, "--train", 0.333, "--json") == 0
    out, err = capsys.readouterr()
    found = json.loads(out)
    assert list(found) == ["ttft", "tpot", "e2e"]
    for statistics in found.values():
        assert list(statistics) == ["mean", "p50", "p90", "p99"]
        for one in statistics.values():
            assert one["error"] == pytest.approx(one["predicted"] / one["measured"] - 1)
            assert one["low"] <= one["predicted"] <= one["high"]
    assert not err
    assert run(folder, "--num-blocks", 900, "--train", 0.333, "--json") == 0
    assert capsys.readouterr().out == out


def test_people_get_a_table_and_what_is_known_of_it(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(folder, "--num-blocks", 900) == 0
    out, err = capsys.readouterr()
    assert out.startswith("run, requests 16 on")
    assert len(out.splitlines()) == 14
    assert "fitted: run: kv_token" in err
    assert "a lone request takes" in err
    assert "in the whole run, as simulated" in err


def test_several_recordings_go_into_a_page_with_the_date(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = write(recorded(server(), requests=calls(30, seed=5)), tmp_path / "other", async_scheduling=True)
    page = tmp_path / "page.md"
    page.write_text(f"# Title\n\n{BEGIN}\n{END}\n")
    arguments = ("--num-blocks", 5_000, "--write", page, "--json")
    assert run(folder, other, *arguments) == 0
    assert list(json.loads(capsys.readouterr().out)) == ["run", "other"]
    text = page.read_text()
    assert text.startswith(f"# Title\n\n{BEGIN}\n\nMeasured on 20")
    assert "### run" in text
    assert "### other" in text
    page.write_text("# Title\n")
    assert run(folder, *arguments) == 2
    assert "lacks the marks" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--num-blocks", "1"], "--num-blocks: got '1'; give a whole number of 2 or more, as 2588"),
        (["--num-blocks", "9", "--train", "1.5"], "--train: got '1.5'; give a share above 0 and below 1, as 0.333"),
        (["--num-blocks", "9", "--train", "0"], "--train: got '0'; give a number above 0, as 0.333"),
        (
            ["--num-blocks", "9", "--experts", "8/128"],
            "--experts: got '8/128'; give experts/experts of a token, as 128/8",
        ),
    ],
)
def test_a_bad_option_names_itself_its_value_its_range_and_an_example(
    options: list[str], said: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        run(folder, *options)
    assert said in capsys.readouterr().err


def test_what_the_recording_refuses_is_said_with_its_folder(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(folder, "--num-blocks", 20) == 2
    assert "num_blocks 20: the longest request takes" in capsys.readouterr().err
    assert run(folder, "--num-blocks", 900, "--train", 0.001) == 2
    assert "give a share that leaves some on both sides" in capsys.readouterr().err
    assert run(folder, "--num-blocks", 900, "--max-num-seqs", 4_000) == 2
    assert "max_num_seqs" in capsys.readouterr().err
    assert run(folder / "requests.jsonl", "--num-blocks", 900) == 2
    assert f"is a recording's file; give the folder that it is in: {folder}" in capsys.readouterr().err
    assert run(folder.parent, "--num-blocks", 900) == 2
    assert f"is a folder with {folder.name} in it, a recording of a vLLM server" in capsys.readouterr().err
