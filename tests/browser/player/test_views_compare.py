"""Where two traces part is found exactly where one was changed, and said in words."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Literal

import pytest

from engine.calibrate.runs import fit_run, predict_run
from engine.metrics.report import report
from engine.naive import continuous_batch, static_batches
from engine.trace import Row, Step, Trace
from tests.browser.player.views_oracle import tell
from tests.browser.player.views_traces import trace

RECORDINGS = Path(__file__).parents[3] / "docs" / "recordings"
RUNS = ("fit-to-this", "predict-this-too")
JOBS = {"a": 2, "b": 4, "c": 1, "d": 3}


def changed(name: str, step: int, change: Callable[[Step], Step]) -> Trace:
    """The trace with one of its steps changed."""
    whole = trace(name)
    records = [
        change(record) if isinstance(record, Step) and record.step == step else record for record in whole.records
    ]
    return replace(whole, records=tuple(records))


def with_row(step: Step, place: int, change: Callable[[Row], Row]) -> Step:
    rows = [change(row) if at == place else row for at, row in enumerate(step.rows)]
    return step._replace(rows=tuple(rows))


CHANGES: dict[str, tuple[Callable[[Step], Step], str]] = {
    "tokens": (
        lambda step: with_row(step, 0, lambda row: row._replace(num_scheduled_tokens=2)),
        "In step 7 r2 gets 1 token in A and 2 in B.",
    ),
    "computed": (
        lambda step: with_row(step, 1, lambda row: row._replace(num_computed_tokens=3)),
        "In step 7 r3 had 18 tokens computed in A and 3 in B.",
    ),
    "rows": (lambda step: step._replace(rows=step.rows[:1]), "In step 7 only A runs r3."),
    "order": (
        lambda step: step._replace(rows=step.rows[::-1]),
        "In step 7 A and B run the same requests in another order: r2 and r3 in A, r3 and r2 in B.",
    ),
    "evicted": (lambda step: step._replace(evicted=(9,)), "In step 7 A evicts no block, and B block 9."),
    "time": (
        lambda step: step._replace(duration=2),
        "A and B decide the same in every step. In step 7 their times part: it lasts 1 step in A and 2 steps in B.",
    ),
}


@pytest.mark.parametrize("aspect", CHANGES)
def test_one_change_in_one_step(aspect: str, tmp_path: Path) -> None:
    change, words = CHANGES[aspect]
    told = tell(tmp_path, "compare", trace("shared"), changed("shared", 7, change))
    assert told["found"]["aspect"] == aspect
    assert f"First difference: {words}" in told["words"]["sentence"]


def test_the_same_trace_twice(tmp_path: Path) -> None:
    told = tell(tmp_path, "compare", trace("shared"), trace("shared"))
    assert told["found"] is None
    assert told["words"]["sentence"].endswith("The two traces are the same.")
    assert {row[3] for row in told["words"]["tables"][0]["rows"]} == {"the same"}


def test_static_against_continuous(tmp_path: Path) -> None:
    a, b = static_batches(JOBS, 2), continuous_batch(JOBS, 2)
    told = tell(tmp_path, "compare", a, b)
    assert "First difference: In step 2 only B runs c." in told["words"]["sentence"]
    numbers = {row[0]: row[1:] for row in told["words"]["tables"][0]["rows"]}
    for name, key in (("TTFT p50", "ttft"), ("E2E p95", "e2e")):
        percent = name.split()[1]
        for said, whole in zip(numbers[name], (a, b), strict=False):
            value = report(whole)[key][percent]["value"]
            assert said == f"{value:g} step{'' if value == 1 else 's'}"
    assert numbers["whole run"] == ["7 steps", "6 steps", "−14 %"]


def test_steps_on_one_side_only(tmp_path: Path) -> None:
    """A recording knows no steps: then requests are compared, and it is said."""
    whole = trace("client")
    later = [r._replace(at=r.at + 500_000) if not hasattr(r, "max_tokens") else r for r in whole.records]
    told = tell(tmp_path, "compare", whole, replace(whole, records=tuple(later)))
    assert "x gets its first token after 9 ms in A and after 9.5 ms in B." in told["words"]["sentence"]
    assert told["words"]["sentence"].endswith("Both have no steps, so requests are compared and not decisions.")
    mixed = tell(tmp_path, "compare", trace("timed"), whole)["words"]["sentence"]
    assert "The workloads differ: only A has" in mixed
    assert mixed.endswith("B has no steps, so requests are compared and not decisions.")


def numbered(whole: Trace, source: Literal["simulated", "live"], number: Callable[[int], int]) -> Trace:
    """The same decisions about blocks of other numbers."""

    known: set[int] = set()

    def row(one: Row) -> Row:
        return one._replace(
            new_blocks=tuple(map(number, one.new_blocks)), hit_blocks=tuple(map(number, one.hit_blocks))
        )

    def step(one: Step) -> Step:
        # A block that is first handed out loses what the server had put there before anybody looked.
        first = {block for record in one.rows for block in record.new_blocks} - known
        known.update(first)
        before = tuple(map(number, first)) if source == "live" else ()
        return one._replace(rows=tuple(map(row, one.rows)), evicted=(*before, *map(number, one.evicted)))

    records = tuple(step(record) if isinstance(record, Step) else record for record in whole.records)
    return Trace(whole.header._replace(source=source), records)


def test_a_server_that_had_served_before_decides_the_same_about_blocks_of_other_numbers(tmp_path: Path) -> None:
    whole = trace("shared")
    told = tell(tmp_path, "compare", numbered(whole, "live", lambda block: 900 - block), whole)
    assert told["found"] is None
    assert "they are matched by when each is first handed out" in told["words"]["sentence"]
    other = numbered(whole, "simulated", lambda block: 900 - block)
    assert tell(tmp_path, "compare", other, whole)["found"]["aspect"] == "blocks"


def test_blocks_of_other_numbers_must_keep_them(tmp_path: Path) -> None:
    whole = trace("shared")
    server = numbered(whole, "live", lambda block: 900 - block)
    [late] = [step for step in server.steps() if step.rows and step.rows[0].id == "late" and step.rows[0].hit_blocks]
    assert len(late.rows[0].hit_blocks) == 3
    wrong = with_row(late, 0, lambda row: row._replace(hit_blocks=row.hit_blocks[::-1]))
    records = tuple(wrong if record is late else record for record in server.records)
    told = tell(tmp_path, "compare", replace(server, records=records), whole)
    assert told["found"]["aspect"] == "hits"
    assert f"In step {late.step} late joins blocks " in told["words"]["sentence"]


def test_a_recording_and_its_prediction_part_where_one_of_them_runs_something_else(tmp_path: Path) -> None:
    """Not at the first block that a server which had served before hands out."""
    fitted, other = (Trace.from_jsonl((RECORDINGS / f"{name}.trace.jsonl").read_text("utf-8")) for name in RUNS)
    told = tell(tmp_path, "compare", other, predict_run(fit_run(fitted), other))
    assert told["found"]["aspect"] == "rows"
    assert told["found"]["a"] > 0
    assert "they are matched by when each is first handed out" in told["words"]["sentence"]
