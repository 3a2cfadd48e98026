"""A client that waits for its answer hides the queue that it would have stood in."""

import heapq

import pytest

from engine.workload import Arrival, ClosedLoop, WorkloadError, constant, fixed, open_loop

SECOND = 1_000_000_000
SERVICE = SECOND // 10

WANTED = open_loop("wanted", constant(20), fixed(10, 10), 200).arrivals
"""Twenty requests a second."""


def one_at_a_time(first: list[Arrival], loop: ClosedLoop | None = None) -> dict[str, tuple[int, int]]:
    """A server that takes a tenth of a second a request: when each one arrived and was answered."""
    waiting = [(arrival.at, number, arrival.id) for number, arrival in enumerate(first)]
    heapq.heapify(waiting)
    served: dict[str, tuple[int, int]] = {}
    now = 0
    while waiting:
        at, _, name = heapq.heappop(waiting)
        now = max(now, at) + SERVICE
        served[name] = (at, now)
        following = loop.answered(name, now) if loop else None
        if following is not None:
            heapq.heappush(waiting, (following.at, len(served) + len(first), following.id))
    return served


def waits(served: dict[str, tuple[int, int]]) -> list[int]:
    return sorted(end - at for at, end in served.values())


def test_coordinated_omission_hides_the_queue() -> None:
    # Twice as many requests as the server can take: people would wait longer and longer.
    open_waits = waits(one_at_a_time(list(WANTED)))
    loop = ClosedLoop(WANTED, 2, interval_ns=SECOND // 10)
    closed_waits = waits(one_at_a_time(loop.first(), loop))
    assert len(open_waits) == len(closed_waits) == 200
    assert open_waits[-1] > 10 * SECOND
    assert closed_waits[-1] <= 2 * SERVICE


def test_every_request_is_sent_once_whoever_sends_it() -> None:
    loop = ClosedLoop(WANTED, 7, think_ns=3)
    served = one_at_a_time(loop.first(), loop)
    assert sorted(served) == sorted(arrival.id for arrival in WANTED)


def test_a_client_thinks_and_keeps_its_interval() -> None:
    loop = ClosedLoop(WANTED[:5], 2, think_ns=30, interval_ns=100)
    assert [(a.id, a.at) for a in loop.first()] == [("r0", 0), ("r1", 50)]
    soon = loop.answered("r0", 20)
    late = loop.answered("r1", 400)
    assert soon is not None
    assert late is not None
    assert (soon.at, late.at) == (100, 430)


def test_patience_moves_with_the_request() -> None:
    request = Arrival(1_000, "a", 1, 1, cancel_at=1_007, deadline=1_009)
    (sent,) = ClosedLoop([request], 3).first()
    assert (sent.at, sent.cancel_at, sent.deadline) == (0, 7, 9)


def test_a_request_that_is_not_under_way_was_not_answered() -> None:
    loop = ClosedLoop(WANTED, 1)
    loop.first()
    with pytest.raises(KeyError):
        loop.answered("r9", 1)


def test_clients_and_times_that_can_not_be_are_refused() -> None:
    with pytest.raises(WorkloadError, match="0 clients"):
        ClosedLoop(WANTED, 0)
    with pytest.raises(WorkloadError, match="interval_ns -1"):
        ClosedLoop(WANTED, 1, interval_ns=-1)
