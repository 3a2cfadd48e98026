"""One step ahead: what asynchronous scheduling changes, and what it doesn't."""

import pytest

from engine.asynchronous import AsyncScheduler, scheduler_for
from engine.request import Request
from engine.scheduler import Scheduler
from engine.settings import Settings
from stories import ask, outcome, story


def settings(**more: object) -> Settings:
    return Settings.from_mapping(
        {"num_blocks": 17, "max_model_len": 64, "block_size": 4, "async_scheduling": True, **more}
    )


def test_the_setting_chooses_the_scheduler() -> None:
    assert type(scheduler_for(settings())) is AsyncScheduler
    assert type(scheduler_for(settings(async_scheduling=False))) is Scheduler


@pytest.mark.parametrize(("kind", "ahead"), [(Scheduler, True), (AsyncScheduler, False)])
def test_the_wrong_scheduler_is_refused(kind: type[Scheduler], ahead: bool) -> None:
    with pytest.raises(ValueError, match=f"async_scheduling is {ahead}, and this is {kind.__name__}; let"):
        kind(settings(async_scheduling=ahead))


def test_a_row_is_planned_before_the_last_token_is_known() -> None:
    steps = outcome(ask("a", 6, 3), async_scheduling=True)["steps"]
    assert [step["sampled"] for step in steps] == [{}, {"a": [1_000_000]}, {"a": [1_000_001]}, {"a": [1_000_002]}]
    assert steps[1]["scheduled"][0]["num_computed_before"] == 6


@pytest.mark.parametrize("limit", [{"max_tokens": 3}, {"max_tokens": 50}])
def test_an_end_by_length_costs_no_row(limit: dict[str, int]) -> None:
    model = {"max_model_len": 9}
    assert story({**ask("a", 6), **limit}, async_scheduling=True, **model) == ["a new 6", "a 1", "a 1", ""]


def test_an_end_by_a_stop_token_costs_one_row() -> None:
    request = ask("a", 6, 9, output_token_ids=[7, 9], eos_token_id=9)
    assert story(request, async_scheduling=False) == ["a new 6", "a 1"]
    assert story(request, async_scheduling=True) == ["a new 6", "a 1", "a 1", ""]


def test_a_block_is_registered_only_when_the_tokens_in_it_are_known() -> None:
    steps = outcome(ask("a", 6, 6), async_scheduling=True)["steps"]
    ends = [step["num_computed_tokens"]["a"] for step in steps[:4]]
    assert ends == [6, 7, 8, 9]
    # The eighth token is computed in step 2; it is known when step 1 is delivered, which is after that.
    assert [step["cached_block_ids"] for step in steps[:4]] == [[1], [1], [1], [1, 2]]


def test_a_victims_token_in_flight_is_still_delivered() -> None:
    steps = outcome(ask("a", 7, 6), ask("b", 7, 6), num_blocks=6, async_scheduling=True)["steps"]
    lost = next(step for step in steps if step["preempted"])
    assert lost["preempted"] == ["b"]
    assert "b" in lost["sampled"]
    resumed = next(row for step in steps for row in step["scheduled"] if row["kind"] == "resumed")
    assert resumed["num_computed_before"] + resumed["num_tokens"] == 9


def test_a_victim_may_end_by_its_token_in_flight() -> None:
    b = ask("b", 7, 6, output_token_ids=[1, 2], eos_token_id=2)
    result = outcome(ask("a", 7, 6), b, num_blocks=6, async_scheduling=True)
    lost = next(step for step in result["steps"] if step["preempted"])
    assert lost["finished"] == [{"id": "b", "reason": "stop"}]
    assert lost["waiting"] == ["b"]
    assert result["requests"]["b"]["preemptions"] == 1


def test_two_plans_may_be_out_and_no_third() -> None:
    scheduler = AsyncScheduler(settings())
    scheduler.add_request(Request("a", [1, 2, 3], 9))
    first = scheduler.plan()
    second = scheduler.plan()
    with pytest.raises(RuntimeError, match="plan 0 isn't committed"):
        scheduler.plan()
    with pytest.raises(ValueError, match="plan 1 isn't the next to commit"):
        scheduler.commit(second, [4])
    scheduler.commit(first, [4])
    scheduler.commit(second, [5])
    scheduler.check()
    assert scheduler.requests["a"].token_ids == [1, 2, 3, 4, 5]


def test_an_aborted_requests_token_is_dropped() -> None:
    scheduler = AsyncScheduler(settings())
    request = Request("a", [1, 2, 3], 9)
    scheduler.add_request(request)
    plan = scheduler.plan()
    assert scheduler.abort("a")
    assert scheduler.commit(plan, [4]) == []
    assert request.num_output_tokens == 0
    scheduler.check()
