"""Each rule of the scheduler, in a workload as small as the rule allows."""

from typing import Any

import pytest

from stories import ask, outcome, story


def test_the_budget_is_shared_in_the_order_of_admission() -> None:
    assert story(ask("a", 20, 3), ask("b", 20, 2), max_num_batched_tokens=16) == [
        "a new 16",
        "a 4, b new 12",
        "a 1, b 8",
        "a 1, b 1",
    ]


@pytest.mark.parametrize("seats", [{"max_num_seqs": 2}, {"max_num_seqs": 8, "max_num_active_seqs": 2}])
def test_nobody_is_admitted_without_a_seat(seats: dict[str, Any]) -> None:
    assert story(ask("a", 4, 2), ask("b", 4, 2), ask("c", 4, 1), **seats) == ["a new 4, b new 4", "a 1, b 1", "c new 4"]


def test_without_chunks_a_prompt_waits_for_a_step_with_room_for_all_of_it() -> None:
    settings = {"enable_chunked_prefill": False, "max_num_batched_tokens": 64}
    assert story(ask("a", 40, 2), ask("b", 40, 2), ask("c", 2, 1), **settings) == [
        "a new 40",
        "a 1, b new 40, c new 2",
        "b 1",
    ]


class TestLongPrefillCap:
    """No request gets more than the cap while others are there."""

    def test_it_holds_while_others_are_there(self) -> None:
        lines = story(ask("a", 20, 1), ask("b", 9, 1), long_prefill_token_threshold=6)
        assert lines == ["a new 6, b new 6", "a 6, b 3", "a 8"]

    def test_a_lone_request_ignores_it(self) -> None:
        assert story(ask("a", 20, 1), long_prefill_token_threshold=6) == ["a new 20"]

    def test_adaptive_it_never_cuts_below_a_fair_share(self) -> None:
        settings = {"long_prefill_token_threshold": 6, "long_prefill_token_threshold_adaptive": True}
        lines = story(ask("a", 40, 1), ask("b", 20, 1), **settings)
        assert lines == ["a new 16, b new 16", "a 16, b 4", "a 8"]


class TestAdmission:
    """Whether the head of the queue gets in."""

    def test_nobody_overtakes_a_head_that_does_not_fit(self) -> None:
        lines = story(ask("a", 20, 3), ask("b", 20, 1), ask("c", 1, 1), num_blocks=9)
        assert lines == ["a new 20", "a 1", "a 1", "b new 20, c new 1"]

    def test_a_whole_prompt_must_fit_though_only_a_chunk_is_taken(self) -> None:
        lines = story(ask("a", 8, 3), ask("b", 26, 1), num_blocks=9, max_num_batched_tokens=12)
        assert lines[:3] == ["a new 8", "a 1", "a 1"]

    def test_unless_the_full_prompt_check_is_off(self) -> None:
        settings = {"num_blocks": 9, "max_num_batched_tokens": 12, "scheduler_reserve_full_isl": False}
        assert story(ask("a", 8, 3), ask("b", 26, 1), **settings)[0] == "a new 8, b new 4"

    def test_a_prompt_that_fits_exactly_gets_in(self) -> None:
        assert story(ask("a", 4, 1), ask("b", 28, 1), num_blocks=9) == ["a new 4, b new 28"]
        assert story(ask("a", 4, 1), ask("b", 29, 1), num_blocks=9) == ["a new 4", "b new 29"]

    def test_the_watermark_stays_free_while_somebody_runs(self) -> None:
        lines = story(ask("a", 4, 3), ask("b", 16, 1), num_blocks=10, watermark=0.5)
        assert lines == ["a new 4", "a 1", "a 1", "b new 16"]

    def test_a_hit_in_the_free_queue_costs_a_free_block(self) -> None:
        head = list(range(8))
        first, again = ask("a", head, 1), ask("b", [*head, 99], 1, at=1)
        other = ask("c", 20, 2, at=1)
        assert story(first, other, again, num_blocks=8)[:2] == ["a new 8", "c new 20"]
        assert story(first, other, again, num_blocks=9)[:2] == ["a new 8", "c new 20, b new 8+1"]


