"""A pool whose blocks may be shared: what the third task's `PrefixCache` stands on.

It leaves three methods open: how content is named (`keys`), what a new request finds (`lookup`), and what
happens when one ends (`free`). A real server does the same with more care: `engine.kv_cache`.
"""

from collections import Counter, deque
from collections.abc import Hashable, Sequence

from engine.blocks import blocks_needed


class SharedBlocks:
    """Blocks, who holds them, and what is known about their content."""

    def __init__(self, num_blocks: int, block_size: int) -> None:
        self.block_size = block_size
        self.free_blocks = deque(range(1, num_blocks))
        self.tables: dict[str, list[int]] = {}  # request -> its blocks, in order
        self.ref_count: Counter[int] = Counter()  # block -> how many tables it stands in
        self.block_of: dict[Hashable, int] = {}  # key -> the block that holds this content

    def keys(self, tokens: Sequence[int], cache_salt: str | None = None) -> list[Hashable]:
        """One key for every full block of `tokens`: what names its content."""
        raise NotImplementedError("keys is yours to write")

    def lookup(self, tokens: Sequence[int], cache_salt: str | None = None) -> list[int]:
        """The blocks that a request with these tokens can take over, from its beginning on."""
        raise NotImplementedError("lookup is yours to write")

    def free(self, name: str) -> None:
        """End a request: its blocks lose a holder."""
        raise NotImplementedError("free is yours to write")

    def admit(self, name: str, tokens: Sequence[int], cache_salt: str | None = None) -> int:
        """Bring in a request: found blocks first, then free ones. Return how many blocks were found."""
        found = self.lookup(tokens, cache_salt)
        for block in set(found):
            if self.ref_count[block] == 0:
                self.free_blocks.remove(block)
        new = [self.take() for _ in range(blocks_needed(len(tokens), self.block_size) - len(found))]
        self.tables[name] = [*found, *new]
        self.ref_count.update(self.tables[name])
        for key, block in zip(self.keys(tokens, cache_salt), self.tables[name], strict=False):
            self.block_of.setdefault(key, block)
        return len(found)

    def take(self) -> int:
        """A free block. It is overwritten, so whatever it held is forgotten."""
        block = self.free_blocks.popleft()
        self.block_of = {key: other for key, other in self.block_of.items() if other != block}
        return block

    def full_blocks(self, tokens: Sequence[int]) -> list[tuple[int, ...]]:
        """The tokens of each full block; what doesn't fill a block is left out."""
        size = self.block_size
        return [tuple(tokens[start : start + size]) for start in range(0, len(tokens) - size + 1, size)]
