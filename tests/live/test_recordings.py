"""The recordings that the course ships: made by a real vLLM, and the engine decides every step of them alike."""

import json
from pathlib import Path

import pytest

from engine.live.agreement import Agreement, agreement
from engine.trace import Row, Step, Trace

FOLDER = Path(__file__).parents[2] / "docs" / "recordings"
FILES = sorted(FOLDER.glob("*.trace.jsonl"))
FRESH = {f"{name}.trace.jsonl" for name in ("asynchronous", "priorities", "roomy", "short-of-memory")}
"""Those of servers that had done nothing before: their blocks have the engine's own ids."""


def read(file: Path) -> Trace:
    """A recording."""
    return Trace.from_jsonl(file.read_text("utf-8"), file.name)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_every_step_of_a_recording_is_the_engines(file: Path) -> None:
    trace = read(file)
    told = agreement(trace)
    assert told == Agreement(len(trace.steps()), len(trace.steps()), is_renamed=file.name not in FRESH)
    assert len(trace.steps()) > 100
    assert trace.header.source == "recorded"
    assert "vLLM 0.32.0 on two cores" in trace.header.about
    assert file.stat().st_size < 100_000


def test_the_list_names_every_recording() -> None:
    listed = json.loads((FOLDER / "index.json").read_text("utf-8"))["recordings"]
    assert sorted(one["file"] for one in listed) == [file.name for file in FILES]
    assert all(one["name"] and "0.32.0" in one["about"] for one in listed)
    assert {file.name for file in FILES} >= FRESH


def test_the_recordings_show_what_they_say() -> None:
    found = {file.name.partition(".")[0]: read(file) for file in FILES if file.name in FRESH}
    preempted = {name: sum(len(step.preempted) for step in trace.steps()) for name, trace in found.items()}
    assert not preempted["roomy"]
    assert min(preempted[name] for name in ("short-of-memory", "asynchronous", "priorities")) > 0
    assert any(step.planned is not None for step in found["asynchronous"].steps())
    assert all(step.planned is None for step in found["short-of-memory"].steps())
    assert any(row.hit_blocks for step in found["roomy"].steps() for row in step.rows)
    assert found["priorities"].header.settings["policy"] == "priority"


def changed(trace: Trace, index: int, step: Step) -> Trace:
    """The trace with its `index`-th step replaced."""
    old = trace.steps()[index]
    return Trace(trace.header, tuple(step if record is old else record for record in trace.records))


def test_a_step_that_was_decided_otherwise_is_found() -> None:
    trace = read(FOLDER / "short-of-memory.trace.jsonl")
    step = trace.steps()[40]
    first, *others = step.rows
    more = first._replace(num_scheduled_tokens=first.num_scheduled_tokens + 1)
    told = agreement(changed(trace, 40, step._replace(rows=(more, *others))))
    assert (told.num_equal, told.is_complete) == (40, False)
    assert told.difference.startswith("step 40, rows: the engine decides Row(")
    told = agreement(changed(trace, 40, step._replace(rows=(*step.rows, Row("r0", 1, 0)))))
    assert "beyond the others" in told.difference
    assert agreement(changed(trace, 40, step._replace(evicted=(1,)))).difference.startswith("step 40, evicted")
    assert agreement(changed(trace, 40, step._replace(preempted=("r1",)))).difference.startswith("step 40, preempted")


def test_without_the_names_of_blocks_prefix_hits_cant_be_replayed() -> None:
    trace = read(FOLDER / "roomy.trace.jsonl")
    bare = (record._replace(block_names=()) if hasattr(record, "block_names") else record for record in trace.records)
    assert not agreement(Trace(trace.header, tuple(bare))).is_complete


def test_blocks_may_have_other_names_as_long_as_they_keep_them() -> None:
    trace = read(FOLDER / "short-of-memory.trace.jsonl")

    def other(blocks: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(18 - block for block in blocks)

    def renamed(step: Step, *, but: int = -1) -> Step:
        rows = tuple(
            row._replace(new_blocks=other(row.new_blocks), hit_blocks=other(row.hit_blocks)) for row in step.rows
        )
        return step if step.step == but else step._replace(rows=rows, evicted=(*other(step.evicted),))

    steps = trace.steps()
    all_of_them = tuple(renamed(record) if isinstance(record, Step) else record for record in trace.records)
    assert agreement(Trace(trace.header, all_of_them)) == Agreement(len(steps), len(steps), is_renamed=True)
    late = next(step.step for step in steps if step.step > 100 and any(row.new_blocks for row in step.rows))
    but_one = tuple(renamed(record, but=late) if isinstance(record, Step) else record for record in trace.records)
    assert agreement(Trace(trace.header, but_one)).num_equal == late