class TestPreemption:
    """Who gives way when a running request needs a block and none is free."""

    def test_fcfs_takes_the_last_one_admitted(self) -> None:
        lines = story(ask("a", 7, 5), ask("b", 7, 5), num_blocks=6)
        assert lines[:4] == ["a new 7, b new 7", "a 1, b 1", "a 1 / -b", "a 1"]

    def test_a_resumed_request_finds_its_own_blocks(self) -> None:
        lines = story(ask("a", 7, 5), ask("b", 7, 5), num_blocks=6)
        assert lines[2:] == ["a 1 / -b", "a 1", "a 1", "b resumed 8+1", "b 1", "b 1"]

    def test_several_victims_keep_their_order(self) -> None:
        steps = outcome(ask("a", 4, 9), *[ask(name, 3, 9) for name in "bcd"], num_blocks=5)["steps"]
        taken = [name for step in steps for name in step["preempted"]]
        assert taken[:3] == ["d", "c", "b"]
        assert next(step for step in steps if "b" in step["preempted"])["waiting"] == ["b", "c", "d"]

    def test_who_falls_victim_to_itself_ends_the_step_for_all_behind(self) -> None:
        requests = [ask("old", 5, 9), ask("low", 6, 9, priority=9), ask("behind", 5, 9, at=1, priority=5)]
        lines = story(*requests, num_blocks=7, policy="priority")
        assert lines[1:5] == [
            "old 1, low 1, behind new 5",
            "old 1, low 1, behind 1",
            "old 1 / -low",
            "old 1, behind 1",
        ]

    def test_nobody_is_admitted_beside_a_preemption(self) -> None:
        lines = story(ask("a", 7, 5), ask("b", 7, 5), ask("tiny", 1, 1, at=2), num_blocks=6)
        assert lines[2] == "a 1 / -b"


class TestPriority:
    """A lower number is served sooner; the greatest (priority, arrival) gives way."""

    def test_the_queue_is_ordered_by_priority(self) -> None:
        requests = [ask("a", 4, 1, priority=2), ask("b", 4, 1, priority=0), ask("c", 4, 1, priority=1)]
        assert story(*requests, max_num_seqs=1, policy="priority") == ["b new 4", "c new 4", "a new 4"]

    def test_a_tie_goes_to_the_earlier_arrival_and_not_to_the_name(self) -> None:
        assert story(ask("z", 4, 1), ask("a", 4, 1), max_num_seqs=1, policy="priority") == ["z new 4", "a new 4"]

    def test_a_better_one_that_waits_displaces_nobody(self) -> None:
        lines = story(ask("a", 4, 3, priority=5), ask("b", 4, 1, at=1, priority=0), max_num_seqs=1, policy="priority")
        assert lines == ["a new 4", "a 1", "a 1", "b new 4"]

    def test_the_victim_may_stand_before_the_one_that_needs_the_block(self) -> None:
        lines = story(
            ask("low", 5, 9, priority=9), ask("high", 7, 9, at=1, priority=0), num_blocks=5, policy="priority"
        )
        assert lines[:4] == ["low new 5", "low 1, high new 7", "low 1, high 1", "high 1 / -low"]

    def test_fcfs_does_not_look_at_it(self) -> None:
        assert story(ask("a", 4, 1, priority=9), ask("b", 4, 1, priority=0), max_num_seqs=1)[0] == "a new 4"


class TestEnds:
    """When an answer is over, and what then."""

    @pytest.mark.parametrize(
        ("more", "reason", "count"),
        [
            ({"max_tokens": 3}, "length", 3),
            ({"max_tokens": None}, "length", 60),
            ({"max_tokens": 999}, "length", 60),
            ({"output_token_ids": [7, 8, 9], "eos_token_id": 8, "max_tokens": 9}, "stop", 2),
            ({"output_token_ids": [7, 8, 9], "stop_token_ids": [5, 9], "max_tokens": 9}, "stop", 3),
            ({"output_token_ids": [7, 8], "eos_token_id": 8, "max_tokens": 2}, "stop", 2),
            ({"abort_step": 4, "max_tokens": 9}, "abort", 4),
        ],
    )
    def test_the_reason(self, more: dict[str, Any], reason: str, count: int) -> None:
        state = outcome({**ask("a", 4), **more})["requests"]["a"]
        assert (state["finish_reason"], state["num_output_tokens"]) == (reason, count)

    @pytest.mark.parametrize(
        ("length", "why"),
        [
            (0, "empty prompt"),
            (64, "prompt of 64 tokens leaves no room for one output token"),
            (65, "prompt of 65 tokens is longer than max_model_len 64"),
        ],
    )
    def test_what_is_refused_at_the_door(self, length: int, why: str) -> None:
        result = outcome(ask("a", length), ask("b", 63))
        assert result["requests"]["a"]["refused"] == why
        assert result["requests"]["b"]["refused"] is None

    def test_a_stall_is_seen_after_three_idle_steps(self) -> None:
        result = outcome(ask("a", 4, 2), ask("big", 40, 1), ask("c", 4, 1), num_blocks=5)
        assert result["status"] == "stalled"
        assert len(result["steps"]) == 5

    def test_a_stall_ends_when_the_head_is_aborted(self) -> None:
        requests = ask("a", 4, 2), ask("big", 40, 1, abort_step=20), ask("c", 4, 1)
        assert outcome(*requests, num_blocks=5)["status"] == "done"
