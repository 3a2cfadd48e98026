"""Prefix reuse: names for the content of blocks, and which blocks hold a content now.

A full block's content is named by hash = H(parent, tokens, extra), where the parent is the hash of the
block before it. So equal hashes mean equal tokens from the very start of the sequence, and a lookup is a
walk along one chain. Rules of vLLM 0.32.0:

- Only full blocks have a hash; a partial tail is never shared.
- `cache_salt` is the extra of the first block. Through the chain it enters every block after it, so
  requests of different salts never share a block. An empty salt is no salt.
- Equal contents aren't merged. Several blocks may carry one hash, and a lookup gives the one that was
  registered first among those still there.
"""

from collections.abc import Iterable, Sequence
from hashlib import sha256
from struct import pack
from typing import Final, TypeAlias

BlockHash: TypeAlias = bytes
"""The name of a block's content: 32 bytes of SHA-256, the same on every machine."""

NO_PARENT: Final[BlockHash] = bytes(32)
"""The parent of a first block."""

BYTES_PER_TOKEN: Final = 8
"""How a token id enters the hash: as a signed 64-bit number, lowest byte first."""


def hash_blocks(token_ids: Sequence[int], block_size: int, cache_salt: str | None = None) -> list[BlockHash]:
    """The chained hashes of the full blocks of `token_ids`; a partial tail has none.

    Raises `struct.error` for a token id that doesn't fit in 64 bits.
    """
    hashes: list[BlockHash] = []
    extend_hashes(hashes, token_ids, block_size, cache_salt)
    return hashes


def extend_hashes(
    hashes: list[BlockHash], token_ids: Sequence[int], block_size: int, cache_salt: str | None = None
) -> None:
    """Append to `hashes`, the chain so far, those of the blocks that have filled up since."""
    first, end = len(hashes), len(token_ids) // block_size
    parent = hashes[-1] if hashes else NO_PARENT
    new_tokens = token_ids[first * block_size : end * block_size]
    # All tokens are packed at once: half the time of packing each block's own.
    packed = pack(f"<{len(new_tokens)}q", *new_tokens)
    width = block_size * BYTES_PER_TOKEN
    for index in range(first, end):
        start = (index - first) * width
        content = parent + packed[start : start + width]
        if index == 0 and cache_salt:
            content += cache_salt.encode("utf-8", "surrogatepass")
        parent = sha256(content).digest()
        hashes.append(parent)


class PrefixCache:
    """Which blocks hold which content, in the order of registration."""

    __slots__ = ("_blocks",)

    def __init__(self) -> None:
        # A dict for each hash keeps the order of registration and forgets a block in O(1).
        self._blocks: dict[BlockHash, dict[int, None]] = {}

    def register(self, block_hash: BlockHash, block_id: int) -> None:
        """Say that `block_id` holds this content from now on."""
        blocks = self._blocks.get(block_hash)
        if blocks is None:
            self._blocks[block_hash] = {block_id: None}
        else:
            blocks[block_id] = None

    def forget(self, block_hash: BlockHash, block_id: int) -> None:
        """Say that `block_id` doesn't hold this content any more. Raises `KeyError` if it never did."""
        blocks = self._blocks[block_hash]
        del blocks[block_id]
        if not blocks:
            del self._blocks[block_hash]

    def longest_hit(self, hashes: Iterable[BlockHash]) -> list[int]:
        """The blocks that hold the longest known run of `hashes` from its start."""
        hits = []
        for block_hash in hashes:
            blocks = self._blocks.get(block_hash)
            if blocks is None:
                break
            hits.append(next(iter(blocks)))
        return hits

    def registered(self) -> dict[int, BlockHash]:
        """The hash of every block that has one. Raises `AssertionError` for a block that has two."""
        hash_of: dict[int, BlockHash] = {}
        for block_hash, blocks in self._blocks.items():
            assert blocks, f"hash {block_hash.hex()[:8]} is kept without a block"
            for block_id in blocks:
                assert block_id not in hash_of, f"block {block_id} is registered under two hashes"
                hash_of[block_id] = block_hash
        return hash_of


class PrefixStats:
    """Counts of admissions and of the tokens that their lookups found, those after a preemption apart."""

    __slots__ = ("hits", "preempted_hits", "preempted_queries", "preempted_requests", "queries", "requests")

    def __init__(self) -> None:
        self.requests = self.queries = self.hits = 0
        self.preempted_requests = self.preempted_queries = self.preempted_hits = 0

    def record(self, num_tokens: int, num_hits: int, *, resumed: bool) -> None:
        """Count one admission: `num_hits` of its `num_tokens` tokens were found."""
        if resumed:
            self.preempted_requests += 1
            self.preempted_queries += num_tokens
            self.preempted_hits += num_hits
        else:
            self.requests += 1
            self.queries += num_tokens
            self.hits += num_hits
