"""What is refused at the door, before a request may wait, and how long a server keeps at one.

`refusal` is the engine's own: what it can never serve. A server in front of it may refuse more, with small
functions of its own: a `Door` looks at a request and at the crowd that is there, and says why it is refused,
or None. Time limits aren't doors: they end requests that were let in.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final, Protocol, TypeAlias

from engine.blocks import blocks_needed
from engine.policies import WaitingQueue
from engine.request import Request
from engine.settings import Settings


class Asking(Protocol):
    """What is looked at of a request at the door. A `Request` has it, and whatever stands for one."""

    @property
    def id(self) -> str:
        """Its name."""

    @property
    def num_prompt_tokens(self) -> int:
        """Tokens of its prompt."""

    @property
    def max_tokens(self) -> int | None:
        """The most tokens of its answer; None for all that the engine allows."""

    @property
    def max_total_tokens(self) -> int:
        """At how many tokens it ends at the latest, once it was let in."""

    @property
    def tenant(self) -> str:
        """Who sent it."""


def refusal(settings: Settings, request: Asking) -> str | None:
    """Why `request` is refused, or None if it may wait."""
    return refused_by_front_end(settings, request) or (
        never_fits(settings, request) if settings.reject_unservable else None
    )


def refused_by_front_end(settings: Settings, request: Asking) -> str | None:
    """vLLM's own rule, applied before its scheduler: there must be a prompt, and room for one token more."""
    length, most = request.num_prompt_tokens, settings.max_model_len
    if length == 0:  # rule: rejected_front_end
        return "empty prompt"
    if length > most:
        return f"prompt of {length} tokens is longer than max_model_len {most}"
    if length == most:
        return f"prompt of {length} tokens leaves no room for one output token"
    return None


def never_fits(settings: Settings, request: Asking) -> str | None:
    """Our rule, not vLLM's: a request that may outgrow the whole pool would wait or come back for ever.

    Its last token is never stored. Under vLLM's start-up rule no request can be that long.
    """
    most = settings.max_model_len
    if request.max_tokens is not None:
        most = min(most, request.num_prompt_tokens + request.max_tokens)
    needed = blocks_needed(most - 1, settings.block_size)
    lendable = settings.num_lendable_blocks
    if needed <= lendable:  # rule: rejected_never_fits
        return None
    return (
        f"prompt of {request.num_prompt_tokens} tokens may grow to {most}, which needs {needed} blocks of "
        f"{settings.block_size}, and the pool lends {lendable}"
    )


# ---- whom admission tries ----

Candidates: TypeAlias = Callable[[WaitingQueue], Iterable[Request]]
"""Who is tried for admission, one after another, while there are seats and budget. Who fits leaves the queue."""


def strict(waiting: WaitingQueue) -> Iterator[Request]:
    """The head of the queue, and the next one only when it was admitted: nobody is overtaken (vLLM's rule)."""
    while waiting.entries:
        head = waiting.head()
        yield head
        if waiting.entries and waiting.head() is head:
            return


def skip_ahead(waiting: WaitingQueue) -> Iterator[Request]:
    """Everybody in turn: who doesn't fit is overtaken by who does. The large ones pay for it."""
    yield from list(waiting)


# ---- the server in front of the engine ----


@dataclass
class Crowd:
    """Who is there: what a door may look at."""

    num_waiting: int = 0
    """Requests in the waiting queue, preempted ones included."""
    num_requests: int = 0
    """Requests that wait or run."""
    tenant_tokens: defaultdict[str, int] = field(default_factory=lambda: defaultdict(int))
    """For each tenant, the most tokens that its requests may have, prompts and answers together."""

    def enter(self, request: Asking) -> None:
        """Count a request that was let in."""
        self.num_requests += 1
        self.tenant_tokens[request.tenant] += request.max_total_tokens

    def leave(self, request: Asking) -> None:
        """Count one less, however it ended."""
        self.num_requests -= 1
        self.tenant_tokens[request.tenant] -= request.max_total_tokens


Door: TypeAlias = Callable[[Asking, Crowd], str | None]
"""Why a request is refused, or None if it may come in."""


@dataclass(frozen=True)
class QueueLimit:
    """At most `most` requests wait; who comes then is refused, so that nobody waits in vain."""

    most: int

    def __call__(self, request: Asking, crowd: Crowd) -> str | None:
        """Why it is refused, or None."""
        if crowd.num_waiting < self.most:
            return None
        return f"{crowd.num_waiting} requests wait, and the queue holds {self.most}"


@dataclass(frozen=True)
class TenantBudget:
    """Each tenant's requests together may be at most so many tokens; one that goes beyond is refused.

    `tokens` is one budget for everybody, or one for each tenant by name; who isn't named has none.
    """

    tokens: int | Mapping[str, int]

    def __call__(self, request: Asking, crowd: Crowd) -> str | None:
        """Why it is refused, or None."""
        most = self.tokens if isinstance(self.tokens, int) else self.tokens.get(request.tenant)
        if most is None:
            return None
        asked = request.num_prompt_tokens + (request.max_tokens or 0)
        held = crowd.tenant_tokens[request.tenant]
        if held + asked <= most:
            return None
        return f"tenant {request.tenant!r} has {held} tokens under way and asks for {asked}; its budget is {most}"


@dataclass(frozen=True)
class ServerLimits:
    """What a server in front of the engine refuses, and how long it keeps at a request."""

    max_wait: int | None = None
    """How long a request may wait for its first admission, in the clock's unit; then it is given up."""
    timeout: int | None = None
    """How long a request may take from its arrival on; then it is given up, waiting or running."""
    doors: tuple[Door, ...] = ()
    """Asked in turn before the engine is."""

    def __post_init__(self) -> None:
        for name in ("max_wait", "timeout"):
            value = getattr(self, name)
            if value is not None and value < 1:
                raise ValueError(f"{name} is {value}; give 1 or more, in the clock's unit, or None for no limit")

    def refusal(self, request: Asking, crowd: Crowd) -> str | None:
        """Why the first door that refuses does, or None."""
        for door in self.doors:
            why = door(request, crowd)  # rule: rejected_door
            if why is not None:
                return why
        return None


NO_LIMITS: Final = ServerLimits()
"""A server that lets everybody in and never gives up."""
