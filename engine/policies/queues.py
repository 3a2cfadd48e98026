"""Those who wait, in the order in which they will be admitted."""

import heapq
from collections import deque
from collections.abc import Callable, Iterator, Sized
from typing import Any, Protocol, TypeAlias

from engine.request import Request


class WaitingQueue(Protocol):
    """What a scheduler asks of a queue."""

    @property
    def entries(self) -> Sized:
        """What holds them: empty if nobody waits."""

    def add(self, request: Request) -> None:
        """Let a new arrival wait."""

    def put_back(self, request: Request) -> None:
        """Let a preempted request wait again."""

    def head(self) -> Request:
        """Who is next."""

    def pop(self) -> Request:
        """Take the head out."""

    def remove(self, request: Request) -> None:
        """Take somebody out, wherever it stands."""

    def __len__(self) -> int: ...

    def __iter__(self) -> Iterator[Request]:
        """All of them, next one first."""


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


Rank: TypeAlias = Callable[[Request], tuple[Any, ...]]
"""Gives a request's place: the lowest is served first. It ends in the order of arrival, so no two tie."""


class RankedQueue:
    """The lowest rank first; a preempted request takes its old place. Ranks don't change while one waits."""

    def __init__(self, rank: Rank) -> None:
        self.rank = rank
        self.entries: list[tuple[tuple[Any, ...], Request]] = []

    def add(self, request: Request) -> None:
        """Let a request wait in its place."""
        heapq.heappush(self.entries, (self.rank(request), request))

    def put_back(self, request: Request) -> None:
        """Let a preempted request wait in its place."""
        self.add(request)

    def head(self) -> Request:
        """Who is next."""
        return self.entries[0][1]

    def pop(self) -> Request:
        """Take the head out."""
        return heapq.heappop(self.entries)[1]

    def remove(self, request: Request) -> None:
        """Take somebody out, wherever it stands."""
        self.entries.remove((self.rank(request), request))
        heapq.heapify(self.entries)

    def __len__(self) -> int:
        return len(self.entries)

    def __iter__(self) -> Iterator[Request]:
        return iter([request for _, request in sorted(self.entries)])


class ListQueue:
    """A plain list, for policies that put it in order themselves before each admission."""

    def __init__(self) -> None:
        self.entries: list[Request] = []
        self.add = self.entries.append
        self.remove = self.entries.remove

    def put_back(self, request: Request) -> None:
        """Let a preempted request wait again, ahead of all others until they are put in order."""
        self.entries.insert(0, request)

    def head(self) -> Request:
        """Who is next."""
        return self.entries[0]

    def pop(self) -> Request:
        """Take the head out."""
        return self.entries.pop(0)

    def __len__(self) -> int:
        return len(self.entries)

    def __iter__(self) -> Iterator[Request]:
        return iter(self.entries)
