"""Four clocks: each latency is a pair of events, and every tool pairs them in its own way."""

from random import Random

import pytest

from engine.metrics import e2e, queue_time, request_times, tpot, ttft
from engine.metrics.handovers import gaps
from engine.metrics.latency import latencies
from engine.metrics.requests import RequestTimes
from engine.trace import (
    Admitted,
    Arrived,
    Cancelled,
    Finished,
    FirstToken,
    Header,
    Record,
    Rejected,
    Row,
    Step,
    TimedOut,
    Tokens,
    Trace,
)

MS = 1_000_000


def recorded(*records: Record) -> Trace:
    trace = Trace(Header("made", "recorded", "ns"), tuple(sorted(records, key=lambda record: record.at)))
    trace.check()
    return trace


def answer(name: str, *times: int, arrived: int = 0) -> list[Record]:
    """A request with one token at each of these times."""
    first, *others = times
    records: list[Record] = [Arrived(arrived, name, 10, len(times)), FirstToken(first, name)]
    records += [Tokens(at, name) for at in others]
    return [*records, Finished(times[-1], name, "length", len(times))]


WORKED = recorded(
    Arrived(50 * MS, "a", 10, 5),
    Admitted(400 * MS, "a"),
    FirstToken(700 * MS, "a"),
    *[Tokens(at * MS, "a") for at in (750, 800, 1250, 1300)],
    Finished(1300 * MS, "a", "length", 5),
)
"""Sent at 0, at the engine at 50 ms, scheduled at 400, tokens at 700, 750, 800, 1,250 and 1,300."""


def test_the_worked_example_has_these_latencies() -> None:
    (request,) = request_times(WORKED)
    assert ttft(request) == 650 * MS
    assert queue_time(request) == 350 * MS
    assert e2e(request) == 1250 * MS
    assert tpot(request) == 150 * MS
    assert gaps(WORKED) == [50 * MS, 50 * MS, 450 * MS, 50 * MS]


def test_the_mean_of_tpots_is_not_the_mean_gap() -> None:
    one = answer("A", 0, 500 * MS)
    other = answer("B", *[20 * MS * index for index in range(101)])
    trace = recorded(*one, *other)
    tpots = [tpot(request) for request in request_times(trace)]
    assert tpots == [500 * MS, 20 * MS]
    assert sum(gaps(trace)) / len(gaps(trace)) == pytest.approx(24.75 * MS, rel=0.01)


def test_an_answer_of_one_token_has_no_tpot_and_no_gap() -> None:
    trace = recorded(*answer("a", 9))
    assert [tpot(request) for request in request_times(trace)] == [None]
    assert gaps(trace) == []


def test_tokens_that_come_together_are_one_gap() -> None:
    # Chunks of 1, 3 and 2 tokens at 0, 60 and 120 ms: an ITL of 60, and a TPOT of 24.
    trace = recorded(
        Arrived(0, "a", 1, 6),
        FirstToken(0, "a"),
        Tokens(60 * MS, "a", 3),
        Tokens(120 * MS, "a", 2),
        Finished(120 * MS, "a", "length", 6),
    )
    assert gaps(trace) == [60 * MS, 60 * MS]
    assert [tpot(request) for request in request_times(trace)] == [24 * MS]


def test_a_first_chunk_of_several_tokens_is_no_gap() -> None:
    trace = recorded(
        Arrived(0, "a", 1, 4), FirstToken(5, "a"), Tokens(5, "a", 2), Tokens(9, "a"), Finished(9, "a", "stop", 4)
    )
    assert gaps(trace) == [4]


def test_whoever_got_no_answer_has_no_latency_of_one() -> None:
    trace = recorded(
        Arrived(0, "refused", 1, 1),
        Rejected(0, "refused", "full"),
        Arrived(0, "gone", 1, 9, tenant="x"),
        Admitted(2, "gone", num_cached_tokens=1),
        FirstToken(5, "gone"),
        Cancelled(7, "gone", 2),
        Arrived(0, "late", 1, 1),
        TimedOut(8, "late"),
        Arrived(9, "left", 1, 1),
    )
    refused, gone, late, left = request_times(trace)
    assert (refused.outcome, late.outcome, left.outcome) == ("rejected", "timed_out", "unfinished")
    assert gone == RequestTimes("gone", 0, 2, 5, 7, "cancelled", 1, 2, 1, "x")
    assert (ttft(gone), e2e(gone), tpot(gone), queue_time(gone)) == (5, None, None, 2)
    assert (ttft(late), e2e(late), queue_time(left)) == (None, None, None)


def test_rows_say_when_tokens_came() -> None:
    trace = recorded(
        Arrived(0, "a", 3, 3),
        Step(0, 0, 10, (Row("a", 2, 0, "new"),)),
        Step(1, 10, 10, (Row("a", 1, 2),)),
        FirstToken(20, "a", 1),
        Step(2, 20, 30, (Row("a", 1, 3),)),
        # Preempted and computed again: two prompt chunks, and the third token with the second.
        Step(3, 50, 10, preempted=("a",)),
        Step(4, 60, 10, (Row("a", 3, 0, "resumed"),)),
        Step(5, 70, 10, (Row("a", 2, 3),)),
        Finished(80, "a", "length", 3, 5),
    )
    assert gaps(trace) == [30, 30]


def test_the_latencies_of_all_are_those_of_each() -> None:
    draws, functions = Random(1), {"ttft": ttft, "tpot": tpot, "e2e": e2e, "queue_time": queue_time}
    requests = []
    for _ in range(500):
        arrived, admitted, first, ended = (draws.choice([None, draws.randint(0, 99)]) for _ in range(4))
        end = draws.choice(["finished", "finished", "timed_out", "rejected", "cancelled", "unfinished"])
        times = RequestTimes("a", arrived or 0, admitted, first, ended, end, 1, draws.randint(0, 3))  # type: ignore[arg-type]
        requests.append(times)
    found = latencies(requests)
    assert list(found) == list(functions)
    for name, function in functions.items():
        assert found[name] == [value for each in requests if (value := function(each)) is not None], name
    assert latencies([]) == dict.fromkeys(functions, ())
