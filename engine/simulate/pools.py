"""The block pool of `engine.blocks` and the prefix cache of `engine.prefix` once more, for whole runs of blocks.

Same blocks in the same order, and much less work. The free queue of the rules is always "blocks without a hash,
as a stack, then blocks with one, the longest unused first". So it is kept in two parts. With a cache, blocks
that nobody but their own request can ever hit (`engine.simulate.names`) aren't registered at all: they
lie in the second part as one run a request.
"""

from collections import deque
from collections.abc import Hashable, Sequence
from typing import Final, Protocol


class Pool(Protocol):
    """What the fast simulator asks of KV memory."""

    num_free: int
    """Blocks that nobody holds."""
    evicted: list[int] | None
    """Blocks that lost their content when they were handed out anew, as long as somebody empties the list."""

    def take(self, count: int) -> list[int]:
        """Hand out blocks. There must be as many."""

    def release(self, table: list[int], num_registered: int, num_sealed: int) -> None:
        """Take a request's blocks back: of its table the first are registered, the first are sealed."""


class StackPool:
    """Without a prefix cache, what was freed last is handed out first."""

    def __init__(self, num_blocks: int) -> None:
        self._stack = list(range(num_blocks - 1, 0, -1))
        self.num_free = len(self._stack)
        self.evicted: list[int] | None = []

    def take(self, count: int) -> list[int]:
        """Hand out `count` blocks, 1 or more."""
        stack = self._stack
        taken = stack[: -count - 1 : -1]
        del stack[-count:]
        self.num_free -= count
        return taken

    def release(self, table: list[int], num_registered: int, num_sealed: int) -> None:
        """Take a table back, its tail to be handed out first."""
        self._stack += table
        self.num_free += len(table)


class _Single(list[int]):
    """A free block that is registered: alone, because it may be hit and leave the queue. Empty once it has."""


class CachingPool:
    """With a prefix cache."""

    def __init__(self, num_blocks: int) -> None:
        self._stack = list(range(num_blocks - 1, 0, -1))
        self._queue: deque[list[int]] = deque()
        """Free blocks with a hash, as runs: the first run's last block goes first."""
        self._num_stale = 0
        self.num_free = len(self._stack)
        self.evicted: list[int] | None = []
        self._blocks: dict[Hashable, dict[int, None]] = {}
        """The registered blocks under each name, in the order of registration."""
        self._name_of: dict[int, Hashable] = {}
        self._holders: dict[int, int] = {}
        """How many requests hold each registered block."""
        self._entry_of: dict[int, _Single] = {}

    def take(self, count: int) -> list[int]:
        """Hand out `count` blocks; those that were cached lose their content."""
        self.num_free -= count
        stack = self._stack
        own = min(count, len(stack))
        taken = stack[len(stack) - own :]
        del stack[len(stack) - own :]
        taken.reverse()
        if own < count:
            self._evict(taken, count - own)
        return taken

    def _evict(self, taken: list[int], count: int) -> None:
        first = len(taken)
        while count:
            run = self._queue[0]
            some = run[-count:]
            some.reverse()
            taken += some
            count -= len(some)
            if type(run) is _Single:
                self._leave(run)
            if len(run) == len(some):
                self._queue.popleft()
            else:
                del run[-len(some) :]
        if self.evicted is not None:
            self.evicted += taken[first:]

    def _leave(self, entry: _Single) -> None:
        if not entry:
            self._num_stale -= 1
            return
        block_id = entry[0]
        del self._entry_of[block_id], self._holders[block_id]
        self.forget(block_id)

    def release(self, table: list[int], num_registered: int, num_sealed: int) -> None:
        """Take a table back, tail first. What has a hash can be handed out last, what has none first."""
        self._stack += table[num_sealed:]
        if num_registered < num_sealed:
            self._queue.append(table[num_registered:num_sealed])
        self.num_free += len(table) - num_registered
        holders = self._holders
        for index in range(num_registered - 1, -1, -1):
            block_id = table[index]
            holders[block_id] -= 1
            if not holders[block_id]:
                entry = self._entry_of[block_id] = _Single((block_id,))
                self._queue.append(entry)
                self.num_free += 1

    # ---- registered blocks ----

    def register(self, name: Hashable, block_id: int) -> None:
        """Say that a held block has this content."""
        self._blocks.setdefault(name, {})[block_id] = None
        self._name_of[block_id] = name
        self._holders[block_id] = 1

    def forget(self, block_id: int) -> None:
        """Say that a block hasn't its content any more."""
        name = self._name_of.pop(block_id)
        blocks = self._blocks[name]
        del blocks[block_id]
        if not blocks:
            del self._blocks[name]

    def unregister(self, block_id: int) -> None:
        """Say that a held block never got the content that it was registered for."""
        del self._holders[block_id]
        self.forget(block_id)

    def find(self, name: Hashable) -> int | None:
        """The block with this content that was registered first."""
        blocks = self._blocks.get(name)
        return None if blocks is None else next(iter(blocks))

    def num_pinned(self, hits: Sequence[int]) -> int:
        """How many of these blocks nobody holds."""
        holders = self._holders
        return sum(not holders[block_id] for block_id in hits)

    def share(self, hits: Sequence[int]) -> None:
        """Add a holder to each; one that was free leaves the queue."""
        holders = self._holders
        for block_id in hits:
            if not holders[block_id]:
                self._entry_of.pop(block_id).clear()
                self._num_stale += 1
                self.num_free -= 1
            holders[block_id] += 1
        if self._num_stale > MOST_STALE + len(self._queue) // 2:
            self._queue = deque(run for run in self._queue if run)
            self._num_stale = 0


MOST_STALE: Final = 1000
"""So many entries of blocks that left the queue may lie in it before they are cleared away."""
