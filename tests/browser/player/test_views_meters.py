"""The meters say what `engine.metrics` says of the same trace, to the last bit."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.metrics.latency import e2e, tpot, ttft
from engine.metrics.memory import memory_use
from engine.metrics.percentiles import summarise
from engine.metrics.requests import request_times
from engine.metrics.tokens import hit_rate_tokens, recompute
from engine.trace import Step
from tests.browser.player.views_oracle import standings, tell
from tests.browser.player.views_traces import MAKERS, trace, twice

LATENCIES = {"ttft": ttft, "tpot": tpot, "e2e": e2e}
WITH_STEPS = sorted(set(MAKERS) - {"client"})
WITH_BLOCKS = sorted(set(WITH_STEPS) - {"plain"})


@pytest.mark.parametrize("name", sorted(MAKERS))
def test_percentiles_are_nearest_rank_and_equal_the_engines(name: str, tmp_path: Path) -> None:
    told, times = tell(tmp_path, "meters", trace(name)), request_times(trace(name))
    for key, latency in LATENCIES.items():
        summary = summarise([value for one in times if (value := latency(one)) is not None], (50, 95, 99))
        assert told[key]["n"] == summary.n
        for percent, value, *_ in summary.percentiles:
            assert told[key][f"p{percent:g}"] == value, (key, percent)
    assert told["counts"]["arrived"] == len(times)
    assert told["counts"]["finished"] == sum(one.outcome == "finished" for one in times)


@pytest.mark.parametrize("name", WITH_STEPS)
def test_what_was_computed_twice_and_what_the_cache_saved(name: str, tmp_path: Path) -> None:
    told, price = tell(tmp_path, "meters", trace(name)), recompute(trace(name))
    assert told["preemptions"] == price.num_preemptions
    assert told["recomputed"] == price.num_recomputed_tokens
    assert told["hitRate"] == hit_rate_tokens(request_times(trace(name)))


def test_without_steps_nobody_saw_the_cache(tmp_path: Path) -> None:
    assert tell(tmp_path, "meters", trace("client"))["hitRate"] is None


@pytest.mark.parametrize("name", WITH_BLOCKS)
def test_memory_in_every_step(name: str, tmp_path: Path) -> None:
    told, uses = tell(tmp_path, "series", trace(name)), list(memory_use(trace(name)))
    steps = range(told["count"])
    assert [told["held"][str(step)] for step in steps] == [use.num_held_blocks for use in uses]
    assert [told["empty"][str(step)] for step in steps] == [use.num_empty_slots for use in uses]


@pytest.mark.parametrize("name", WITH_BLOCKS)
def test_who_runs_and_who_waits_in_every_step(name: str, tmp_path: Path) -> None:
    told, seen = tell(tmp_path, "series", trace(name)), standings(name)
    steps = range(told["count"])
    assert [told["running"][str(step)] for step in steps] == [len(standing.tables) for standing in seen]
    assert [told["waiting"][str(step)] for step in steps] == [len(standing.waiting) for standing in seen]


def test_two_replicas_have_blocks_of_their_own(tmp_path: Path) -> None:
    one, both = tell(tmp_path, "series", trace("shared")), tell(tmp_path, "series", twice("shared"))
    steps = range(one["count"])
    for name in ("held", "empty", "running"):
        last_of_both = [both[name][str(2 * step + 1)] for step in steps]
        assert last_of_both == [2 * one[name][str(step)] for step in steps], name
    told = tell(tmp_path, "words", twice("shared"), {"view": "blocks"})
    alone = tell(tmp_path, "words", trace("shared"), {"view": "blocks"})
    assert told[1]["sentence"] == "Replica b: " + alone[0]["sentence"].replace("Of", "of", 1)
    trees = tell(tmp_path, "prefix", twice("shared"))
    whole = tell(tmp_path, "prefix", trace("shared"))
    assert [tree["cachedBlocks"] for tree in trees[1::2]] == [tree["cachedBlocks"] for tree in whole]
    assert [tree["lostBlocks"] for tree in trees[1::2]] == [tree["lostBlocks"] for tree in whole]


def test_the_traces_show_what_they_are_for() -> None:
    """Preemptions, computing again, hits, evictions and a client who left: else the tests above say little."""
    assert recompute(trace("tight")).num_recomputed_tokens > 0
    assert (hit_rate_tokens(request_times(trace("shared"))) or 0) > 0.2
    assert any(step.evicted for step in trace("shared").of(Step))
    assert {one.outcome for one in request_times(trace("timed"))} >= {"finished", "cancelled"}
