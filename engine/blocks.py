"""The block pool: who holds which block of KV memory, and which block is handed out next.

KV memory is cut into blocks of `block_size` tokens. A request owns a table of block ids, and several
requests may share a block. The pool counts the holders of each block and keeps the free ones in a queue,
next one first. Rules of vLLM 0.32.0:

- Block 0 is the null block. It is never handed out, so a pool of `num_blocks` lends `num_blocks - 1`.
- A freed block whose content is known by a hash goes to the back of the queue: it may be hit again, so it
  is handed out last. A freed block without a hash goes to the front.
- A hash is kept while its block lies in the queue and dropped when the block is handed out anew (lazy
  eviction). A hit takes a block out of the middle of the queue.
"""

from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence

from engine.prefix import BlockHash


def blocks_needed(num_tokens: int, block_size: int) -> int:
    """How many blocks hold `num_tokens` tokens: the last one may stay partly empty."""
    return -(-num_tokens // block_size)


def reserved_slots(num_tokens: int, block_size: int) -> int:
    """How many token slots those blocks reserve. A block is lent whole."""
    return blocks_needed(num_tokens, block_size) * block_size


def internal_waste(num_tokens: int, block_size: int) -> int:
    """How many of the reserved slots hold no token: always in the last block, so below `block_size`."""
    return reserved_slots(num_tokens, block_size) - num_tokens


def _nobody_listens(block_id: int, block_hash: BlockHash) -> None:
    """What a pool without a prefix cache does when a block loses its content."""


class BlockPool:
    """Lends blocks, counts who holds them, and takes them back.

    `num_blocks` counts the null block. `on_evict` is called with a block's id and hash when the block
    loses its content, which is when it is handed out anew.
    """

    __slots__ = ("_free", "_on_evict", "block_hash", "num_blocks", "ref_count")

    def __init__(self, num_blocks: int, on_evict: Callable[[int, BlockHash], None] = _nobody_listens) -> None:
        if num_blocks < 1:
            raise ValueError(f"num_blocks is {num_blocks}; give 1 or more, the null block is one")
        self.num_blocks = num_blocks
        self.ref_count = [0] * num_blocks
        """How many requests hold each block."""
        self.block_hash: list[BlockHash | None] = [None] * num_blocks
        """What is known about each block's content; None for a block that nobody can hit."""
        # An ordered dict is a queue that gives up an entry in its middle in O(1); its values mean nothing.
        self._free: OrderedDict[int, None] = OrderedDict.fromkeys(range(1, num_blocks))
        self._on_evict = on_evict

    @property
    def num_lendable_blocks(self) -> int:
        """All blocks but the null block."""
        return self.num_blocks - 1

    @property
    def num_free_blocks(self) -> int:
        """How many blocks nobody holds, cached ones included."""
        return len(self._free)

    def free_queue(self) -> list[int]:
        """The free blocks in the order in which they will be handed out."""
        return list(self._free)

    def usage(self) -> float:
        """The share of the lendable blocks that somebody holds, from 0 to 1."""
        lendable = self.num_lendable_blocks
        return 1.0 - len(self._free) / lendable if lendable else 0

    def take(self, count: int) -> list[int]:
        """Hand out `count` blocks from the front of the queue, each to one holder.

        A block that still had a hash loses it here. Raises `ValueError` if fewer are free.
        """
        if count > len(self._free):
            raise ValueError(f"{count} blocks asked for, {len(self._free)} are free; ask num_free_blocks first")
        taken = []
        for _ in range(count):
            block_id, _ = self._free.popitem(last=False)
            self.ref_count[block_id] = 1
            if self.block_hash[block_id] is not None:
                self._evict(block_id)
            taken.append(block_id)
        return taken

    def share(self, block_ids: Iterable[int]) -> None:
        """Add a holder to each block. One that lies in the free queue leaves it (a prefix hit)."""
        for block_id in block_ids:
            if self.ref_count[block_id] == 0:
                del self._free[block_id]
            self.ref_count[block_id] += 1

    def release(self, block_ids: Sequence[int]) -> None:
        """Take one holder off each block of a table, tail first.

        Blocks that nobody holds any more are free: without a hash they go to the front of the queue, the
        tail foremost; with a hash to its back, the tail ahead of the head. Raises `ValueError` for a block
        that nobody holds or that is listed twice, and changes nothing then.
        """
        ref_count, free = self.ref_count, self._free
        if not all(map(ref_count.__getitem__, block_ids)) or len(set(block_ids)) < len(block_ids):
            self._refuse_double_free(block_ids)
        to_front = []
        for block_id in reversed(block_ids):
            ref_count[block_id] -= 1
            if ref_count[block_id] == 0:
                free[block_id] = None
                if self.block_hash[block_id] is None:
                    to_front.append(block_id)
        for block_id in reversed(to_front):
            free.move_to_end(block_id, last=False)

    def num_pinned(self, block_ids: Iterable[int]) -> int:
        """How many of these blocks lie in the free queue, so that sharing them costs a free block each."""
        return sum(self.ref_count[block_id] == 0 for block_id in block_ids)

    def _evict(self, block_id: int) -> None:
        block_hash = self.block_hash[block_id]
        assert block_hash is not None
        self.block_hash[block_id] = None
        self._on_evict(block_id, block_hash)

    def _refuse_double_free(self, block_ids: Sequence[int]) -> None:
        table = list(block_ids)
        bad = next(block_id for block_id in table if not self.ref_count[block_id] or table.count(block_id) > 1)
        why = "is the null block, never lent" if bad == 0 else f"has {self.ref_count[bad]} holders"
        raise ValueError(f"block {bad} {why}; freeing {table} would free it twice")

    def check(self) -> None:
        """Raise `AssertionError`, with the numbers, unless every lendable block is either held or free."""
        held = sum(count > 0 for count in self.ref_count)
        free, lendable = len(self._free), self.num_lendable_blocks
        assert held + free == lendable, f"{held} held + {free} free != {lendable} lendable blocks"
        for block_id in self._free:
            count = self.ref_count[block_id]
            assert count == 0, f"block {block_id} is in the free queue and has {count} holders"
        fewest = min(self.ref_count)
        assert fewest >= 0, f"block {self.ref_count.index(fewest)} has {fewest} holders"
        assert 0 not in self._free, "the null block is in the free queue"
        assert self.ref_count[0] == 0, f"the null block has {self.ref_count[0]} holders"
