"""A replica by counts decides what the scheduler decides: who runs, what is in a step, how many blocks are free."""

from random import Random

import pytest

from engine.asynchronous import scheduler_for
from engine.calibrate.free_blocks import FreeBlocks
from engine.calibrate.replica import Job, Replica
from engine.request import Request
from engine.settings import Settings
from engine.simulate.work import work_of

Asked = tuple[int, int, int]
"""Step of arrival, prompt tokens, output tokens."""


def drawn(seed: int) -> tuple[Settings, list[Asked]]:
    """Small, mean settings, and requests that each fit alone."""
    chance = Random(seed)
    block_size, longest, seats = chance.choice([1, 2, 4, 16]), chance.randint(8, 60), chance.randint(1, 6)
    settings = Settings(
        num_blocks=-(-longest // block_size) + chance.randint(1, 13),
        max_model_len=longest,
        block_size=block_size,
        max_num_seqs=seats,
        max_num_batched_tokens=max(seats, chance.choice([6, 10, 16, 40])),
        enable_prefix_caching=chance.random() < 0.7,
        async_scheduling=chance.random() < 0.6,
        scheduler_reserve_full_isl=chance.random() < 0.5,
        watermark=chance.choice([0, 0, 0.1]),
    )
    asked = []
    for _ in range(chance.randint(1, 12)):
        prompt = chance.randint(1, longest - 1)
        asked.append((chance.randint(0, 30), prompt, chance.randint(1, longest - prompt)))
    return settings, sorted(asked, key=lambda one: one[0])


def both(settings: Settings, asked: list[Asked]) -> int:
    """Run the scheduler and the replica side by side, equal after each step; returns the preemptions."""
    scheduler, replica = scheduler_for(settings), Replica(settings)
    out, arrived, ended, step = [], 0, 0, 0
    while ended < len(asked):
        while arrived < len(asked) and asked[arrived][0] <= step:
            _, prompt, output = asked[arrived]
            # No token stands in two prompts, so nothing is shared.
            tokens = range(1_000 * arrived, 1_000 * arrived + prompt)
            assert scheduler.add_request(Request(str(arrived), tokens, output)) is None
            replica.waiting.append(Job(arrived, prompt, output))
            arrived += 1
        plan, work = scheduler.plan(), replica.plan(step)
        assert tuple(work) == work_of(plan)
        assert [str(number) for number in replica.running] == [request.id for request in scheduler.running]
        out.append((plan, step))
        if len(out) == scheduler.max_uncommitted:
            first, number = out.pop(0)
            answers = [10**6 * row[0].order + row[0].num_tokens if row[4] else None for row in first.entries]
            done = {request.id for request in scheduler.commit(first, answers)}
            assert {str(job.number) for job in replica.commit(number)} == done
            ended += len(done)
        assert replica.num_free_blocks == scheduler.kv_cache.pool.num_free_blocks
        step += 1
        assert step < 5_000
    return replica.num_preemptions


def test_counts_decide_what_the_scheduler_decides_preemptions_and_recomputation_included() -> None:
    assert sum(both(*drawn(seed)) for seed in range(250)) > 200


@pytest.mark.parametrize("settings", [{"policy": "priority"}, {"long_prefill_token_threshold": 4}])
def test_settings_that_counts_cannot_follow_are_refused(settings: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="counts are enough"):
        Replica(Settings.from_mapping({"num_blocks": 9, "max_model_len": 32, **settings}))


def test_a_preempted_request_finds_those_of_its_first_blocks_that_nobody_took() -> None:
    free = FreeBlocks(10)
    free.take(10)
    free.release("a", 6, 5)
    assert (free.num_free, free.num_hits("a"), free.num_hits("b")) == (6, 5, 0)
    free.take(3)
    # The block without a hash went first, then the tail of those with one.
    assert free.num_hits("a") == 3
    free.rejoin("a", 3)
    assert (free.num_free, free.num_hits("a")) == (0, 0)


def test_blocks_without_a_hash_queue_up_with_the_others_where_everything_is_appended() -> None:
    free = FreeBlocks(10, appends_everything=True)
    free.take(8)
    free.release("a", 6, 5)
    free.take(2)
    assert free.num_hits("a") == 5
    free.take(2)
    assert free.num_hits("a") == 4
