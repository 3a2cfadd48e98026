"""Where two traces part is found exactly where one was changed, and said in words."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from engine.metrics.report import report
from engine.naive import continuous_batch, static_batches
from engine.trace import Row, Step, Trace
from tests.browser.player.views_oracle import tell
from tests.browser.player.views_traces import trace

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
    assert told["words"]["sentence"].endswith(f"First difference: {words}")


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
