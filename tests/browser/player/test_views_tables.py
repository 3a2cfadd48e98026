"""Beside every golden trace: the tables of its views, held against a plain reading of the same trace."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from engine.metrics.report import report
from engine.trace import Cancelled, Finished, Step, TimedOut, Trace
from tests.browser.player.player_traces import TRACES
from tests.browser.player.views_oracle import tell

WITH_STEPS = sorted(name for name, make in TRACES.items() if make().steps())


class Books(NamedTuple):
    """Who holds what once a step is planned, on that step's replica."""

    tables: dict[str, list[int]]
    tokens: dict[str, int]


def books(trace: Trace, place: int) -> Books:
    """The books at the step of this place, read from the records one by one."""
    lanes: dict[str, Books] = {}
    target = trace.steps()[place]
    for record in trace.records:
        if isinstance(record, Finished | TimedOut | Cancelled):
            for mine in lanes.values():
                mine.tables.pop(record.id, None)
        if not isinstance(record, Step):
            continue
        mine = lanes.setdefault(record.lane, Books({}, {}))
        for name in record.preempted:
            mine.tables.pop(name, None)
        for row in record.rows:
            mine.tables.setdefault(row.id, []).extend([*row.hit_blocks, *row.new_blocks])
            mine.tokens[row.id] = row.num_computed_tokens + row.num_scheduled_tokens
        if record is target:
            break
    return lanes[target.lane]


def middle(trace: Trace) -> int:
    return len(trace.steps()) // 2


@pytest.mark.parametrize("name", WITH_STEPS)
def test_blocks_queue_and_prefixes_in_the_middle_of_the_trace(name: str, tmp_path: Path) -> None:
    trace = TRACES[name]()
    place = middle(trace)
    told, mine = tell(tmp_path, "all", trace, {"step": place}), books(trace, place)
    holders = Counter(block for table in mine.tables.values() for block in table)
    assert queue_rows(told["queue"]) == [
        [row.id, f"{row.num_scheduled_tokens:,}", f"{row.num_computed_tokens:,}"] for row in trace.steps()[place].rows
    ]
    if not told["blocks"]["tables"]:
        assert not holders
        return
    block_size = trace.header.settings.get("block_size")
    for row, (who, table) in zip(told["blocks"]["tables"][0]["rows"], mine.tables.items(), strict=True):
        shared = sum(holders[block] > 1 for block in table)
        tokens = mine.tokens[who]
        empty = str(max(0, len(table) * block_size - tokens)) if isinstance(block_size, int) else "not known"
        assert row[:5] == [who, str(len(table)), str(shared), str(tokens), empty]
    sharing = [row for row in stretches(told["prefix"]) if " and " in row[4]]
    assert sum(int(row[3]) for row in sharing) == sum(count > 1 for count in holders.values())


def queue_rows(words: dict[str, Any]) -> list[list[str]]:
    return [[who, tokens, computed] for who, tokens, _, computed in words["tables"][0]["rows"]]


def stretches(words: dict[str, Any]) -> list[list[str]]:
    rows: list[list[str]] = words["tables"][0]["rows"] if words["tables"] else []
    return rows


@pytest.mark.parametrize("name", sorted(TRACES))
def test_the_meters_at_the_end_are_the_engines_report(name: str, tmp_path: Path) -> None:
    trace = TRACES[name]()
    told, whole = tell(tmp_path, "all", trace, {"step": len(trace.steps()) - 1})["meters"], report(trace)
    for row, key in zip(told["tables"][0]["rows"], ("ttft", "tpot", "e2e"), strict=True):
        assert row[1] == f"{whole[key]['n']:,}"
        if whole[key]["n"]:
            value = whole[key]["p50"]["value"]
            assert row[2] == in_words(value, whole["unit"]), key
    meters = dict(told["tables"][1]["rows"])
    if "preemptions" in whole:
        assert meters["preemptions"] == f"{whole['preemptions']:,}"
        assert meters["tokens computed again"] == f"{whole['recomputed_tokens']:,}"


def in_words(value: float, unit: str) -> str:
    """A value of a report as the player writes it: three figures and a unit."""
    if unit == "step":
        return f"{value:.3g} step{'' if value == 1 else 's'}"
    size = 1 if value >= 1 else 1e3
    return f"{value * size:.3g} {'s' if size == 1 else 'ms'}"


@pytest.mark.parametrize("name", sorted(TRACES))
def test_every_view_has_words_for_every_trace(name: str, tmp_path: Path) -> None:
    for view, words in tell(tmp_path, "all", TRACES[name](), {"step": 0}).items():
        assert words["sentence"].strip(), view
        for table in words["tables"]:
            assert all(len(row) == len(table["heads"]) for row in table["rows"]), (view, table["caption"])
        whole = repr(words)
        assert not any(bad in whole for bad in ("NaN", "undefined", "null", "Infinity")), (view, whole)
