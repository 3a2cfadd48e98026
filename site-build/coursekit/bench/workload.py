"""The benchmark's workload: a server that is always full, half of whose prompts begin like others."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import NamedTuple

from engine.request import Request
from engine.settings import Settings

NUM_HEADS = 16
HEAD_TOKENS = 256
SEED = 7


class Spec(NamedTuple):
    """One request, as plain data."""

    id: str
    prompt_token_ids: list[int]
    max_tokens: int

    def request(self) -> Request:
        """A request that hasn't been served yet."""
        return Request(self.id, self.prompt_token_ids, self.max_tokens)


def settings(enable_prefix_caching: bool) -> Settings:
    """128 seats, a budget of 2,048 tokens, 4,096 blocks of 16."""
    return Settings(
        num_blocks=4096,
        max_model_len=2048,
        block_size=16,
        max_num_seqs=128,
        max_num_batched_tokens=2048,
        enable_prefix_caching=enable_prefix_caching,
    )


def specs(count: int) -> Iterator[Spec]:
    """`count` requests, made as they are asked for, so that only those who are there take memory.

    Every second prompt begins with one of 16 heads of 256 tokens. Answers are long against prompts, as in a
    chat, so that nearly all rows decode.
    """
    random = Random(SEED)
    heads = [[random.randrange(100_000) for _ in range(HEAD_TOKENS)] for _ in range(NUM_HEADS)]
    for number in range(count):
        head = random.choice(heads) if number % 2 else []
        tail = [random.randrange(100_000) for _ in range(random.randint(16, 160))]
        yield Spec(f"r{number}", head + tail, random.randint(32, 224))
