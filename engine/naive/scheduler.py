"""A whole scheduler in some thirty lines: one budget, chunked prompts, first come first served, preemption.

No prefix is shared, no list is spared a copy and nothing is measured. Where `engine.scheduler` is set to do
no more than this, both decide the same.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from engine.blocks import blocks_needed
from engine.naive.cache import PrivateBlocks
from engine.trace import Row, Step


@dataclass
class Job:
    """A request and how far it has come."""

    id: str
    num_tokens: int
    """Tokens of the prompt and of the answer so far."""
    max_total_tokens: int
    """At how many tokens it is done."""
    arrival_step: int = 0
    num_computed_tokens: int = 0
    was_preempted: bool = False


def naive_schedule(
    jobs: Iterable[Job], num_blocks: int, block_size: int, max_num_seqs: int, max_num_batched_tokens: int
) -> Iterator[Step]:
    """Serve `jobs`, which come in the order of their arrival, and yield each step until all are done.

    `num_blocks` counts the null block. It ends early if whoever waits can never get enough blocks.
    """
    cache = PrivateBlocks(num_blocks, block_size)
    waiting, running = list(jobs), list[Job]()
    step = 0
    while waiting or running:
        budget, rows, preempted = max_num_batched_tokens, list[Row](), list[Job]()
        for job in list(running):
            if job in preempted:
                break
            num_tokens = min(job.num_tokens - job.num_computed_tokens, budget)
            while num_tokens and job not in preempted:
                new_blocks = cache.grow(job.id, job.num_computed_tokens + num_tokens)
                if new_blocks is not None:
                    rows.append(Row(job.id, num_tokens, job.num_computed_tokens, "running", new_blocks))
                    budget -= num_tokens
                    break
                preempted.append(_preempt(running.pop(), cache))
                waiting.insert(0, preempted[-1])
        while waiting and waiting[0].arrival_step <= step and not preempted:
            job = waiting[0]
            fits = blocks_needed(job.num_tokens, block_size) <= len(cache.free_blocks)
            if not (fits and budget and len(running) < max_num_seqs):
                break
            num_tokens = min(job.num_tokens, budget)
            new_blocks = cache.grow(job.id, num_tokens) or ()
            rows.append(Row(job.id, num_tokens, 0, "resumed" if job.was_preempted else "new", new_blocks))
            budget -= num_tokens
            running.append(waiting.pop(0))
        if not (rows or preempted) and all(job.arrival_step <= step for job in waiting):
            return
        yield Step(step, step, 1, tuple(rows), tuple(job.id for job in preempted))
        step += 1
        running = _sample(running, {row.id: row for row in rows}, cache)


def _preempt(victim: Job, cache: PrivateBlocks) -> Job:
    """Recompute it later: its blocks are worth more to somebody else now."""
    cache.free(victim.id)
    victim.num_computed_tokens, victim.was_preempted = 0, True
    return victim


def _sample(running: list[Job], rows: dict[str, Row], cache: PrivateBlocks) -> list[Job]:
    """Give everybody whose tokens are all computed one more, and return those who aren't done by it."""
    left = []
    for job in running:
        if job.id in rows:
            job.num_computed_tokens += rows[job.id].num_scheduled_tokens
            job.num_tokens += job.num_computed_tokens == job.num_tokens
        if job.num_tokens < job.max_total_tokens:
            left.append(job)
        else:
            cache.free(job.id)
    return left
