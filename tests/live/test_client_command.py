"""The client from a shell: a run into a file, and an exit status that says how it was."""

import threading
from pathlib import Path

import pytest

from engine.live.client import running
from engine.live.client.__main__ import main
from engine.trace import Finished, Trace
from tests.live.bridging import TOKEN, Page, bridge
from tests.live.cutting import wire_to
from tests.live.pretended import answering, serving

TRAFFIC = ["--traffic", "rate=50", "num_requests=5", "prompt_tokens=8", "output_tokens=3"]


def link(page: Page) -> str:
    """What the bridge prints."""
    return f"http://127.0.0.1:{page.port}/live/#live={TOKEN}"


def test_a_run_into_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "a.trace.jsonl"
    with serving() as server, bridge(server.url) as page:
        assert main([link(page), "--out", str(file), "--name", "mine", *TRAFFIC]) == 0
        again = tmp_path / "b.trace.jsonl"
        assert main([link(page), "--out", str(again), "--workload", str(file)]) == 0
    trace = Trace.from_jsonl(file.read_text(encoding="utf-8"), file.name)
    assert trace.header.name == "mine"
    assert [one.num_output_tokens for one in trace.of(Finished)] == [3] * 5
    repeated = Trace.from_jsonl(again.read_text(encoding="utf-8"), again.name)
    assert [one.num_output_tokens for one in repeated.of(Finished)] == [3] * 5
    assert "a.trace.jsonl: " in capsys.readouterr().err


def test_a_run_that_broke_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "PAUSES", (0.05,))
    file = tmp_path / "a.trace.jsonl"
    with serving(answering(0.05)) as server, bridge(server.url) as page, wire_to(page.port) as wire:

        def down() -> None:
            wire.is_down = True
            wire.cut()

        threading.Timer(0.6, down).start()
        given = [f"http://127.0.0.1:{wire.port}/#live={TOKEN}", "--out", str(file)]
        assert main([*given, "--traffic", "rate=50", "num_requests=3", "output_tokens=60"]) == 1
    assert "Incomplete: the bridge was lost" in Trace.from_jsonl(file.read_text(encoding="utf-8")).header.about


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (["http://127.0.0.1:9/#live=x", *TRAFFIC], "no bridge answered"),
        (["http://127.0.0.1:9/", *TRAFFIC], "address and token are needed"),
        (["http://127.0.0.1:9/#live=x", "--traffic", "speed=3"], "speed is nothing that traffic has"),
        (["http://127.0.0.1:9/#live=x", "--workload", "nowhere.csv"], "nowhere.csv: can't be read"),
    ],
    ids=["nobody", "no token", "traffic", "file"],
)
def test_what_cannot_be_run(given: list[str], words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*given, "--out", str(tmp_path / "x.trace.jsonl")]) == 2
    assert words in capsys.readouterr().err
    assert not (tmp_path / "x.trace.jsonl").exists()


def test_a_place_that_cant_be_written_is_told_before_the_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with serving() as server, bridge(server.url) as page:
        assert main([link(page), "--out", str(tmp_path), *TRAFFIC]) == 2
        assert f"{tmp_path}: can't be written" in capsys.readouterr().err
        assert page.ask("GET", "/api/backend")[1]["run"] is None
    assert list(tmp_path.iterdir()) == []
