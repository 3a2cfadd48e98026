"""Queue and batch name who runs, who waits and who uses the budget as the engine's scheduler does."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.metrics.tokens import recompute
from tests.browser.player.views_oracle import standings, tell
from tests.browser.player.views_traces import MAKERS, trace, twice

SIMULATED = sorted(set(MAKERS) - {"client", "plain"})


@pytest.mark.parametrize("name", SIMULATED)
def test_who_runs_who_waits_and_for_what(name: str, tmp_path: Path) -> None:
    told, seen = tell(tmp_path, "queue", trace(name)), standings(name)
    for step, standing, mine in zip(trace(name).steps(), seen, told, strict=True):
        assert mine["running"] == list(standing.tables), step.step
        assert mine["waiting"] == standing.waiting, step.step
        assert mine["preempted"] == standing.preempted
        rows = [[row.id, row.num_scheduled_tokens, row.num_computed_tokens] for row in step.rows]
        assert [part[:3] for part in mine["parts"]] == rows
        assert mine["used"] == sum(row.num_scheduled_tokens for row in step.rows)
        assert mine["budget"] == trace(name).header.settings["max_num_batched_tokens"]
        assert mine["ordered"]


def test_who_runs_on_one_replica_waits_at_no_other(tmp_path: Path) -> None:
    alone, both = tell(tmp_path, "queue", trace("tight")), tell(tmp_path, "queue", twice("tight"))
    assert any(step["waiting"] for step in alone)
    for place, replica in enumerate("ab"):
        seen = [[step["running"], step["waiting"]] for step in both[place::2]]
        assert seen == [
            [[f"{replica}-{name}" for name in step[who]] for who in ("running", "waiting")] for step in alone
        ]


def test_what_a_row_is_for(tmp_path: Path) -> None:
    parts = [part for step in tell(tmp_path, "queue", trace("tight")) for part in step["parts"]]
    prompts = {arrived.id: arrived.num_prompt_tokens for arrived in trace("tight").requests().values()}
    again = sum(part[1] for part in parts if part[3] == "recompute")
    # A row that computes lost tokens may compute a new one with them.
    assert again >= recompute(trace("tight")).num_recomputed_tokens > 0
    for name, _, computed, use in parts:
        assert use == "recompute" or use == ("prefill" if computed < prompts[name] else "decode")


def test_the_words_of_a_step_with_a_preemption(tmp_path: Path) -> None:
    told = tell(tmp_path, "words", trace("tight"), {"view": "queue"})
    words = next(words for words in told if "preempted in this step" in words["sentence"])
    seen = next(standing for standing in standings("tight") if standing.preempted)
    assert f"{len(seen.tables)} requests run, of 4 seats: {' and '.join(seen.tables)}." in words["sentence"]
    assert f"{seen.preempted[0]} is preempted in this step." in words["sentence"]
    assert [row[1] for row in words["tables"][1]["rows"]] == seen.waiting
    assert [row[3] for row in words["tables"][1]["rows"] if row[1] == seen.preempted[0]] == ["yes"]


def test_a_trace_without_steps_tells_who_is_here(tmp_path: Path) -> None:
    (words,) = tell(tmp_path, "words", trace("client"), {"view": "queue"})
    assert words["sentence"] == (
        "None being answered. None waiting for a first token. "
        "The trace has no steps, so it doesn't tell a step's budget."
    )
