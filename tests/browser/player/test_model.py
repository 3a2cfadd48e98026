"""The player's reader knows the schema of `engine.trace`, takes whatever the engine makes, and counts as it does."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from coursekit.node import run_node
from engine.metrics.requests import request_times
from engine.trace import EVENTS, SCHEMA, Header, Row, Step
from tests.browser.driving import PROJECT
from tests.browser.player.player_traces import TRACES

ASK = Path(__file__).with_name("ask.mjs")


def asked(*arguments: str | Path) -> Any:
    return json.loads(run_node(PROJECT, [ASK, *arguments]))


def test_the_schema_is_the_engines() -> None:
    """Every kind of record, its fields, and which of them may be left out."""
    told = asked("schema")
    kinds = {name: {field: field in kind._field_defaults for field in kind._fields} for name, kind in EVENTS.items()}
    for name in told["events"]:
        # A record of a live link may name its lane wherever it stands.
        kinds[name].pop("lane", None)
        told["events"][name].pop("lane", None)
    assert told["events"] == kinds
    header = {field: field in Header._field_defaults for field in Header._fields}
    assert told["header"] == {"format": False, "schema": False, **header}
    assert told["row"] == list(Row._fields)
    assert SCHEMA == 1


@pytest.mark.parametrize("name", sorted(TRACES))
def test_a_model_holds_what_the_trace_says(name: str, tmp_path: Path) -> None:
    made = TRACES[name]()
    file = tmp_path / "made.trace.jsonl"
    file.write_text(made.to_jsonl(), encoding="utf-8")
    told = asked("model", file)
    steps = made.steps()
    assert told["steps"] == [[step.step, step.at, step.duration] for step in steps]
    assert told["rows"] == [
        [[*row[:4], list(row.new_blocks), list(row.hit_blocks)] for row in step.rows] for step in steps
    ]
    assert told["preempted"] == [list(step.preempted) for step in steps]
    assert told["evicted"] == [list(step.evicted) for step in steps]
    times = request_times(made)
    assert told["ids"] == [one.id for one in times]
    assert told["ends"] == [one.outcome for one in times]
    assert told["first"] == [one.first_token for one in times]


@pytest.mark.parametrize("name", sorted(TRACES))
def test_every_row_lies_in_a_stretch_of_its_request(name: str, tmp_path: Path) -> None:
    """Stretches follow each other without overlap, and hold all the tokens of their rows."""
    made = TRACES[name]()
    file = tmp_path / "made.trace.jsonl"
    file.write_text(made.to_jsonl(), encoding="utf-8")
    spans = asked("spans", file)
    tokens: dict[str, int] = {}
    for step in made.of(Step):
        for row in step.rows:
            tokens[row.id] = tokens.get(row.id, 0) + row.num_scheduled_tokens
            inside = [span for span in spans[row.id] if span["from"] <= step.at < span["to"] and span["tokens"]]
            assert step.duration == 0 or len(inside) == 1, (row, step.step)
    for request, all_of_it in spans.items():
        for one, other in pairwise(all_of_it):
            assert one["to"] <= other["from"]
        if made.steps():
            assert sum(span["tokens"] for span in all_of_it) == tokens.get(request, 0)
