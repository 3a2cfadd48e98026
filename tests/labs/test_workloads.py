"""Random workloads: the same from the same seed, sensible, and every smaller one really smaller."""

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.blocks import blocks_needed
from labs.founding.allocator import cases as pools
from labs.founding.batcher import cases as batches
from labs.founding.grading import TASKS
from labs.founding.prefix import cases as prompts
from labs.kit.task import NUM_RANDOM, Task, workloads

SIZES = st.integers(1, NUM_RANDOM)
RANDOMS = st.integers(0, 10**6).map(Random)


def batch_weight(workload: batches.Workload) -> tuple[int, ...]:
    return (
        len(workload.jobs),
        workload.slots,
        sum(job.steps for job in workload.jobs),
        sum(job.arrives for job in workload.jobs),
    )


def pool_weight(workload: pools.Workload) -> tuple[int, ...]:
    tight = workload.num_blocks < pools.roomy_pool(workload.block_size, workload.calls)
    tokens = sum(call.num_tokens for call in workload.calls)
    return (len(workload.calls), tight, workload.block_size, tokens, workload.num_blocks)


def prompt_weight(workload: prompts.Workload) -> tuple[int, ...]:
    tokens = [token for call in workload.calls for token in call.tokens]
    kinds = sum(prompts.SALTS.index(call.cache_salt) for call in workload.calls)
    return (len(workload.calls), workload.block_size, len(tokens), sum(tokens) + kinds)


@settings(deadline=None)
@given(RANDOMS, SIZES)
def test_a_smaller_batch_is_smaller(random: Random, size: int) -> None:
    workload = batches.generate(random, size)
    for smaller in batches.shrink(workload):
        assert sum(batch_weight(smaller)) < sum(batch_weight(workload))
        assert smaller.slots >= 1
        assert smaller.jobs
        assert [job.arrives for job in smaller.jobs] == sorted(job.arrives for job in smaller.jobs)


@settings(deadline=None)
@given(RANDOMS, SIZES)
def test_a_pool_with_room_for_everything_counts_as_smaller(random: Random, size: int) -> None:
    workload = pools.generate(random, size)
    for smaller in pools.shrink(workload):
        assert pool_weight(smaller) < pool_weight(workload)
        assert smaller.num_blocks >= 2
        sensible(smaller)


@settings(deadline=None)
@given(RANDOMS, SIZES)
def test_a_row_of_calls_makes_sense(random: Random, size: int) -> None:
    sensible(pools.generate(random, size))


@settings(deadline=None)
@given(RANDOMS, SIZES)
def test_nothing_is_refused_in_a_roomy_pool(random: Random, size: int) -> None:
    workload = pools.generate(random, size)
    roomy = pools.Workload(pools.roomy_pool(workload.block_size, workload.calls), workload.block_size, workload.calls)
    assert False not in [after.answer for after in roomy.after()]


def sensible(workload: pools.Workload) -> None:
    """Tokens come only for who is there, nobody begins twice, and nothing is freed that never held any."""
    ended: set[str] = set()
    for call, before, after in zip(workload.calls, workload.after(), workload.after()[1:], strict=False):
        assert (call.name in before.held) == (call.kind != "allocate") or (call.kind == "free" and call.name in ended)
        ended |= before.held.keys() - after.held.keys()


@settings(deadline=None)
@given(RANDOMS, SIZES)
def test_a_smaller_row_of_prompts_is_smaller(random: Random, size: int) -> None:
    workload = prompts.generate(random, size)
    for smaller in prompts.shrink(workload):
        assert prompt_weight(smaller) < prompt_weight(workload)
        assert all(call.tokens for call in smaller.calls if call.is_admit)


@settings(deadline=None)
@given(RANDOMS, SIZES)
def test_the_pool_of_a_prefix_cache_is_large_enough_for_everything(random: Random, size: int) -> None:
    workload = prompts.generate(random, size)
    needs = sum(blocks_needed(len(call.tokens), workload.block_size) for call in workload.calls)
    assert workload.num_blocks == needs + 1


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.id)
def test_a_seed_gives_its_workloads_and_another_gives_others(task: Task[Any, Any]) -> None:
    assert list(workloads(task, 7)) == list(workloads(task, 7))
    assert list(workloads(task, 7)) != list(workloads(task, 8))


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.id)
def test_small_workloads_come_first_and_known_examples_last(task: Task[Any, Any]) -> None:
    all_of_them = list(workloads(task, 3))
    assert len(all_of_them) == NUM_RANDOM + len(task.examples)
    assert all_of_them[-1] == task.examples[-1]
    sizes = [len(repr(workload)) for workload in all_of_them[:NUM_RANDOM]]
    assert sum(sizes[:30]) < sum(sizes[-30:])


def test_workloads_are_told_in_words() -> None:
    assert batches.tell(batches.Workload(2, (batches.Job(2), batches.Job(1, 1)))) == (
        "2 slots; `a` needs 2 steps and `b` needs 1 step; `b` arrives when 1 step is done."
    )
    assert pools.tell(pools.Workload(2, 16, (pools.Call("allocate", "a", 17), pools.Call("append", "a")))) == (
        '`num_blocks` 2, so 1 block to lend; `block_size` 16; `allocate("a", 17)`, then `append("a")`.'
    )
    assert prompts.tell(prompts.Workload(1, (prompts.Call("a", (1, 2), "oak"), prompts.Call("a")))) == (
        'Blocks of 1 token; `admit("a", [1, 2], "oak")`, then `free("a")`.'
    )
