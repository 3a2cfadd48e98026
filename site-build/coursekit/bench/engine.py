"""One run of the scheduler through the benchmark's workload, and one of its naive twin."""

from __future__ import annotations

import gc
import tracemalloc
from itertools import count, islice
from time import process_time_ns
from typing import NamedTuple

from coursekit.bench.workload import Spec, settings, specs
from engine.asynchronous import scheduler_for
from engine.naive import Job, naive_schedule

QUEUE = 64
"""How many requests are kept waiting, so that no seat is empty for want of work."""


class Run(NamedTuple):
    """What one run took."""

    num_rows: int
    num_steps: int
    num_preemptions: int
    nanoseconds: int

    @property
    def microseconds_a_row(self) -> float:
        """The measure: time in the scheduler over rows decided."""
        return self.nanoseconds / 1000 / self.num_rows

    @property
    def rows_a_step(self) -> float:
        """How full the steps were."""
        return self.num_rows / self.num_steps


def run_engine(num_requests: int, enable_prefix_caching: bool) -> Run:
    """Serve the workload. Only `add_request`, `plan` and `commit` are timed: the rest is the bench's own."""
    gc.collect()
    scheduler = scheduler_for(settings(enable_prefix_caching))
    coming = specs(num_requests)
    tokens = count(1_000_000)
    rows = steps = preemptions = elapsed = 0
    while True:
        arrived = [spec.request() for spec in islice(coming, max(0, QUEUE - len(scheduler.waiting)))]
        started = process_time_ns()
        for request in arrived:
            scheduler.add_request(request)
        plan = scheduler.plan()
        elapsed += process_time_ns() - started
        sampled = [next(tokens) if entry[4] else None for entry in plan.entries]
        started = process_time_ns()
        scheduler.commit(plan, sampled)
        elapsed += process_time_ns() - started
        if not plan.entries:
            return Run(rows, steps, preemptions, elapsed)
        rows, steps, preemptions = rows + len(plan), steps + 1, preemptions + len(plan.preempted)


def run_naive(num_requests: int) -> Run:
    """Serve the same workload with `engine.naive`: the baseline, in the same process and on the same clock."""
    gc.collect()
    jobs = [_job(spec) for spec in specs(num_requests)]
    sizes = settings(enable_prefix_caching=False)
    rows = steps = preemptions = 0
    started = process_time_ns()
    for step in naive_schedule(
        jobs, sizes.num_blocks, sizes.block_size, sizes.max_num_seqs, sizes.max_num_batched_tokens
    ):
        rows, steps, preemptions = rows + len(step.rows), steps + 1, preemptions + len(step.preempted)
    return Run(rows, steps, preemptions, process_time_ns() - started)


def _job(spec: Spec) -> Job:
    length = len(spec.prompt_token_ids)
    return Job(spec.id, length, length + spec.max_tokens)


def peak_bytes(num_requests: int) -> int:
    """The most memory that a run of so many requests held at once, prefix caching on."""
    gc.collect()
    tracemalloc.start()
    try:
        run_engine(num_requests, enable_prefix_caching=True)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
