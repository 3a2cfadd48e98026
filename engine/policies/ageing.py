"""Shortest first, until somebody has waited too long: the cure for what shortest-first does to long requests."""

import heapq
from collections.abc import Iterator, Sequence
from typing import Any, Final

from engine.policies.policy import Hits, Policy
from engine.policies.ranks import by_prediction
from engine.request import Request

PATIENCE: Final = 10_000_000_000
"""How long a request is passed over at most, in the clock's unit: ten seconds in nanoseconds."""


class AgeingQueue:
    """Those who have waited for `patience` stand first, in the order of arrival; all others by prediction."""

    def __init__(self, patience: int) -> None:
        self.patience = patience
        self.entries: dict[str, Request] = {}
        self._by_rank: list[tuple[tuple[int, int], Request]] = []
        self._by_arrival: list[tuple[int, int, Request]] = []
        self._aged: list[tuple[int, int, Request]] = []

    def add(self, request: Request) -> None:
        """Let a request wait in its place."""
        self.entries[request.id] = request
        heapq.heappush(self._by_rank, (by_prediction(request), request))
        heapq.heappush(self._by_arrival, (request.arrival_time, request.order, request))

    def put_back(self, request: Request) -> None:
        """Let a preempted request wait again: since its arrival, as far as patience goes."""
        self.add(request)

    def head(self) -> Request:
        """Who is next."""
        if self._aged:
            return self._aged[0][2]
        return self._by_rank[0][1]

    def pop(self) -> Request:
        """Take the head out."""
        request = self.head()
        self.remove(request)
        return request

    def remove(self, request: Request) -> None:
        """Take somebody out, wherever it stands."""
        del self.entries[request.id]
        by_arrival = (request.arrival_time, request.order, request)
        if by_arrival in self._aged:
            _take_out(self._aged, by_arrival)
        else:
            _take_out(self._by_rank, (by_prediction(request), request))
            _take_out(self._by_arrival, by_arrival)

    def grow_older(self, now: int, hits: Hits) -> None:
        """Move those forward who have waited long enough by now."""
        while self._by_arrival and self._by_arrival[0][0] + self.patience <= now:
            aged = heapq.heappop(self._by_arrival)
            _take_out(self._by_rank, (by_prediction(aged[2]), aged[2]))
            heapq.heappush(self._aged, aged)

    def next_birthday(self) -> int | None:
        """When the next one will have waited long enough."""
        return self._by_arrival[0][0] + self.patience if self._by_arrival else None

    def __len__(self) -> int:
        return len(self.entries)

    def __iter__(self) -> Iterator[Request]:
        return iter([*(one[2] for one in sorted(self._aged)), *(one[1] for one in sorted(self._by_rank))])


def _take_out(heap: list[Any], entry: Any) -> None:
    heap.remove(entry)
    heapq.heapify(heap)


def _longest_predicted(running: Sequence[Request]) -> int:
    return max(range(len(running)), key=lambda index: by_prediction(running[index]))


def shortest_with_ageing(patience: int = PATIENCE) -> Policy:
    """Shortest predicted answer first, but nobody is passed over once it has waited for `patience`."""
    return Policy(
        lambda: AgeingQueue(patience),
        _longest_predicted,
        arrange=AgeingQueue.grow_older,
        changes_at=AgeingQueue.next_birthday,
    )
