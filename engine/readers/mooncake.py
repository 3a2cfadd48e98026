"""Mooncake traces: JSON Lines with `timestamp`, `input_length`, `output_length`, `hash_ids` (kvcache-ai/Mooncake).

Arrivals, and what their prompts share. `timestamp` is in milliseconds. There is one hash id for every 512
tokens of a prompt, the last one for what is left; equal ids mean equal prompts up to there.
"""

from collections.abc import Iterator
from typing import Final

from engine.readers.notes import Notes
from engine.readers.source import Source
from engine.readers.text import MILLISECOND, Fields
from engine.workload.records import FIRST_OWN_CONTENT, Arrival, Segment

FIELDS: Final = frozenset({"timestamp", "input_length", "output_length"})
"""The keys that every line has."""

TOKENS_PER_ID: Final = 512
"""How many tokens of a prompt one hash id stands for."""


def arrivals(source: Source, notes: Notes) -> Iterator[Arrival]:
    """One request a line, named r0, r1, …; each hash id is a content."""
    for index, row in enumerate(source.rows()):
        prompt, output = row.whole("input_length"), row.whole("output_length")
        if not (prompt and output):
            notes.count("lines without input or output tokens were left out")
            continue
        beginning = tuple(_segments(row, prompt)) if "hash_ids" in row else ()
        yield Arrival(row.time("timestamp", MILLISECOND), f"r{index}", prompt, output, beginning=beginning)


def _segments(row: Fields, num_prompt_tokens: int) -> Iterator[Segment]:
    ids = row.list("hash_ids")
    expected = -(-num_prompt_tokens // TOKENS_PER_ID)
    if len(ids) != expected:
        row.refuse(
            "hash_ids",
            f"{expected} ids, one for every {TOKENS_PER_ID} of {num_prompt_tokens} tokens, and not {len(ids)}",
        )
    left = num_prompt_tokens
    for hash_id in ids:
        if type(hash_id) is not int or not 0 <= hash_id < FIRST_OWN_CONTENT:
            row.refuse("hash_ids", f"whole numbers from 0 to {FIRST_OWN_CONTENT - 1}, and not {hash_id!r}")
        yield Segment(hash_id, min(left, TOKENS_PER_ID))
        left -= TOKENS_PER_ID
