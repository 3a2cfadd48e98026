"""The prefix tree is the engine's block tables and its chained hashes, put together."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.browser.player.views_oracle import Standing, standings, tell
from tests.browser.player.views_traces import MAKERS, trace

SIMULATED = sorted(set(MAKERS) - {"client", "plain"})


@pytest.mark.parametrize("name", SIMULATED)
def test_a_segment_is_held_by_all_whose_tables_go_that_way(name: str, tmp_path: Path) -> None:
    for mine, standing in zip(tell(tmp_path, "prefix", trace(name)), standings(name), strict=True):
        for segment in mine["segments"]:
            path = segment["path"]
            holders = [who for who, table in standing.tables.items() if table[: len(path)] == path]
            assert segment["holders"] == holders
            assert segment["depth"] == len(path) - len(segment["blocks"])
        for table in standing.tables.values():
            ways = [segment["path"] for segment in mine["segments"]]
            assert table in ways or any(way[: len(table)] == table for way in ways)


@pytest.mark.parametrize("name", SIMULATED)
def test_what_is_shared_and_saved(name: str, tmp_path: Path) -> None:
    for mine, standing in zip(tell(tmp_path, "prefix", trace(name)), standings(name), strict=True):
        assert mine["sharedBlocks"] == sum(count > 1 for count in standing.ref_count)
        assert mine["savedBlocks"] == sum(count - 1 for count in standing.ref_count if count)


@pytest.mark.parametrize("name", SIMULATED)
def test_what_the_cache_keeps_and_what_can_be_hit(name: str, tmp_path: Path) -> None:
    parents: dict[bytes, bytes | None] = {}
    for mine, standing in zip(tell(tmp_path, "prefix", trace(name)), standings(name), strict=True):
        for chain in standing.chains:
            parents.update(zip(chain, [None, *chain], strict=False))
        assert mine["cachedBlocks"] == len(standing.cached)
        alone = [block for segment in mine["segments"] if not segment["holders"] for block in segment["blocks"]]
        reachable = [block for block in standing.cached if can_be_hit(standing, parents, standing.hashes[block])]
        assert sorted(alone) == reachable
        assert mine["lostBlocks"] == len(standing.cached) - len(reachable)


def can_be_hit(standing: Standing, parents: dict[bytes, bytes | None], name: bytes | None) -> bool:
    """Whether a lookup from the first block on gets as far as this content."""
    there = set(standing.hashes.values())
    while name is not None:
        if name not in there:
            return False
        name = parents[name]
    return True


def test_salts_share_nothing_and_it_is_said(tmp_path: Path) -> None:
    told = tell(tmp_path, "words", trace("shared"), {"view": "prefix"})
    both = next(words for words in told if "2 groups" in words["sentence"])
    assert both["sentence"].endswith("There are 2 groups by salt, and nothing is shared between two.")
    assert {row[1] for row in both["tables"][0]["rows"]} == {"none", "blue"}
    first = next(words for words in told if "share 3 blocks" in words["sentence"])
    assert first["sentence"].startswith(
        "3 blocks are shared, which saves 3 blocks (12 tokens). r1 and r2 share 3 blocks"
    )


def test_without_a_cache_and_without_blocks_it_says_so(tmp_path: Path) -> None:
    off = tell(tmp_path, "words", trace("tight"), {"view": "prefix"})
    assert {words["sentence"] for words in off} == {
        "Prefix caching is off in this trace: every request computes its whole prompt and shares nothing."
    }
    none = tell(tmp_path, "words", trace("plain"), {"view": "prefix"})
    assert none[0]["sentence"] == "This trace knows nothing of blocks, so it doesn't tell who shares which."
