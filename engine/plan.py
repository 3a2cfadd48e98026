"""A plan: what the scheduler decided for one step, as a value."""

from collections.abc import Sequence
from typing import Literal, TypeAlias

from engine.request import Request
from engine.trace import Row

Kind: TypeAlias = Literal["running", "new", "resumed"]
"""How a request came to its row: it ran already, or it was admitted, for the first time or again."""

Entry: TypeAlias = tuple[Request, Kind, int, int, bool, Sequence[int], Sequence[int]]
"""One row as the scheduler writes it: request, kind, num_scheduled_tokens, num_computed_tokens before the
step, whether a token is sampled (its prefill is complete), hit blocks, new blocks."""


class Draft:
    """A plan in the making: what is left to give away, and what was given."""

    __slots__ = ("budget", "cap", "entries", "index", "preempted")

    def __init__(self, cap: int, budget: int) -> None:
        self.cap = cap
        """The most tokens that one request gets."""
        self.budget = budget
        """Tokens that are left of the step's budget."""
        self.index = 0
        """Whose turn it is in the running list, while room is made for it."""
        self.entries: list[Entry] = []
        self.preempted: list[str] = []


class Plan:
    """The rows of one step, and who lost what for them.

    Two plans are equal if they decided the same.
    """

    # The scheduler writes plain tuples: a named tuple takes five times as long to make, for every row of
    # every step. `rows` dresses them when somebody looks.
    __slots__ = ("entries", "evicted", "num_scheduled_tokens", "preempted", "step")

    def __init__(
        self, step: int, entries: list[Entry], preempted: list[str], evicted: list[int], num_tokens: int
    ) -> None:
        self.step = step
        """The index of the step, from 0."""
        self.entries = entries
        """The rows as the scheduler wrote them."""
        self.preempted = preempted
        """The ids of those who lost their blocks, in the order in which they lost them."""
        self.evicted = evicted
        """Cached blocks that lost their content because they were handed out anew, in order."""
        self.num_scheduled_tokens = num_tokens
        """The tokens of all rows."""

    @property
    def rows(self) -> tuple[Row, ...]:
        """What each request got, in the order in which it was scheduled."""
        return tuple(
            Row(request.id, num_tokens, num_computed, kind, tuple(new_blocks), tuple(hit_blocks))
            for request, kind, num_tokens, num_computed, _, hit_blocks, new_blocks in self.entries
        )

    @property
    def samples(self) -> list[str | None]:
        """For each row the id of the request that gets a token in this step, or None in mid-prefill."""
        return [entry[0].id if entry[4] else None for entry in self.entries]

    def __len__(self) -> int:
        """The number of rows."""
        return len(self.entries)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Plan):
            return NotImplemented
        return self._value() == other._value()

    def __hash__(self) -> int:
        return hash(self._value())

    def __repr__(self) -> str:
        return f"Plan{self._value()}"

    def _value(self) -> tuple[object, ...]:
        return self.step, self.rows, tuple(self.preempted), tuple(self.evicted), tuple(self.samples)
