"""What takes a while says so: what it is, that it goes on, how far it is."""

from __future__ import annotations

import os
import re
import sys
import time
from pathlib import Path

import pytest

from coursekit.compress import compressed_copies
from coursekit.steps import Step, perform
from coursekit.testing.aloud import run_aloud
from coursekit.waiting import Watch, waiting


def test_what_takes_a_while_is_told_and_told_again() -> None:
    said: list[str] = []
    with waiting("baking", said.append, first=0.05, often=0.2) as watch:
        while len(said) < 2:
            time.sleep(0.01)
        watch.how_far = lambda: "3 of 9 loaves"
        while not said[-1].endswith("loaves"):
            time.sleep(0.01)
    over = list(said)
    # A busy machine lets more words and seconds pass until it is asked how far it is.
    assert re.fullmatch(r"baking(: goes on after \d+ s)?", said[0])
    assert re.fullmatch(r"baking: goes on after \d+ s", said[1])
    assert all(re.fullmatch(r"baking: goes on after \d+ s(, 3 of 9 loaves)?", words) for words in said[2:])
    time.sleep(0.3)
    assert said == over, "nothing is said once it is over"


def test_what_is_done_at_once_says_nothing() -> None:
    said: list[str] = []
    with waiting("baking", said.append):
        pass
    with pytest.raises(ValueError, match="burnt"), waiting("baking", said.append):
        raise ValueError("burnt")
    assert said == []


def test_a_step_says_what_it_does_and_how_far_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("coursekit.steps.OFTEN", 0.02)
    said: list[str] = []

    def bake(watch: Watch) -> None:
        watch.how_far = lambda: "half done"
        while len(said) < 2:
            time.sleep(0.01)
        (tmp_path / "out").write_text("bread")

    step = Step("bread", (), tmp_path / "out", bake, what="baking bread")
    perform(step, root=tmp_path, stamps=tmp_path / "stamps", say=said.append)
    assert said[:2] == ["bread: baking bread", "bread: half done"]
    assert said[-1].startswith("bread: done in ")


def test_compressing_tells_how_many_files_are_done(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("a" * 5000)
    watch = Watch()
    compressed_copies([tmp_path / "a.txt"], tmp_path / "cache", watch)
    assert watch.how_far() == "1 of 1 files compressed"


def test_a_quiet_command_is_said_to_go_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code = "import sys, time; print('.', end='', flush=True); time.sleep(2.4); print('done'); sys.exit(3)"
    status = run_aloud("suite", [sys.executable, "-c", code], cwd=tmp_path, environment=os.environ, often=0.4)
    assert status == 3
    lines = [line for line in capsys.readouterr().out.splitlines() if line]
    # A busy machine may have it go on before it says its first word.
    told = [line for line in lines if line.startswith("  suite: goes on after ")]
    assert told
    assert [line for line in lines if line not in told] == [".", "done"]


def test_a_command_that_leaves_a_program_behind_is_over(tmp_path: Path) -> None:
    code = "import subprocess, sys; subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(20)'])"
    start = time.monotonic()
    assert run_aloud("suite", [sys.executable, "-c", code], cwd=tmp_path, environment=os.environ) == 0
    assert time.monotonic() - start < 15
