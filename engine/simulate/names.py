"""Names for the content of blocks without their tokens: equal names where `engine.prefix` has equal hashes.

A workload says by name which prompts begin alike, so nobody has to hash tokens to find it out. Only a block
whose tokens, and all before them, have a name that others may use can be hit by others; every other block
belongs to its request alone.
"""

from collections.abc import Iterable, Iterator
from typing import TypeAlias

from engine.workload.records import TOKENS_PER_CONTENT, Arrival, Segment

Name: TypeAlias = int
"""The name of a block's content and of all before it."""

_Piece: TypeAlias = tuple[int, int]
"""First token id and count of tokens that follow one another by one."""


class Names:
    """Hands out names, the same one for the same content after the same beginning under the same salt."""

    def __init__(self, block_size: int) -> None:
        self._block_size = block_size
        self._known: dict[tuple[object, tuple[_Piece, ...]], Name] = {}
        self._chains: dict[object, tuple[Name, ...]] = {}

    def of(self, arrival: Arrival) -> tuple[Name, ...]:
        """The names of those full blocks of a prompt and its answer that others may share.

        The answer's follow where the prompt is named to its end and the answer is too.
        """
        segments = arrival.beginning
        if not segments:
            return ()
        named = sum(segment.num_tokens for segment in segments)
        if arrival.answer_content is not None and named == arrival.num_prompt_tokens:
            segments = (*segments, Segment(arrival.answer_content, arrival.num_output_tokens))
        salt = arrival.cache_salt or None
        chain = self._chains.get((salt, segments))
        if chain is None:
            chain = self._chains[salt, segments] = tuple(self._name(salt, segments))
        return chain

    def _name(self, salt: str | None, segments: tuple[Segment, ...]) -> Iterator[Name]:
        parent: object = salt
        for block in _blocks(segments, self._block_size):
            name = self._known.setdefault((parent, block), len(self._known))
            parent = name
            yield name


def _blocks(segments: Iterable[Segment], block_size: int) -> Iterator[tuple[_Piece, ...]]:
    """The full blocks of some text, each as the runs of token ids in it."""
    block: list[_Piece] = []
    room = block_size
    for content, num_tokens in segments:
        first, left = content * TOKENS_PER_CONTENT, num_tokens
        while left:
            count = min(left, room)
            if block and sum(block[-1]) == first:
                block[-1] = (block[-1][0], block[-1][1] + count)
            else:
                block.append((first, count))
            first, left, room = first + count, left - count, room - count
            if not room:
                yield tuple(block)
                block, room = [], block_size
