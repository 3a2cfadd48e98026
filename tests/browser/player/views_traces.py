"""Traces that the views of the player are held against: small ones that between them show all that a view can draw."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from heapq import merge
from types import MappingProxyType

from engine.cost import LinearCost
from engine.naive import continuous_batch
from engine.request import Request
from engine.settings import Settings
from engine.simulate import serve, simulate
from engine.trace import Admitted, Arrived, Finished, FirstToken, Header, Record, Stalled, Step, Tokens, Trace
from engine.workload import Arrival, Segment, Workload


def _prompt(shared: int, own: int, number: int) -> list[int]:
    """A prompt of `shared` tokens that others have as well, and `own` that nobody else has."""
    return [*range(1, shared + 1), *range(1000 * number, 1000 * number + own)]


def plain() -> Trace:
    """The first lesson's batch: slots and no blocks."""
    return continuous_batch({"a": 2, "b": 4, "c": 1, "d": 3}, 2)


def tight() -> Trace:
    """Too few blocks: requests are preempted and computed again, with the cache off."""
    settings = Settings(
        num_blocks=9, max_model_len=64, block_size=4, max_num_seqs=4, max_num_batched_tokens=16,
        enable_prefix_caching=False, startup_rule=False,
    )  # fmt: skip
    return simulate(
        settings, [Request(f"r{k}", _prompt(0, 7, k), 8, arrival_time=k) for k in range(1, 5)], name="tight"
    )


def shared() -> Trace:
    """One long prefix, two of another salt, one who comes when only the cache remembers it, then evictions."""
    settings = Settings(
        num_blocks=15, max_model_len=64, block_size=4, max_num_seqs=3, max_num_batched_tokens=24, startup_rule=False
    )
    salts = {4: "blue", 5: "blue"}
    requests = [
        Request(f"r{k}", _prompt(12, 3 + k, k), 4, cache_salt=salts.get(k), arrival_time=2 * k) for k in range(1, 6)
    ]
    requests += [
        Request("late", _prompt(12, 2, 9), 3, arrival_time=26),
        Request("huge", _prompt(0, 40, 8), 6, arrival_time=30),
    ]
    return simulate(settings, requests, name="shared")


def ahead() -> Trace:
    """Asynchronous scheduling: a step is planned before the tokens of the one before it are there."""
    settings = Settings(
        num_blocks=10, max_model_len=64, block_size=4, max_num_seqs=3, max_num_batched_tokens=12,
        async_scheduling=True, startup_rule=False,
    )  # fmt: skip
    return simulate(
        settings, [Request(f"r{k}", _prompt(4, 4, k), 6, arrival_time=k) for k in range(1, 5)], name="ahead"
    )


def timed() -> Trace:
    """In nanoseconds, two tenants, one who gives up."""
    settings = Settings(
        num_blocks=33, max_model_len=256, block_size=16, max_num_seqs=4, max_num_batched_tokens=64, startup_rule=False
    )
    prefix = Segment(7, 32)
    arrivals = [
        Arrival(
            at=2_000_000 * k,
            id=f"{'ab'[k % 2]}{k}",
            num_prompt_tokens=40 + 9 * k,
            num_output_tokens=5 + k,
            beginning=(prefix,),
            tenant="ab"[k % 2],
            cancel_at=30_000_000 if k == 7 else None,
        )
        for k in range(12)
    ]
    return serve(settings, Workload("timed", tuple(arrivals)), COST)


COST = LinearCost(step_ps=4_000_000_000, prefill_token_ps=20_000_000, decode_seq_ps=100_000_000, kv_token_ps=10_000)


def client() -> Trace:
    """What a client saw: tokens and their times, no steps."""
    records: list[Record] = [
        Arrived(0, "x", 20, 4),
        Arrived(1_000_000, "y", 30, 3),
        FirstToken(9_000_000, "x"),
        Tokens(12_000_000, "x", 2),
        FirstToken(14_000_000, "y"),
        Tokens(16_000_000, "x"),
        Finished(16_000_000, "x", "length", 4),
        Tokens(19_000_000, "y", 2),
        Finished(19_000_000, "y", "length", 3),
    ]
    return Trace(Header("client", "recorded", "ns"), tuple(records))


MAKERS: Mapping[str, Callable[[], Trace]] = MappingProxyType(
    {made.__name__: made for made in (plain, tight, shared, ahead, timed, client)}
)
"""Each trace by its name."""


@cache
def trace(name: str) -> Trace:
    """One of them, made once."""
    made = MAKERS[name]()
    made.check()
    return made


def twice(name: str) -> Trace:
    """The same trace on two replicas, `a` and `b`: their steps take turns, and each has blocks of its own."""
    whole = trace(name)
    both = [[_on(record, lane) for record in whole.records] for lane in "ab"]
    merged = tuple(merge(*both, key=lambda record: record.at))
    return Trace(whole.header._replace(name=f"{name} twice"), merged)


def _on(record: Record, lane: str) -> Record:
    """A record as a replica of this name has it."""
    if isinstance(record, Step):
        return record._replace(
            rows=tuple(row._replace(id=f"{lane}-{row.id}") for row in record.rows),
            preempted=tuple(f"{lane}-{name}" for name in record.preempted),
            lane=lane,
        )
    assert not isinstance(record, Stalled)
    named: Record = record._replace(id=f"{lane}-{record.id}")
    return named._replace(lane=lane) if isinstance(named, Admitted) else named
