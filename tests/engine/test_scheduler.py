"""How a scheduler is driven: plan, commit, add, abort; what it refuses; what its check finds."""

import pytest

from engine.request import Request
from engine.scheduler import Scheduler
from engine.settings import Settings
from engine.trace import Row


def scheduler(**more: object) -> Scheduler:
    return Scheduler(Settings.from_mapping({"num_blocks": 17, "max_model_len": 64, "block_size": 4, **more}))


def with_one(**more: object) -> tuple[Scheduler, Request]:
    """A scheduler, and a request that waits."""
    engine, request = scheduler(**more), Request("a", [1, 2, 3, 4, 5], 3)
    assert engine.add_request(request) is None
    return engine, request


def test_a_plan_is_a_value() -> None:
    engine, _ = with_one()
    plan = engine.plan()
    assert plan.rows == (Row("a", 5, 0, "new", (1, 2)),)
    assert (plan.step, plan.num_scheduled_tokens, plan.samples, len(plan)) == (0, 5, ["a"], 1)
    other, _ = with_one()
    again = other.plan()
    assert again == plan
    assert hash(again) == hash(plan)
    assert repr(again) == repr(plan)
    engine.commit(plan, [6])
    assert engine.plan() != plan
    assert plan != "a plan"


def test_a_commit_delivers_tokens_and_says_who_is_done() -> None:
    engine, request = with_one()
    assert engine.commit(engine.plan(), [6]) == []
    assert request.token_ids == [1, 2, 3, 4, 5, 6]
    assert engine.commit(engine.plan(), [7]) == []
    assert engine.commit(engine.plan(), [8]) == [request]
    assert (request.status, request.finish_reason, engine.requests, engine.running) == ("finished", "length", {}, [])
    engine.check()


def test_a_prompt_in_pieces_gets_no_token_before_its_last_piece() -> None:
    engine, request = with_one(max_num_batched_tokens=4, max_num_seqs=4)
    plan = engine.plan()
    assert plan.samples == [None]
    engine.commit(plan, [99])
    assert request.num_output_tokens == 0
    assert engine.plan().samples == ["a"]


def test_plans_are_committed_once_and_in_order() -> None:
    engine, _ = with_one()
    plan = engine.plan()
    with pytest.raises(RuntimeError, match="plan 0 isn't committed; commit it before the next"):
        engine.plan()
    engine.commit(plan, [6])
    with pytest.raises(ValueError, match="plan 0 isn't the next to commit"):
        engine.commit(plan, [6])


@pytest.mark.parametrize(
    ("tokens", "why"),
    [([], "0 tokens for 1 rows"), ([6, 7], "2 tokens for 1 rows"), ([None], "no token for request 'a'")],
)
def test_tokens_must_match_the_rows(tokens: list[int | None], why: str) -> None:
    engine, request = with_one()
    plan = engine.plan()
    with pytest.raises(ValueError, match=why):
        engine.commit(plan, tokens)
    engine.commit(plan, [6])
    assert request.num_output_tokens == 1


def test_a_request_serves_once_and_an_id_stands_for_one() -> None:
    engine, request = with_one()
    with pytest.raises(ValueError, match="request 'a' is waiting; add a new Request instead"):
        engine.add_request(request)
    with pytest.raises(ValueError, match="the id 'a' is in use"):
        engine.add_request(Request("a", [1], 1))
    engine.abort("a")
    with pytest.raises(ValueError, match="request 'a' is finished"):
        engine.add_request(request)
    assert engine.add_request(Request("a", [1], 1)) is None


def test_what_is_refused_does_not_wait() -> None:
    engine = scheduler()
    empty = Request("a", [])
    assert engine.add_request(empty) == "empty prompt"
    assert (empty.status, engine.requests, len(engine.waiting)) == ("new", {}, 0)


