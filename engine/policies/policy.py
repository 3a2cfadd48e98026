"""What a scheduling policy is made of: functions, most of which most policies do without."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

from engine.policies.queues import Rank, RankedQueue, WaitingQueue
from engine.request import Request

Hits: TypeAlias = Callable[[Request], Sequence[int]]
"""Gives the cached blocks that a waiting request could join."""


class Policy(NamedTuple):
    """Who is served first, and who gives way. Write one of your own and hand it to the scheduler."""

    queue: Callable[[], WaitingQueue]
    """Makes the queue for those who wait."""
    victim: Callable[[Sequence[Request]], int]
    """Who loses its blocks when memory runs out: an index into the running list."""
    arrange: Callable[[Any, int, Hits], None] | None = None
    """Puts the queue in order before an admission, where its order depends on the time or on the cache."""
    changes_at: Callable[[Any], int | None] | None = None
    """When `arrange` may next change something just because time passes: None for never. A policy with `arrange`
    that leaves this out may change its mind at any step."""
    account: Callable[[Any, Request, int, int], None] | None = None
    """Told of service, with the plan that gives it: the queue, the request, prompt tokens (all of them, with
    the first row) and answer tokens."""
    account_decodes: Callable[[Any, Mapping[str, int], int], None] | None = None
    """The same for many at once, where only tenants count: the queue, how many requests of each tenant decode, and
    for how many steps. With `head_stays` it lets a simulation jump over steps."""
    head_stays: Callable[[Any, Mapping[str, int]], int] | None = None
    """In how many steps, the next one first, the head is the one that it is now, if of each tenant so many requests
    decode all the while and nobody comes or goes. It may say fewer, and says 1 at least."""
    displaced: Callable[[Any, Sequence[Request], int], Sequence[Request]] | None = None
    """Who gives up its seat for somebody who waits: of the queue, the running list and the number of seats."""


def last_admitted(running: Sequence[Request]) -> int:
    """The victim under FCFS: the tail of the running list."""
    return len(running) - 1  # rule: preempted_tail


def ranked(rank: Rank) -> Policy:
    """The lowest rank is served first, and the greatest among the running gives way."""

    def victim(running: Sequence[Request]) -> int:
        return max(range(len(running)), key=lambda index: rank(running[index]))

    return Policy(lambda: RankedQueue(rank), victim)
