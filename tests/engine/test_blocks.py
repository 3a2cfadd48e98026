"""The block pool: conservation, the order of the free queue, and what it refuses."""

import pytest

from engine.blocks import BlockPool, blocks_needed, internal_waste, reserved_slots


@pytest.mark.parametrize(
    ("tokens", "blocks", "slots", "waste"),
    [(0, 0, 0, 0), (1, 1, 16, 15), (16, 1, 16, 0), (17, 2, 32, 15), (31, 2, 32, 1), (33, 3, 48, 15)],
)
def test_what_a_number_of_tokens_costs(tokens: int, blocks: int, slots: int, waste: int) -> None:
    assert blocks_needed(tokens, 16) == blocks
    assert reserved_slots(tokens, 16) == slots
    assert internal_waste(tokens, 16) == waste


def test_the_null_block_is_never_lent() -> None:
    pool = BlockPool(4)
    assert pool.num_lendable_blocks == 3
    assert pool.take(3) == [1, 2, 3]
    with pytest.raises(ValueError, match="1 blocks asked for, 0 are free"):
        pool.take(1)
    pool.check()


def test_blocks_without_a_hash_come_back_to_the_front_tail_foremost() -> None:
    pool = BlockPool(7)
    first, second = pool.take(3), pool.take(2)
    pool.release(first)
    assert pool.free_queue() == [3, 2, 1, 6]
    pool.release(second)
    assert pool.free_queue() == [5, 4, 3, 2, 1, 6]
    pool.check()


def test_blocks_with_a_hash_go_to_the_back_the_tail_ahead_of_the_head() -> None:
    pool = BlockPool(7)
    table = pool.take(4)
    for block_id in table[:3]:
        pool.block_hash[block_id] = bytes([block_id])
    pool.release(table)
    assert pool.free_queue() == [4, 5, 6, 3, 2, 1]
    pool.check()


def test_a_block_loses_its_hash_only_when_it_is_handed_out_anew() -> None:
    lost = []
    pool = BlockPool(3, lambda block_id, block_hash: lost.append((block_id, block_hash)))
    pool.block_hash[pool.take(1)[0]] = b"x"
    pool.release([1])
    assert (pool.block_hash[1], lost) == (b"x", [])
    assert pool.take(2) == [2, 1]
    assert (pool.block_hash[1], lost) == (None, [(1, b"x")])


def test_a_hit_leaves_the_middle_of_the_queue() -> None:
    pool = BlockPool(6)
    assert pool.num_pinned([3]) == 1
    pool.share([3])
    assert pool.free_queue() == [1, 2, 4, 5]
    assert pool.num_pinned([3]) == 0
    pool.share([3])
    pool.release([3])
    assert pool.num_free_blocks == 4
    pool.release([3])
    assert pool.free_queue() == [3, 1, 2, 4, 5]
    pool.check()


@pytest.mark.parametrize(("table", "why"), [([1], "has 0 holders"), ([2, 2], "has 1 holders"), ([0], "null block")])
def test_a_double_free_is_refused_and_changes_nothing(table: list[int], why: str) -> None:
    pool = BlockPool(4)
    pool.take(3)
    pool.release([1])
    before = pool.free_queue(), list(pool.ref_count)
    with pytest.raises(ValueError, match=why):
        pool.release(table)
    assert (pool.free_queue(), pool.ref_count) == before


def test_a_pool_without_a_block_is_refused() -> None:
    with pytest.raises(ValueError, match="num_blocks is 0; give 1 or more"):
        BlockPool(0)


def test_the_usage_leaves_the_null_block_out() -> None:
    pool = BlockPool(5)
    pool.take(1)
    assert pool.usage() == 0.25
    assert BlockPool(1).usage() == 0


@pytest.mark.parametrize(
    ("block_id", "count", "why"),
    [(1, 0, r"1 held \+ 1 free != 3 lendable"), (3, 1, r"3 held \+ 1 free != 3"), (0, 1, r"3 held")],
)
def test_check_states_the_numbers(block_id: int, count: int, why: str) -> None:
    pool = BlockPool(4)
    pool.take(2)
    pool.check()
    pool.ref_count[block_id] = count
    with pytest.raises(AssertionError, match=why):
        pool.check()
