"""What is kept of a request when it is gone: a few numbers in columns, 59 bytes in all."""

from array import array
from collections.abc import Iterator
from typing import Final, Literal, NamedTuple, TypeAlias

from engine.simulate.live import NOT_YET, Live

End: TypeAlias = Literal["finished", "timed_out", "rejected", "cancelled"]
"""How a request ended."""

ENDS: Final[tuple[End, ...]] = ("finished", "timed_out", "rejected", "cancelled")

_CODES: Final = {end: code for code, end in enumerate(ENDS)}


class Outcome(NamedTuple):
    """One request, when it is gone. Times are in nanoseconds; None for what never happened."""

    number: int
    """Its place among all arrivals, from 0."""
    outcome: End
    arrived: int
    admitted: int | None
    """When it was admitted for the first time."""
    first_token: int | None
    ended: int
    num_prompt_tokens: int
    num_output_tokens: int
    num_cached_tokens: int
    """Prompt tokens that the prefix cache held when it was first admitted."""
    num_preemptions: int
    num_recomputed_tokens: int
    """Tokens that were computed again after preemptions."""


class Outcomes:
    """All requests that are gone, in the order in which they went."""

    def __init__(self) -> None:
        self.number = array("I")
        self.code = array("B")
        self.arrived = array("q")
        self.admitted = array("q")
        self.first_token = array("q")
        self.ended = array("q")
        self.num_prompt_tokens = array("I")
        self.num_output_tokens = array("I")
        self.num_cached_tokens = array("I")
        self.num_preemptions = array("H")
        self.num_recomputed_tokens = array("I")

    def add(self, live: Live, at: int, outcome: End, num_output_tokens: int) -> None:
        """Keep what is known of a request that ends."""
        self.number.append(live.number)
        self.code.append(_CODES[outcome])
        self.arrived.append(live.arrival_time)
        self.admitted.append(live.admitted)
        self.first_token.append(live.first_token)
        self.ended.append(at)
        self.num_prompt_tokens.append(live.num_prompt_tokens)
        self.num_output_tokens.append(num_output_tokens)
        self.num_cached_tokens.append(live.num_cached_tokens)
        self.num_preemptions.append(min(live.num_preemptions, MOST_PREEMPTIONS))
        self.num_recomputed_tokens.append(live.num_recomputed_tokens)

    def __len__(self) -> int:
        return len(self.number)

    def __iter__(self) -> Iterator[Outcome]:
        """One by one, in the order in which they went."""
        columns = (
            self.number,
            (ENDS[code] for code in self.code),
            self.arrived,
            (_known(at) for at in self.admitted),
            (_known(at) for at in self.first_token),
            self.ended,
            self.num_prompt_tokens,
            self.num_output_tokens,
            self.num_cached_tokens,
            self.num_preemptions,
            self.num_recomputed_tokens,
        )
        return map(Outcome._make, zip(*columns, strict=True))


MOST_PREEMPTIONS: Final = (1 << 16) - 1
"""What the column can hold. Whoever is preempted more often is counted with so many."""


def _known(at: int) -> int | None:
    return None if at == NOT_YET else at
