"""What is kept of a request when it is gone: a few numbers, 55 bytes in all."""

from collections.abc import Iterator
from struct import Struct
from typing import Final, Literal, NamedTuple, TypeAlias

from engine.simulate.live import NOT_YET, Live

End: TypeAlias = Literal["finished", "timed_out", "rejected", "cancelled"]
"""How a request ended."""

ENDS: Final[tuple[End, ...]] = ("finished", "timed_out", "rejected", "cancelled")
"""All ways to end."""


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
    """At most 65,535."""
    num_recomputed_tokens: int
    """Tokens that were computed again after preemptions."""


_ROW: Final = Struct("<IBqqqqIIIHI")
_CODES: Final = {end: code for code, end in enumerate(ENDS)}
_MOST_PREEMPTIONS: Final = (1 << 16) - 1


class Outcomes:
    """All requests that are gone, in the order in which they went.

    They are packed into bytes: a million of them take 60 MB, where a million tuples take ten times as much.
    """

    def __init__(self) -> None:
        self._packed = bytearray()

    def add(self, live: Live, at: int, outcome: End, num_output_tokens: int) -> None:
        """Keep what is known of a request that ends."""
        self._packed += _ROW.pack(
            live.number,
            _CODES[outcome],
            live.arrival_time,
            live.admitted,
            live.first_token,
            at,
            live.num_prompt_tokens,
            num_output_tokens,
            live.num_cached_tokens,
            min(live.num_preemptions, _MOST_PREEMPTIONS),
            live.num_recomputed_tokens,
        )

    def __len__(self) -> int:
        return len(self._packed) // _ROW.size

    def __iter__(self) -> Iterator[Outcome]:
        """One by one, in the order in which they went."""
        for number, code, arrived, admitted, first_token, *rest in _ROW.iter_unpack(self._packed):
            yield Outcome(number, ENDS[code], arrived, _known(admitted), _known(first_token), *rest)


def _known(at: int) -> int | None:
    return None if at == NOT_YET else at
