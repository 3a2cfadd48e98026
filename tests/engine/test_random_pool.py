"""The block pool and the prefix cache against a twin that keeps everything in plain lists."""

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from engine.blocks import BlockPool
from engine.prefix import PrefixCache

NUM_BLOCKS = 9
HASHES = [bytes([number]) * 32 for number in range(4)]


class TwinsAgree(RuleBasedStateMachine):
    """Tables are taken, shared, hashed and released; both must lend the same blocks in the same order."""

    def __init__(self) -> None:
        super().__init__()
        self.evicted: list[int] = []
        self.cache = PrefixCache()
        self.pool = BlockPool(NUM_BLOCKS, self._forget)
        self.tables: list[list[int]] = []
        self.free = list(range(1, NUM_BLOCKS))
        self.known: list[tuple[bytes, int]] = []
        """Hash and block, in the order of registration."""

    def _forget(self, block_id: int, block_hash: bytes) -> None:
        self.cache.forget(block_hash, block_id)
        self.evicted.append(block_id)

    @rule(count=st.integers(0, NUM_BLOCKS))
    def take(self, count: int) -> None:
        if count > len(self.free):
            with pytest.raises(ValueError, match=f"{count} blocks asked for, {len(self.free)} are free"):
                self.pool.take(count)
            return
        self.evicted.clear()
        taken = self.pool.take(count)
        assert taken == self.free[:count]
        lost = [block for block in taken if block in [known for _, known in self.known]]
        assert self.evicted == lost
        self.known = [pair for pair in self.known if pair[1] not in taken]
        del self.free[:count]
        self.tables.append(taken)

    @precondition(lambda self: self.tables)
    @rule(data=st.data(), block_hash=st.sampled_from(HASHES))
    def register(self, data: st.DataObject, block_hash: bytes) -> None:
        table = data.draw(st.sampled_from(self.tables))
        fresh = [block for block in table if self.pool.block_hash[block] is None]
        if fresh:
            self.pool.block_hash[fresh[0]] = block_hash
            self.cache.register(block_hash, fresh[0])
            self.known.append((block_hash, fresh[0]))

    @rule(hashes=st.lists(st.sampled_from(HASHES), max_size=3, unique=True))
    def hit(self, hashes: list[bytes]) -> None:
        found = self.cache.longest_hit(hashes)
        wanted: list[int] = []
        for block_hash in hashes:
            first = next((block for known, block in self.known if known == block_hash), None)
            if first is None:
                break
            wanted.append(first)
        assert found == wanted
        assert self.pool.num_pinned(found) == sum(block in self.free for block in found)
        self.pool.share(found)
        self.free = [block for block in self.free if block not in found]
        self.tables.append(found)

    @precondition(lambda self: self.tables)
    @rule(data=st.data())
    def release(self, data: st.DataObject) -> None:
        table = self.tables.pop(data.draw(st.integers(0, len(self.tables) - 1)))
        self.pool.release(table)
        hashed = {block for _, block in self.known}
        gone = [block for block in reversed(table) if not any(block in other for other in self.tables)]
        self.free = [block for block in gone if block not in hashed] + self.free
        self.free += [block for block in gone if block in hashed]

    @rule(block=st.integers(0, NUM_BLOCKS - 1))
    def release_what_nobody_holds(self, block: int) -> None:
        if not any(block in table for table in self.tables):
            with pytest.raises(ValueError, match=f"block {block} "):
                self.pool.release([block])

    @invariant()
    def they_agree(self) -> None:
        self.pool.check()
        assert self.pool.free_queue() == self.free
        held = [sum(block in table for table in self.tables) for block in range(NUM_BLOCKS)]
        assert self.pool.ref_count == held
        assert self.cache.registered() == {block: known for known, block in self.known}


TestTwinsAgree = TwinsAgree.TestCase
TestTwinsAgree.settings = settings(max_examples=150, stateful_step_count=30, deadline=None)
