"""The engine decides what vLLM 0.32.0 decides, in every step and key, with every Python at hand."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from engine.outcome import digest, dumps
from engine.replay import replay_trace
from parity_records import records

ROOT = Path(__file__).parents[2]

DIGEST = "132f7cd517dd26103087a580e744b96c9c733ca0a7969eb2694747d26423add3"
"""Over all replays. A runtime that gives another one (Pyodide, say) decides differently."""


def test_there_are_fifty_records() -> None:
    assert len(records()) == 50


@pytest.mark.parametrize("name", records())
def test_a_replay_equals_the_record(name: str) -> None:
    record = records()[name]
    expected = {**record["outcome"], "engine": "inside-the-batch"}
    assert dumps(replay_trace(record["trace"])) == dumps(expected)


def test_the_digest_stands() -> None:
    assert digest(replay_trace(record["trace"]) for record in records().values()) == DIGEST


def test_the_correct_engine_differs_only_where_a_chunk_is_taken_back() -> None:
    traces = {name: record["trace"] for name, record in records().items()}
    differ = {name for name, trace in traces.items() if replay_trace(trace, correct=True) != replay_trace(trace)}
    assert differ == {"48_priority_refund", "49_priority_refund_stale_hash"}


def interpreters() -> dict[str, str]:
    """Every Python from 3.11 on that can be found here, by version."""
    versions = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    found = [shutil.which(f"python3.{minor}") for minor in range(11, 20)]
    found += [str(path) for path in sorted(versions.glob("3.1[1-9]*/bin/python3"))]
    by_version: dict[str, str] = {}
    for path in filter(None, found):
        asked = subprocess.run(
            [path, "-c", "import sys; print('%d.%d' % sys.version_info[:2])"], capture_output=True, text=True
        )
        if asked.returncode == 0:
            by_version.setdefault(asked.stdout.strip(), path)
    return by_version


@pytest.mark.parametrize(("version", "python"), interpreters().items())
def test_every_python_writes_the_same_bytes(version: str, python: str, tmp_path: Path) -> None:
    traces, outcomes = tmp_path / "traces", tmp_path / "outcomes"
    traces.mkdir()
    for name, record in records().items():
        (traces / f"{name}.json").write_text(json.dumps(record["trace"]), encoding="utf-8")
    subprocess.run(
        [python, "-S", "-m", "engine", "replay", str(traces), "--out", str(outcomes)],
        cwd=ROOT,
        check=True,
        capture_output=True,
    )
    for name, record in records().items():
        written = (outcomes / f"{name}.json").read_bytes()
        assert written == dumps(replay_trace(record["trace"])).encode("ascii"), (version, name)
