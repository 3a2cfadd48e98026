"""A request in the fast simulator: what a scheduler knows of it, and no tokens."""

from typing import Final

from engine.simulate.names import Name
from engine.workload.records import Arrival

WAITS: Final = -1
"""The seat of a request that doesn't run."""

GONE: Final = -2
"""The seat of a request that has ended."""

NOT_YET: Final = -1
"""The time of what hasn't happened."""


class Live:
    """A request under way.

    While it decodes, nothing here changes: with `v` steps done since the run began it has computed
    `base + v` tokens and knows one more. Otherwise `num_computed_tokens` and `num_known` say how far it is.
    """

    __slots__ = (
        "admitted",
        "arrival",
        "arrival_time",
        "base",
        "ends_at",
        "first_token",
        "id",
        "max_reached",
        "max_total_tokens",
        "names",
        "num_cached_tokens",
        "num_computed_tokens",
        "num_known",
        "num_preemptions",
        "num_prompt_tokens",
        "num_recomputed_tokens",
        "num_registered",
        "number",
        "order",
        "phase",
        "seat",
        "table",
    )

    def __init__(self, arrival: Arrival, number: int, max_model_len: int, names: tuple[Name, ...]) -> None:
        self.number = number
        """Its place among all arrivals."""
        self.order = 0
        """Its place among those that were let in."""
        self.arrival = arrival
        # Sooner than by their names.
        self.arrival_time, self.id, num_prompt_tokens, num_output_tokens = arrival[:4]
        self.num_prompt_tokens = self.num_known = num_prompt_tokens
        whole = num_prompt_tokens + num_output_tokens
        self.max_total_tokens = whole if whole < max_model_len else max_model_len
        self.names = names
        """Names of its first full blocks, as far as others may share them."""
        self.seat = WAITS
        """A number that grows with each admission: the running order."""
        self.base = 0
        self.phase = self.ends_at = NOT_YET
        """While it decodes: the step, modulo the block size, in which it opens a block; the step of its last token."""
        self.num_computed_tokens = 0
        self.max_reached = 0
        """How many tokens it had computed when it was last preempted."""
        self.table: list[int] = []
        self.num_registered = 0
        """How many of its table's first blocks the cache knows by name."""
        self.admitted = self.first_token = NOT_YET
        self.num_cached_tokens = 0
        self.num_preemptions = 0
        self.num_recomputed_tokens = 0

    # What few runs look at, under the names that a `Request` has for it.

    @property
    def max_tokens(self) -> int:
        """The most tokens of its answer, and here all of them."""
        return self.arrival.num_output_tokens

    @property
    def priority(self) -> int:
        """A lower number is served sooner, under the priority policy."""
        return self.arrival.priority

    @property
    def tenant(self) -> str:
        """Who sent it."""
        return self.arrival.tenant

    @property
    def deadline(self) -> int | None:
        """By when its whole answer is wanted."""
        return self.arrival.deadline

    @property
    def predicted_output_tokens(self) -> int | None:
        """Somebody's guess at the length of its answer."""
        return self.arrival.predicted_output_tokens
