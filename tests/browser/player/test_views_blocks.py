"""The block map says of every block, in every step, what the engine's own pool says."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.trace import Step
from engine.views.language import count, listing
from tests.browser.player.views_oracle import Standing, standings, tell
from tests.browser.player.views_traces import MAKERS, trace

SIMULATED = sorted(set(MAKERS) - {"client", "plain"})


def in_words(standing: Standing, evicted: tuple[int, ...], block: int, block_size: int) -> str:
    """What the map has to say of a block, from the engine's own books; a cached block's owner is left out."""
    holders = [name for name, table in standing.tables.items() if block in table]
    lost = "; just evicted: what was cached in it is gone" if block in evicted else ""
    if not holders:
        state = "free but cached" if block in standing.cached else f"free{lost}."
        return f"Block {block}: {state}"
    table, computed = standing.tables[holders[-1]], standing.computed[holders[-1]]
    used = min(block_size, max(0, computed - table.index(block) * block_size))
    who = f"held by {holders[0]}" if len(holders) == 1 else f"shared by {len(holders)}: {listing(holders)}"
    return f"Block {block}: {who}, {used} of {count(block_size, 'slot')} used{lost}."


@pytest.mark.parametrize("name", SIMULATED)
def test_every_block_in_every_step(name: str, tmp_path: Path) -> None:
    told = tell(tmp_path, "blocks", trace(name))
    seen, steps = standings(name), trace(name).steps()
    block_size = trace(name).header.settings["block_size"]
    assert isinstance(block_size, int)
    assert len(told) == len(seen) == len(steps)
    for step, standing, mine in zip(steps, seen, told, strict=True):
        for block, said in enumerate(mine["said"], 1):
            wanted = in_words(standing, step.evicted, block, block_size)
            assert said.split(": content of")[0] == wanted, (step.step, block)


@pytest.mark.parametrize("name", SIMULATED)
def test_the_pool_is_accounted_for(name: str, tmp_path: Path) -> None:
    for mine, standing in zip(tell(tmp_path, "blocks", trace(name)), standings(name), strict=True):
        counts = mine["counts"]
        assert counts["shared"] == sum(holders > 1 for holders in standing.ref_count)
        assert counts["held"] == sum(holders == 1 for holders in standing.ref_count)
        assert counts["cached"] == len(standing.cached)
        assert counts["free"] + counts["cached"] + counts["held"] + counts["shared"] == counts["lendable"]


def test_the_tables_of_a_trace_with_everything(tmp_path: Path) -> None:
    """A golden: the words and the tables at the step in which three requests share a prefix."""
    told = tell(tmp_path, "words", trace("shared"), {"view": "blocks"})
    first = told[0]
    assert first["sentence"] == (
        "Of 14 lendable blocks, 4 held, 0 free but cached, 10 free and empty: 29 % in use. "
        "0 slots in held blocks are empty: 0 % internal waste."
    )
    assert first["tables"][0]["rows"] == [["r1", "4", "0", "16", "0", "1 to 4"]]
    assert first["tables"][1]["rows"] == [["1 to 4", "held by r1, 4 of 4 slots used"], ["5 to 14", "free"]]
    shared = next(words for words in told if "of them shared" in words["sentence"])
    assert any(row[1].startswith("shared by 2: r1 and r2") for row in shared["tables"][1]["rows"])


def test_a_trace_without_blocks_says_so(tmp_path: Path) -> None:
    told = tell(tmp_path, "words", trace("plain"), {"view": "blocks"})
    assert {words["sentence"] for words in told} == {"This trace knows nothing of blocks."}
    assert not any(step.evicted for step in trace("plain").of(Step))
