"""Who is served first, and who gives way: the scheduling policies.

A policy is a queue for those who wait and a function that picks the victim when memory runs out. To add
one, write both and name them in `POLICIES`.
"""

import heapq
from collections import deque
from collections.abc import Callable, Iterator, Sequence, Sized
from typing import Final, NamedTuple, Protocol, TypeAlias

from engine.request import Request


class WaitingQueue(Protocol):
    """Those who wait, in the order in which they will be admitted."""

    @property
    def entries(self) -> Sized:
        """What holds them: empty if nobody waits."""

    def add(self, request: Request) -> None:
        """Let a new arrival wait."""

    def put_back(self, request: Request) -> None:
        """Let a preempted request wait again."""

    def head(self) -> Request:
        """Who is next. Nobody overtakes the head: if it doesn't fit, all wait."""

    def pop(self) -> Request:
        """Take the head out."""

    def remove(self, request: Request) -> None:
        """Take somebody out who won't come back."""

    def __len__(self) -> int: ...

    def __iter__(self) -> Iterator[Request]: ...


class ArrivalQueue:
    """First come, first served; a preempted request goes to the very front."""

    def __init__(self) -> None:
        self.entries: deque[Request] = deque()
        self.add = self.entries.append
        self.put_back = self.entries.appendleft
        self.pop = self.entries.popleft
        self.remove = self.entries.remove

    def head(self) -> Request:
        """Who is next."""
        return self.entries[0]

    def __len__(self) -> int:
        return len(self.entries)

    def __iter__(self) -> Iterator[Request]:
        return iter(self.entries)


Rank: TypeAlias = tuple[int, int, int]
"""Priority, arrival time and order of arrival: the lowest is served first."""


def rank(request: Request) -> Rank:
    """Its place under the priority policy: a lower number first, then the earlier arrival."""
    return request.priority, request.arrival_time, request.order


class PriorityQueue:
    """The lowest (priority, arrival) first; a preempted request takes its old place."""

    def __init__(self) -> None:
        # An order is given once, so no two entries tie and requests are never compared.
        self.entries: list[tuple[Rank, Request]] = []

    def add(self, request: Request) -> None:
        """Let a request wait in its place."""
        heapq.heappush(self.entries, (rank(request), request))

    put_back = add

    def head(self) -> Request:
        """Who is next."""
        return self.entries[0][1]

    def pop(self) -> Request:
        """Take the head out."""
        return heapq.heappop(self.entries)[1]

    def remove(self, request: Request) -> None:
        """Take somebody out, wherever it stands."""
        self.entries.remove((rank(request), request))
        heapq.heapify(self.entries)

    def __len__(self) -> int:
        return len(self.entries)

    def __iter__(self) -> Iterator[Request]:
        return iter([request for _, request in sorted(self.entries)])


def last_admitted(running: Sequence[Request]) -> int:
    """The victim under FCFS: the tail of the running list."""
    return len(running) - 1


def lowest_ranked(running: Sequence[Request]) -> int:
    """The victim under priority: the greatest (priority, arrival), wherever it stands in the list."""
    return max(range(len(running)), key=lambda index: rank(running[index]))


class Policy(NamedTuple):
    """A queue for those who wait, and who gives way: an index into the running list."""

    queue: Callable[[], WaitingQueue]
    victim: Callable[[Sequence[Request]], int]


POLICIES: Final[dict[str, Policy]] = {
    "fcfs": Policy(ArrivalQueue, last_admitted),
    "priority": Policy(PriorityQueue, lowest_ranked),
}
"""Every policy, under the name that `Settings.policy` takes."""
