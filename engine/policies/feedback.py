"""Skip-join multi-level feedback: short requests pass long ones without anybody knowing lengths.

Each level has a quantum of service in tokens, twice that of the level above it. A request joins the first level
whose quantum covers its prompt (so it *skips* those that it would outgrow at once), sinks by one level
whenever it has used its quantum up, and gives its seat to whoever waits on a higher level. (Wu and others,
"Fast distributed inference serving for large language models", 2023; there a displaced request's keys and values are
moved to the host, here they are dropped and computed again. Nobody is promoted for waiting.)
"""

from collections import deque
from collections.abc import Iterator, Sequence
from typing import Final

from engine.policies.policy import Policy, last_admitted
from engine.request import Request

QUANTUM: Final = 128
"""The tokens of service of the highest level."""

NUM_LEVELS: Final = 8
"""The lowest of them has no quantum: whoever is there stays."""


class FeedbackQueue:
    """A line for each level."""

    def __init__(self) -> None:
        self.entries: dict[str, Request] = {}
        self._lines: list[deque[Request]] = [deque() for _ in range(NUM_LEVELS)]
        self._level: dict[str, int] = {}
        self._used: dict[str, int] = {}

    def add(self, request: Request) -> None:
        """Let a request join the first level that covers its prompt."""
        level = 0
        while level < NUM_LEVELS - 1 and QUANTUM << level < request.num_prompt_tokens:
            level += 1
        self._level[request.id], self._used[request.id] = level, 0
        self._lines[level].append(request)
        self.entries[request.id] = request

    def put_back(self, request: Request) -> None:
        """Let a request that lost its blocks or its seat wait at the head of its level."""
        self._lines[self._level[request.id]].appendleft(request)
        self.entries[request.id] = request

    def head(self) -> Request:
        """The first one on the highest level where somebody waits."""
        return next(line[0] for line in self._lines if line)

    def pop(self) -> Request:
        """Take the head out."""
        request = self.head()
        self.remove(request)
        return request

    def remove(self, request: Request) -> None:
        """Take somebody out, wherever it stands."""
        del self.entries[request.id]
        self._lines[self._level[request.id]].remove(request)

    def account(self, request: Request, num_prompt_tokens: int, num_output_tokens: int) -> None:
        """Use a request's quantum up, and let it sink."""
        name = request.id
        self._used[name] += num_prompt_tokens + num_output_tokens
        if self._used[name] > QUANTUM << self._level[name] and self._level[name] < NUM_LEVELS - 1:
            self._level[name] += 1
            self._used[name] = 0

    def displaced(self, running: Sequence[Request], seats: int) -> list[Request]:
        """Who runs on a lower level than somebody who waits for a seat: the lowest and latest first."""
        self._forget_the_gone(running)
        free = seats - len(running)
        worst_first = sorted(running, key=lambda one: (-self._level[one.id], -one.order))
        wanting = list(self)[max(free, 0) :]
        return [
            one for one, other in zip(worst_first, wanting, strict=False) if self._level[other.id] < self._level[one.id]
        ]

    def _forget_the_gone(self, running: Sequence[Request]) -> None:
        if len(self._level) > 2 * (len(running) + len(self.entries)) + NUM_LEVELS:
            here = {*self.entries, *(request.id for request in running)}
            self._level = {name: level for name, level in self._level.items() if name in here}
            self._used = {name: self._used[name] for name in self._level}

    def __len__(self) -> int:
        return len(self.entries)

    def __iter__(self) -> Iterator[Request]:
        return iter([request for line in self._lines for request in line])


FEEDBACK: Final = Policy(FeedbackQueue, last_admitted, account=FeedbackQueue.account, displaced=FeedbackQueue.displaced)
"""Skip-join multi-level feedback."""