class TestAbort:
    """A client may give up at any time."""

    def test_while_it_waits(self) -> None:
        engine, request = with_one()
        assert engine.abort("a")
        assert (request.finish_reason, len(engine.waiting)) == ("abort", 0)
        assert not engine.abort("a")
        engine.check()

    def test_while_it_runs(self) -> None:
        engine, _ = with_one()
        engine.commit(engine.plan(), [6])
        assert engine.abort("a")
        assert engine.kv_cache.pool.num_free_blocks == 16
        engine.check()

    def test_between_a_plan_and_its_commit(self) -> None:
        engine, request = with_one()
        plan = engine.plan()
        assert engine.abort("a")
        assert engine.commit(plan, [6]) == []
        assert request.num_output_tokens == 0
        engine.check()

    def test_of_nobody(self) -> None:
        assert not scheduler().abort("nobody")


class TestStall:
    """A plan that shows that nothing will ever run again."""

    def engine(self) -> Scheduler:
        values = {"num_blocks": 5, "max_model_len": 64, "block_size": 4, "reject_unservable": False}
        return Scheduler(Settings.from_mapping(values, startup_rule=False))

    def test_it_is_seen_at_once(self) -> None:
        engine = self.engine()
        engine.add_request(Request("small", [1, 2], 1))
        engine.add_request(Request("big", range(40), 1))
        plan = engine.plan()
        assert not engine.is_stalled(plan)
        engine.commit(plan, [3])
        plan = engine.plan()
        assert engine.is_stalled(plan)
        engine.commit(plan, [])
        engine.abort("big")
        assert not engine.is_stalled(engine.plan())

    def test_a_step_that_only_preempts_is_none(self) -> None:
        engine = self.engine()
        engine.add_request(Request("grows", range(15), 10))
        engine.commit(engine.plan(), [3])
        engine.commit(engine.plan(), [4])
        plan = engine.plan()
        assert (plan.rows, plan.preempted) == ((), ["grows"])
        assert not engine.is_stalled(plan)
        engine.commit(plan, [])
        assert engine.is_stalled(engine.plan())

    def test_unless_the_settings_ask_for_it_such_a_request_is_rejected(self) -> None:
        values = {"num_blocks": 5, "max_model_len": 64, "block_size": 4}
        engine = Scheduler(Settings.from_mapping(values, startup_rule=False))
        assert engine.add_request(Request("fits", range(15), 2)) is None
        assert engine.add_request(Request("grows", range(15), 3)) == (
            "prompt of 15 tokens may grow to 18, which needs 5 blocks of 4, and the pool lends 4"
        )


class TestCheck:
    """It finds what doesn't add up."""

    def test_a_lost_request(self) -> None:
        engine, _ = with_one()
        engine.waiting.pop()
        with pytest.raises(AssertionError, match="0 running \\+ 0 waiting != 1 known"):
            engine.check()

    def test_a_waiting_request_with_blocks(self) -> None:
        engine, request = with_one()
        request.block_table = [3]
        with pytest.raises(AssertionError, match=r"waits and holds blocks \[3\]"):
            engine.check()

    def test_a_wrong_status(self) -> None:
        engine, request = with_one()
        request.status = "running"
        with pytest.raises(AssertionError, match="is in the waiting queue"):
            engine.check()
        engine, request = with_one()
        engine.plan()
        request.status = "preempted"
        with pytest.raises(AssertionError, match="is in the running list"):
            engine.check()

    def test_a_request_beyond_its_limit(self) -> None:
        engine, request = with_one()
        request.token_ids += [6, 7, 8]
        with pytest.raises(AssertionError, match="ends at 8 tokens and didn't"):
            engine.check()

    def test_more_computed_than_known(self) -> None:
        engine, request = with_one()
        engine.plan()
        request.num_computed_tokens = 7
        with pytest.raises(AssertionError, match="computed 7 tokens with 0 in flight"):
            engine.check()

    def test_too_many_at_once(self) -> None:
        engine, _ = with_one(max_num_seqs=1)
        engine.add_request(Request("b", [1], 1))
        engine.plan()
        other = engine.waiting.pop()
        other.status = "running"
        engine.running.append(other)
        with pytest.raises(AssertionError, match="2 run on 1 seats"):
            engine.check()
