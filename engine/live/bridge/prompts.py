"""Prompts of generated token ids: equal where the workload says so, and nobody's text."""

from hashlib import blake2b
from typing import Final

from engine.workload.records import FIRST_OWN_CONTENT, TOKENS_PER_CONTENT, Arrival, prompt_token_ids

TOKENS_A_DIGEST: Final = 16
"""How many token ids are drawn from one 64-byte digest: four bytes each."""


class Prompts:
    """Makes each request's token ids out of the ids that a workload names, all below `vocabulary`.

    A workload's ids are 40 bits wide, a model's vocabulary isn't. So a piece of content is drawn anew from its
    name: the same content gives the same tokens, and different ones don't share a block. Another `run` has other
    tokens: it finds nothing in a cache that an earlier one filled, so that it can be compared with a simulation.
    """

    def __init__(self, first: int, vocabulary: int, run: str) -> None:
        self._first, self._span = first, vocabulary - first
        self._run = run.encode()
        self._drawn = (-1, -1)
        self._digest = b""

    def token_ids(self, arrival: Arrival, number: int) -> list[int]:
        """The prompt of the `number`-th arrival."""
        return [self._token(name) for name in prompt_token_ids(arrival, FIRST_OWN_CONTENT + number)]

    def _token(self, name: int) -> int:
        content, place = divmod(name, TOKENS_PER_CONTENT)
        chunk, offset = divmod(place, TOKENS_A_DIGEST)
        # The tokens of a prompt come in order, so the last digest is nearly always the one that is asked for.
        if self._drawn != (content, chunk):
            self._drawn = (content, chunk)
            self._digest = blake2b(b"%s/%d/%d" % (self._run, content, chunk)).digest()
        return self._first + int.from_bytes(self._digest[4 * offset : 4 * offset + 4], "little") % self._span
