"""A workload served step by step: what happens when, down to the nanosecond."""

from engine.admission import NO_LIMITS, QueueLimit, ServerLimits, TenantBudget
from engine.cost import LinearCost
from engine.settings import Settings
from engine.simulate import serve
from engine.trace import Admitted, Cancelled, Finished, FirstToken, Record, Rejected, Step, TimedOut
from engine.workload import Arrival, Workload

SETTINGS = Settings(num_blocks=200, max_model_len=512, block_size=4, max_num_seqs=2, max_num_batched_tokens=64)

COST = LinearCost(step_ps=100_000, prefill_token_ps=10_000, decode_seq_ps=1_000)
"""100 ns a step, 10 ns more for a prompt token, 1 ns more for a decoding sequence."""


def served(*arrivals: Arrival, limits: ServerLimits = NO_LIMITS, settings: Settings = SETTINGS) -> list[Record]:
    trace = serve(settings, Workload("test", arrivals), COST, limits)
    trace.check()
    return list(trace.records)


def times(records: list[Record], kind: type) -> dict[str, int]:
    return {record.id: record.at for record in records if isinstance(record, kind)}  # type: ignore[union-attr]


def test_a_lone_request_takes_its_prompt_and_then_a_step_a_token() -> None:
    records = served(Arrival(50, "a", 8, 3))
    assert [(step.at, step.duration) for step in records if isinstance(step, Step)] == [
        (50, 180),
        (230, 101),
        (331, 101),
    ]
    assert times(records, FirstToken) == {"a": 230}
    assert records[-1] == Finished(432, "a", "length", 3, 2)


def test_who_arrives_during_a_step_is_admitted_by_the_next_one_and_waits_from_its_own_time() -> None:
    records = served(Arrival(0, "a", 8, 3), Arrival(7, "b", 4, 1))
    assert times(records, Admitted) == {"a": 0, "b": 180}
    assert times(records, Finished) == {"b": 180 + 141, "a": 180 + 141 + 101}
    assert [record.at for record in records] == sorted(record.at for record in records)


def test_a_client_that_leaves_during_a_step_gets_no_token_of_it() -> None:
    records = served(Arrival(0, "a", 8, 9, cancel_at=200))
    assert [record for record in records if isinstance(record, Cancelled)] == [Cancelled(200, "a", 1, 2)]
    assert not times(records, Finished)


def test_an_answer_that_is_complete_when_its_client_leaves_was_served() -> None:
    records = served(Arrival(0, "a", 8, 1, cancel_at=180))
    assert times(records, Finished) == {"a": 180}
    assert not times(records, Cancelled)


def test_a_request_that_waits_too_long_is_given_up_and_one_that_runs_is_not() -> None:
    crowd = [Arrival(0, name, 8, 20) for name in "abc"]
    records = served(*crowd, limits=ServerLimits(max_wait=300))
    assert times(records, TimedOut) == {"c": 300}
    assert set(times(records, Finished)) == {"a", "b"}


def test_a_timeout_ends_waiting_and_running_requests_alike() -> None:
    crowd = [Arrival(0, name, 8, 20) for name in "abc"]
    records = served(*crowd, limits=ServerLimits(timeout=500))
    assert times(records, TimedOut) == {"a": 500, "b": 500, "c": 500}


def test_a_full_queue_refuses() -> None:
    records = served(
        *[Arrival(index, f"r{index}", 8, 20) for index in range(5)], limits=ServerLimits(doors=(QueueLimit(2),))
    )
    refused = [(record.id, record.reason) for record in records if isinstance(record, Rejected)]
    assert refused == [
        ("r3", "2 requests wait, and the queue holds 2"),
        ("r4", "2 requests wait, and the queue holds 2"),
    ]


def test_a_tenant_beyond_its_budget_is_refused_until_something_of_its_ends() -> None:
    crowd = [Arrival(at, f"r{at}", 8, 2, tenant="a") for at in (0, 1, 2, 5000)]
    records = served(
        *crowd, Arrival(6000, "other", 8, 20, tenant="b"), limits=ServerLimits(doors=(TenantBudget({"a": 20}),))
    )
    refused = [(record.id, record.reason) for record in records if isinstance(record, Rejected)]
    assert refused == [("r2", "tenant 'a' has 20 tokens under way and asks for 10; its budget is 20")]
