"""What a scheduler asks of KV memory: what is cached, what fits, and room for the next tokens.

It puts the block pool and the prefix cache together and keeps each request's block table. A failed
question changes nothing.
"""

from collections.abc import Iterable, Sequence
from itertools import islice

from engine.blocks import BlockPool, blocks_needed
from engine.prefix import BlockHash, PrefixCache, extend_hashes
from engine.request import Request
from engine.settings import Settings

NO_BLOCKS: Sequence[int] = ()
"""What a request is given that needs no new block: one value for all, since most rows need none."""


class KVCache:
    """The blocks of every running request, and the cached ones of requests that are gone."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._block_size = settings.block_size
        self.watermark_blocks = int(settings.watermark * settings.num_blocks)
        """How many blocks an admission must leave free while somebody runs."""
        self._evicted: list[int] = []
        self.prefix_cache = PrefixCache() if settings.enable_prefix_caching else None
        self.pool = BlockPool(settings.num_blocks, self._forget)

    # ---- questions ----

    def hits(self, request: Request) -> list[int]:
        """The cached blocks that a waiting request can join: the longest known run from its start.

        The last token is always computed, for its logits are needed; so a prompt that is cached whole and
        ends on a block's edge computes its last block again. An answer's tokens count as well: a preempted
        request finds its own blocks.
        """
        if self.prefix_cache is None:
            return []
        self._extend_hashes(request)
        most = (request.num_tokens - 1) // self._block_size  # rule: hit_until_last_token, hit_until_part_block
        return self.prefix_cache.longest_hit(islice(request.block_hashes, most))  # rule: hit_until_new_content, no_hit

    def fits(self, request: Request, hits: Sequence[int], num_tokens: int, *, anyone_runs: bool) -> bool:
        """Whether a waiting request may be admitted with `hits` and room for its first `num_tokens` tokens.

        With `scheduler_reserve_full_isl` all its tokens must fit, though only this step's are allocated: a
        check and no reservation. A hit that lies in the free queue costs a free block (a pin). The
        watermark stays free, unless nobody runs.
        """
        if self._settings.scheduler_reserve_full_isl:
            num_tokens = min(request.num_tokens, self._settings.max_model_len)  # rule: full_prompt
        watermark = self.watermark_blocks if anyone_runs else 0  # rule: watermark
        return self.cost(hits, num_tokens) + watermark <= self.pool.num_free_blocks  # rule: no_block

    # ---- changes ----

    def admit(self, request: Request, hits: Sequence[int], num_tokens: int) -> Sequence[int]:
        """Give a waiting request its hits and new blocks for its first `num_tokens` tokens.

        Returns the new blocks. Ask `fits` first: raises `ValueError` if they aren't there.
        """
        if self.cost(hits, num_tokens) > self.pool.num_free_blocks:
            raise ValueError(f"request {request.id!r} doesn't fit; ask fits() before admit()")
        self.pool.share(hits)
        request.block_table = list(hits)
        request.num_sealed_blocks = len(hits)
        request.num_slots = len(hits) * self._block_size
        return self.extend(request, num_tokens) or NO_BLOCKS

    def extend(self, request: Request, num_tokens: int) -> Sequence[int] | None:
        """Make room for the first `num_tokens` tokens of a request that has blocks already.

        Returns the new blocks, none if there was room; or None if too few are free. Blocks that these
        tokens fill are registered at once, before they are computed, so that the next request of the same
        step can hit them. Only tokens that are known count: one in flight names no content yet.
        """
        table = request.block_table
        count = blocks_needed(num_tokens, self._block_size) - len(table)
        new_blocks = NO_BLOCKS
        if count > 0:
            if count > self.pool.num_free_blocks:
                return None
            new_blocks = self.pool.take(count)
            table += new_blocks
            request.num_slots = len(table) * self._block_size
        if self.prefix_cache is not None:
            self.seal(request, min(num_tokens, request.num_tokens))
        return new_blocks

    def seal(self, request: Request, num_tokens: int) -> None:
        """Register the full blocks among the first `num_tokens` tokens under their hashes."""
        full = num_tokens // self._block_size
        if self.prefix_cache is None or full <= request.num_sealed_blocks:
            return
        self._extend_hashes(request)
        for index in range(request.num_sealed_blocks, full):
            block_id, block_hash = request.block_table[index], request.block_hashes[index]
            self.pool.block_hash[block_id] = block_hash
            self.prefix_cache.register(block_hash, block_id)
        request.num_sealed_blocks = full

    def unseal(self, request: Request, num_tokens: int) -> None:
        """Take the hashes off all blocks but those that the first `num_tokens` tokens fill."""
        if self.prefix_cache is None:
            return
        keep = num_tokens // self._block_size
        for index in range(keep, request.num_sealed_blocks):
            block_id = request.block_table[index]
            self.pool.block_hash[block_id] = None
            self.prefix_cache.forget(request.block_hashes[index], block_id)
        request.num_sealed_blocks = min(keep, request.num_sealed_blocks)

    def free(self, request: Request) -> None:
        """Take all blocks back, tail first. Cached ones can be hit until they are handed out anew."""
        self.pool.release(request.block_table)
        request.block_table = []
        request.num_slots = 0
        request.num_sealed_blocks = 0

    def take_evicted(self) -> list[int]:
        """The blocks that lost their cached content since the last call, in that order."""
        evicted, self._evicted = self._evicted, []
        return evicted

    # ---- inside ----

    def cost(self, hits: Sequence[int], num_tokens: int) -> int:
        """How many free blocks an admission takes: new ones, and those of its hits that nobody holds."""
        return blocks_needed(num_tokens, self._block_size) - len(hits) + self.pool.num_pinned(hits)

    def _forget(self, block_id: int, block_hash: BlockHash) -> None:
        assert self.prefix_cache is not None
        self.prefix_cache.forget(block_hash, block_id)
        self._evicted.append(block_id)  # rule: evicted

    def _extend_hashes(self, request: Request) -> None:
        """Hash the blocks that have filled up since somebody last asked: no block is hashed twice."""
        extend_hashes(request.block_hashes, request.token_ids, self._block_size, request.cache_salt)

    def check(self, holders: Iterable[Request]) -> None:
        """Raise `AssertionError`, with the numbers, unless `holders` account for every held block."""
        self.pool.check()
        held = [0] * self.pool.num_blocks
        for request in holders:
            self._check_table(request)
            for block_id in request.block_table:
                held[block_id] += 1
        for block_id, (count, known) in enumerate(zip(held, self.pool.ref_count, strict=True)):
            assert count == known, f"block {block_id} is in {count} tables and counts {known} holders"
        labelled = {i: name for i, name in enumerate(self.pool.block_hash) if name is not None}
        registered = self.prefix_cache.registered() if self.prefix_cache else {}
        assert labelled == registered, (
            f"{len(labelled)} blocks carry a hash, {len(registered)} are registered: they differ in "
            f"{sorted(labelled.items() ^ registered.items())}"
        )

    def _check_table(self, request: Request) -> None:
        who, slots = f"request {request.id!r}", len(request.block_table) * self._block_size
        assert request.num_slots == slots, f"{who} counts {request.num_slots} slots, its table has {slots}"
        computed = request.num_computed_tokens
        assert computed <= slots, f"{who} computed {computed} tokens into {slots} slots"
        for index, block_id in enumerate(request.block_table[: request.num_sealed_blocks]):
            assert self.pool.block_hash[block_id] == request.block_hashes[index], (
                f"{who}: block {block_id} at place {index} doesn't carry the hash of its content"
            )
