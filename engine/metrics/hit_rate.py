"""How much of a workload a prefix cache of some size would have found, without an engine.

Requests come one after another, each as if the one before had ended: nothing runs at the same time, so only
the size of the cache counts. The cache holds blocks and loses the one that was used longest ago; of one
request's blocks the tail goes before the head, as in vLLM's pool.

Two ways of counting are in use, and they differ:

- in *blocks*: hit blocks over all blocks, a partial one at the end of a prompt counting as one, which is
  stored and may be hit. This is how the traces of Mooncake are counted.
- in *tokens*: hit tokens over all prompt tokens, by vLLM's rules. Whole blocks alone are stored; and the last
  token of a prompt is always computed, so only whole blocks of its first n - 1 tokens are hit.

`num_blocks` is how many blocks hold cached content. The null block isn't among them, nor is the block that
an engine lends for a prompt's partial end while it runs: a pool of an engine has at least two more for the
same rate.
"""

from collections import OrderedDict
from collections.abc import Iterable, Iterator
from typing import NamedTuple, TypeAlias

from engine.workload.records import FIRST_OWN_CONTENT, Arrival

Content: TypeAlias = tuple[tuple[int, int, int], ...]
"""What a block holds: content, first token in it and number of tokens, for each piece."""


class HitRate(NamedTuple):
    """Counts of one run through a workload, and the two rates."""

    num_requests: int
    num_blocks: int
    num_hit_blocks: int
    num_tokens: int
    num_hit_tokens: int

    @property
    def blocks(self) -> float:
        """Hit blocks over all blocks, 0 of none."""
        return self.num_hit_blocks / self.num_blocks if self.num_blocks else 0.0

    @property
    def tokens(self) -> float:
        """Hit tokens over all prompt tokens, 0 of none."""
        return self.num_hit_tokens / self.num_tokens if self.num_tokens else 0.0


def hit_rate(arrivals: Iterable[Arrival], *, block_size: int, num_blocks: int) -> HitRate:
    """What a cache of `num_blocks` blocks of `block_size` tokens finds of these prompts, in their order.

    Needs memory for the cache alone, however many arrivals there are. Raises `ValueError` for a size below 1.
    """
    if min(block_size, num_blocks) < 1:
        raise ValueError(f"block_size {block_size}, num_blocks {num_blocks}: both take 1 or more")
    with_tails, whole = _Cache(num_blocks), _Cache(num_blocks)
    requests = blocks = hit_blocks = tokens = hit_tokens = 0
    for arrival in arrivals:
        contents = list(block_contents(arrival, requests, block_size))
        num_whole = arrival.num_prompt_tokens // block_size
        may_hit = (arrival.num_prompt_tokens - 1) // block_size
        requests += 1
        blocks += len(contents)
        tokens += arrival.num_prompt_tokens
        hit_blocks += with_tails.use(arrival.cache_salt, contents, len(contents))
        hit_tokens += whole.use(arrival.cache_salt, contents[:num_whole], may_hit) * block_size
    return HitRate(requests, blocks, hit_blocks, tokens, hit_tokens)


def block_contents(arrival: Arrival, order: int, block_size: int) -> Iterator[Content]:
    """What each block of a prompt holds, the partial one at its end included.

    `order` is a number that no other request has: it names the part of the prompt that is its own.
    """
    named = sum(segment.num_tokens for segment in arrival.beginning)
    pieces = [(content, num_tokens) for content, num_tokens in arrival.beginning]
    pieces.append((FIRST_OWN_CONTENT + order, arrival.num_prompt_tokens - named))
    block: list[tuple[int, int, int]] = []
    room = block_size
    for content, num_tokens in pieces:
        start = 0
        while start < num_tokens:
            count = min(room, num_tokens - start)
            block.append((content, start, count))
            start += count
            room -= count
            if not room:
                yield tuple(block)
                block, room = [], block_size
    if block:
        yield tuple(block)


class _Cache:
    """Blocks by their content and what came before it, the one used longest ago first."""

    def __init__(self, num_blocks: int) -> None:
        self.num_blocks = num_blocks
        # A block is named by the number of the block before it and by its own content. Numbers are never
        # used twice, and no block outlives the one before it, so equal names are equal prefixes.
        self.numbers: OrderedDict[tuple[object, Content], int] = OrderedDict()
        self.next_number = 0

    def use(self, salt: str | None, contents: list[Content], may_hit: int) -> int:
        """How many of the first `may_hit` blocks are here; afterwards all of them are, as far as they fit."""
        # A salt stands before the first block and so reaches all after it: other salts share nothing.
        parent: object = salt or ""
        names, num_hits, is_hit = [], 0, True
        for index, content in enumerate(contents):
            name = (parent, content)
            number = self.numbers.get(name)
            is_hit = is_hit and number is not None and index < may_hit
            num_hits += is_hit
            if number is None:
                number = self.next_number
                self.next_number += 1
                self.numbers[name] = number
            names.append(name)
            parent = number
        for name in reversed(names):
            self.numbers.move_to_end(name)
        while len(self.numbers) > self.num_blocks:
            self.numbers.popitem(last=False)
        return num_hits
