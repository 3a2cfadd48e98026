"""Fairness between tenants by virtual token counters.

Each tenant's counter grows with the service it gets, and the tenant with the lowest counter goes next. A tenant
that was away and comes back has its counter lifted to the others', so that nobody saves up service by being
idle. (Sheng and others, "Fairness in serving large language models", OSDI 2024, whose weights these are.)
"""

from collections import defaultdict, deque
from collections.abc import Iterator, Mapping
from typing import Final

from engine.policies.policy import Policy, last_admitted
from engine.request import Request

PROMPT_WEIGHT: Final = 1
"""What a prompt token adds to a counter."""

OUTPUT_WEIGHT: Final = 2
"""What a token of an answer adds."""

FOR_EVER: Final = 1 << 62
"""More steps than there are."""


class FairQueue:
    """A line for each tenant, and a counter."""

    def __init__(self) -> None:
        self.entries: dict[str, Request] = {}
        self.counters: defaultdict[str, int] = defaultdict(int)
        self._lines: dict[str, deque[Request]] = {}
        """Lines of those tenants who have somebody waiting."""
        self._last_to_leave = ""

    def add(self, request: Request) -> None:
        """Let a request wait; lift its tenant's counter if it had nobody waiting."""
        tenant = request.tenant
        if tenant not in self._lines:
            level = self.counters.get(self._last_to_leave, 0)
            if self._lines:
                level = min(self.counters[other] for other in self._lines)
            self.counters[tenant] = max(self.counters[tenant], level)
        self._line(tenant).append(request)
        self.entries[request.id] = request

    def put_back(self, request: Request) -> None:
        """Let a preempted request wait at the head of its tenant's line. It brings no credit and no debt."""
        self._line(request.tenant).appendleft(request)
        self.entries[request.id] = request

    def head(self) -> Request:
        """The first in line of the tenant with the lowest counter; the earlier request where two tie."""
        return min((line[0] for line in self._lines.values()), key=self._place)

    def pop(self) -> Request:
        """Take the head out."""
        request = self.head()
        self.remove(request)
        return request

    def remove(self, request: Request) -> None:
        """Take somebody out, wherever it stands."""
        line = self._lines[request.tenant]
        line.remove(request)
        if not line:
            del self._lines[request.tenant]
            self._last_to_leave = request.tenant
        del self.entries[request.id]

    def account(self, request: Request, num_prompt_tokens: int, num_output_tokens: int) -> None:
        """Add service to a tenant's counter."""
        self.counters[request.tenant] += PROMPT_WEIGHT * num_prompt_tokens + OUTPUT_WEIGHT * num_output_tokens

    def account_decodes(self, num_decoding: Mapping[str, int], steps: int) -> None:
        """Add to the counters what so many requests of each tenant get in so many steps."""
        for tenant, count in num_decoding.items():
            self.counters[tenant] += OUTPUT_WEIGHT * count * steps

    def head_stays(self, num_decoding: Mapping[str, int]) -> int:
        """In how many steps from the next one on the head has the lowest counter, while they all grow."""
        head = self.head()
        lead = num_decoding.get(head.tenant, 0)
        most = FOR_EVER
        for tenant, line in self._lines.items():
            gain = OUTPUT_WEIGHT * (lead - num_decoding.get(tenant, 0))
            if gain > 0:
                # After so many steps the two counters are equal, or the head's is about to be the higher one.
                steps, rest = divmod(self.counters[tenant] - self.counters[head.tenant], gain)
                most = min(most, steps if not rest and line[0].order < head.order else steps + 1)
        return most

    def _line(self, tenant: str) -> deque[Request]:
        return self._lines.setdefault(tenant, deque())

    def _place(self, request: Request) -> tuple[int, int]:
        return self.counters[request.tenant], request.order

    def __len__(self) -> int:
        return len(self.entries)

    def __iter__(self) -> Iterator[Request]:
        """By tenant, the lowest counter first, as far as that can be said beforehand."""
        lines = sorted(self._lines.values(), key=lambda line: self._place(line[0]))
        return iter([request for line in lines for request in line])


FAIR: Final = Policy(
    FairQueue,
    last_admitted,
    account=FairQueue.account,
    account_decodes=FairQueue.account_decodes,
    head_stays=FairQueue.head_stays,
)
"""The tenant that was served least goes next."""
