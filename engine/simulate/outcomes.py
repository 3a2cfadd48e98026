"""What is kept of a request when it is gone: a few numbers, 55 bytes in all."""

from collections.abc import Iterable, Iterator
from struct import Struct
from typing import Final, Literal, NamedTuple, TypeAlias

from engine.metrics.requests import RequestTimes
from engine.simulate.live import NOT_YET, Live
from engine.workload.records import Arrival

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
_PACK: Final = _ROW.pack
_CODES: Final = {end: code for code, end in enumerate(ENDS)}
_MOST_PREEMPTIONS: Final = (1 << 16) - 1


class Outcomes:
    """All requests that are gone, in the order in which they went.

    They are packed into bytes: a million of them take 60 MB, where a million tuples take ten times as much.
    """

    def __init__(self) -> None:
        self._packed = bytearray()
        self._num_preemptions = self._num_recomputed_tokens = 0

    def add(self, live: Live, at: int, outcome: End, num_output_tokens: int) -> None:
        """Keep what is known of a request that ends."""
        num_preemptions = live.num_preemptions
        if num_preemptions:
            num_preemptions = min(num_preemptions, _MOST_PREEMPTIONS)
            self._num_preemptions += num_preemptions
            self._num_recomputed_tokens += live.num_recomputed_tokens
        self._packed += _PACK(
            live.number,
            _CODES[outcome],
            live.arrival_time,
            live.admitted,
            live.first_token,
            at,
            live.num_prompt_tokens,
            num_output_tokens,
            live.num_cached_tokens,
            num_preemptions,
            live.num_recomputed_tokens,
        )

    def __len__(self) -> int:
        return len(self._packed) // _ROW.size

    def __iter__(self) -> Iterator[Outcome]:
        """One by one, in the order in which they went."""
        for number, code, arrived, admitted, first_token, *rest in _ROW.iter_unpack(self._packed):
            yield Outcome(number, ENDS[code], arrived, _known(admitted), _known(first_token), *rest)

    def request_times(self, arrivals: Iterable[Arrival]) -> list[RequestTimes]:
        """The times of each request that is gone, in the order of arrival; `arrivals` are those that were served."""
        gone = {row[0]: row for row in _ROW.iter_unpack(self._packed)}
        return [
            _times(arrival, gone[number]) if number in gone else _unfinished(arrival)
            for number, arrival in enumerate(arrivals)
        ]

    def totals(self) -> tuple[int, int]:
        """How many preemptions there were, and how many tokens had to be computed again."""
        return self._num_preemptions, self._num_recomputed_tokens


def _times(arrival: Arrival, row: tuple[int, ...]) -> RequestTimes:
    _, code, arrived, admitted, first_token, ended, num_prompt_tokens, num_output_tokens, num_cached_tokens, _, _ = row
    # As `RequestTimes(...)` makes one, in a third of its time.
    return tuple.__new__(
        RequestTimes,
        (
            arrival.id,
            arrived,
            None if admitted == NOT_YET else admitted,
            None if first_token == NOT_YET else first_token,
            ended,
            ENDS[code],
            num_prompt_tokens,
            num_output_tokens,
            num_cached_tokens,
            arrival.tenant,
        ),
    )


def _unfinished(arrival: Arrival) -> RequestTimes:
    return RequestTimes(
        arrival.id, arrival.at, None, None, None, "unfinished", arrival.num_prompt_tokens, 0, tenant=arrival.tenant
    )


def _known(at: int) -> int | None:
    return None if at == NOT_YET else at
