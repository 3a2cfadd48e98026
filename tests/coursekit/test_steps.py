"""A step runs when its inputs or its output changed, and not otherwise."""

from __future__ import annotations

from pathlib import Path

import pytest

from coursekit.failures import BuildFailed
from coursekit.steps import Step, perform
from coursekit.waiting import Watch


class Kitchen:
    """A project with one step, which copies what it reads and counts how often it ran."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.source = root / "source"
        self.source.mkdir()
        (self.source / "a.txt").write_text("one")
        self.output = root / "build" / "out"
        self.runs = 0

    def run(self, watch: Watch) -> None:
        self.runs += 1
        self.output.mkdir(parents=True, exist_ok=True)
        (self.output / "copy.txt").write_text((self.source / "a.txt").read_text())

    def perform(self, extra: str = "") -> str:
        step = Step("copy", (self.source,), self.output, self.run, extra)
        return perform(step, root=self.root, stamps=self.root / "build" / ".stamps", say=lambda line: None)


@pytest.fixture
def kitchen(tmp_path: Path) -> Kitchen:
    return Kitchen(tmp_path)


def test_a_second_time_nothing_runs(kitchen: Kitchen) -> None:
    first = kitchen.perform()
    assert kitchen.perform() == first
    assert kitchen.runs == 1


def test_a_touched_file_is_still_the_same_file(kitchen: Kitchen) -> None:
    kitchen.perform()
    (kitchen.source / "a.txt").write_text("one")
    kitchen.perform()
    assert kitchen.runs == 1


@pytest.mark.parametrize("name", ["a.txt", "new.txt", "below/new.txt"])
def test_changed_and_new_inputs_count(kitchen: Kitchen, name: str) -> None:
    kitchen.perform()
    place = kitchen.source / name
    place.parent.mkdir(exist_ok=True)
    place.write_text("two")
    kitchen.perform()
    assert kitchen.runs == 2


def test_a_renamed_input_counts(kitchen: Kitchen) -> None:
    (kitchen.source / "b.txt").write_text("two")
    kitchen.perform()
    (kitchen.source / "b.txt").rename(kitchen.source / "c.txt")
    kitchen.perform()
    assert kitchen.runs == 2


def test_bytecode_beside_the_sources_does_not_count(kitchen: Kitchen) -> None:
    kitchen.perform()
    (kitchen.source / "__pycache__").mkdir()
    (kitchen.source / "__pycache__" / "a.cpython-311.pyc").write_bytes(b"x")
    kitchen.perform()
    assert kitchen.runs == 1


def test_what_else_decides_the_result_counts(kitchen: Kitchen) -> None:
    kitchen.perform("1.0")
    kitchen.perform("1.1")
    assert kitchen.runs == 2


@pytest.mark.parametrize("harm", ["removed", "edited"])
def test_an_output_that_was_touched_is_made_again(kitchen: Kitchen, harm: str) -> None:
    kitchen.perform()
    copy = kitchen.output / "copy.txt"
    copy.unlink() if harm == "removed" else copy.write_text("spoilt")
    kitchen.perform()
    assert copy.read_text() == "one"


def test_a_step_that_failed_runs_again(kitchen: Kitchen) -> None:
    kitchen.perform()
    (kitchen.source / "a.txt").unlink()
    with pytest.raises(FileNotFoundError):
        kitchen.perform()
    (kitchen.source / "a.txt").write_text("one")
    kitchen.perform()
    assert kitchen.runs == 3, "the old stamp must not vouch for an output that a failed run may have spoilt"


def test_a_damaged_stamp_is_no_stamp(kitchen: Kitchen) -> None:
    kitchen.perform()
    (kitchen.root / "build" / ".stamps" / "copy.json").write_text("{")
    kitchen.perform()
    assert kitchen.runs == 2


def test_a_step_that_leaves_nothing_is_refused(tmp_path: Path) -> None:
    step = Step("idle", (), tmp_path / "nowhere", lambda watch: None)
    with pytest.raises(BuildFailed, match=r"'idle' ran and left nothing at .*nowhere"):
        perform(step, root=tmp_path, stamps=tmp_path, say=lambda line: None)
