"""What the engine says, draws and draws at random, as one text: every Python has to give the same.

The text of this file is run here and in the browser, so it stands on the engine alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from engine.naive import continuous_batch, static_batches
from engine.prefix import hash_blocks
from engine.trace import Trace
from engine.views import (
    Prompt,
    blocks_svg,
    blocks_table,
    blocks_words,
    prefix_svg,
    prefix_table,
    prefix_words,
    schedule_svg,
    schedule_table,
    schedule_words,
    show,
)
from engine.workload import gamma, lognormal, open_loop, poisson, stream

SEEDS = range(20)
BLOCK_SIZE = 2


def schedules() -> Iterator[Trace]:
    """Batches that nobody chose."""
    for seed in SEEDS:
        draws = Random(seed)
        jobs = {f"r{number}": draws.randint(1, 9) for number in range(draws.randint(1, 8))}
        arrivals = {name: draws.randint(0, 5) for name in jobs}
        slots = draws.randint(1, 4)
        yield static_batches(jobs, slots, arrivals)
        yield continuous_batch(jobs, slots, arrivals)


def pictures() -> Iterator[str]:
    """Every view of every schedule, and of some blocks and prefixes."""
    for trace in schedules():
        yield from (view(trace) for view in (Trace.to_jsonl, schedule_svg, schedule_words, schedule_table, show))
    for seed in SEEDS:
        draws = Random(seed)
        held = [(f"r{number}", draws.randint(1, 90)) for number in range(5)]
        yield from (view(held, 16) for view in (blocks_svg, blocks_table, blocks_words))
        prompts = [prompt(f"r{number}", draws) for number in range(5)]
        yield from (view(prompts, BLOCK_SIZE) for view in (prefix_svg, prefix_table, prefix_words))


def prompt(name: str, draws: Random) -> Prompt:
    """One of few possible prompts, so that many begin alike."""
    tokens = tuple(draws.randint(0, 1) for _ in range(9))
    hashes = tuple(hash_blocks(tokens, BLOCK_SIZE))
    return Prompt(name, tokens, hashes, draws.randint(0, len(hashes)))


def workloads() -> Iterator[str]:
    """Times and lengths from distributions whose last bit differs between C libraries."""
    for seed in SEEDS:
        for times in (poisson(3.7, stream(seed, "arrivals")), gamma(3.7, 0.3, stream(seed, "arrivals"))):
            lengths = lognormal(700, 90, stream(seed, "lengths"), cv=1.3)
            yield repr(open_loop("drawn", times, lengths, 200, seed=seed))


def everything() -> str:
    """All of it, in one text."""
    return "\n".join([*pictures(), *workloads()])
