"""The records of a workload: one arrival a request."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, NamedTuple

TOKENS_PER_CONTENT: Final = 1 << 24
"""Token ids of one content lie in a range of their own this wide, so that two contents never share a token."""

LARGEST: Final = 1 << 62
"""No time, and no other number of an arrival, is larger: a hundred years in nanoseconds."""

FIRST_OWN_CONTENT: Final = 1 << 32
"""Contents below this one have names that several prompts may use; those from here on belong to one request."""


class WorkloadError(ValueError):
    """A workload that can't be: the value, what it belongs to and what is allowed."""


class Segment(NamedTuple):
    """A piece of text known by a name: the same `content` always stands for the same tokens."""

    content: int
    num_tokens: int


class Arrival(NamedTuple):
    """One request as it reaches the server.

    Times are whole nanoseconds since the workload began. `num_output_tokens` is how long the answer turns
    out to be: whoever plays the model knows it, and a scheduler must not.
    """

    at: int
    id: str
    num_prompt_tokens: int
    num_output_tokens: int
    tenant: str = ""
    """Who sent it, where fairness between several is looked at."""
    priority: int = 0
    """A lower number is served sooner, where the policy looks at it."""
    cache_salt: str | None = None
    """Requests share cached blocks only with requests of the same salt."""
    beginning: tuple[Segment, ...] = ()
    """What the prompt starts with, where others may start alike. The rest of it is the request's own."""
    answer_content: int | None = None
    """Names the answer's tokens, where a later prompt repeats them; None where they are the request's own."""
    cancel_at: int | None = None
    """When the client gives up, if it does."""
    deadline: int | None = None
    """By when the client wants its whole answer, if it says so."""
    predicted_output_tokens: int | None = None
    """Somebody's guess at `num_output_tokens`, which a scheduler may know."""


@dataclass(frozen=True)
class Workload:
    """Arrivals in the order of their times, and the seed that they were drawn from."""

    name: str
    arrivals: tuple[Arrival, ...]
    seed: int | None = None
    about: str = ""
    """One sentence for people: where it comes from, and what its times and lengths mean there."""

    def __len__(self) -> int:
        return len(self.arrivals)

    def __iter__(self) -> Iterator[Arrival]:
        return iter(self.arrivals)

    def check(self) -> None:
        """Raise `WorkloadError` unless every arrival can happen, in this order, and each has its own id."""
        for arrival in self.arrivals:
            check_arrival(arrival)
        for one, other in pairwise(self.arrivals):
            if other.at < one.at:
                raise WorkloadError(
                    f"{other.id}: arrives at {other.at} ns, before {one.id} at {one.at} ns; sort them by time"
                )
        if len({arrival.id for arrival in self.arrivals}) < len(self.arrivals):
            raise WorkloadError(f"{self.name}: two requests have the same id; give each its own")


def check_arrival(arrival: Arrival) -> None:
    """Raise `WorkloadError` unless this request can happen: the request, the field, what is allowed."""
    ranges = {
        "at": (0, LARGEST),
        "num_output_tokens": (1, LARGEST),
        "cancel_at": (arrival.at, LARGEST),
        "deadline": (arrival.at, LARGEST),
        "predicted_output_tokens": (1, LARGEST),
    }
    _check_ranges(arrival, ranges)
    check_prompt(arrival)


def check_prompt(arrival: Arrival) -> None:
    """Raise `WorkloadError` unless this prompt can be, whenever it comes and whatever is answered."""
    _check_ranges(arrival, {"num_prompt_tokens": (1, TOKENS_PER_CONTENT)})
    _check_contents(arrival)
    named = sum(segment.num_tokens for segment in arrival.beginning)
    if named > arrival.num_prompt_tokens:
        raise WorkloadError(
            f"{arrival.id}: its beginning has {named} tokens, its prompt {arrival.num_prompt_tokens}; "
            "shorten the beginning"
        )


def _check_ranges(arrival: Arrival, ranges: Mapping[str, tuple[int, int]]) -> None:
    for field, (least, most) in ranges.items():
        value = getattr(arrival, field)
        if value is not None and not least <= value <= most:
            allowed = f"{least} or more" if value < least else f"{most:,} or less"
            raise WorkloadError(f"{arrival.id}: {field} is {value}; it takes {allowed}")


def _check_contents(arrival: Arrival) -> None:
    named = list(arrival.beginning)
    if arrival.answer_content is not None:
        named.append(Segment(arrival.answer_content, arrival.num_output_tokens))
    for content, num_tokens in named:
        if not 0 <= content < FIRST_OWN_CONTENT:
            raise WorkloadError(
                f"{arrival.id}: content {content}; a shared one is numbered from 0 to {FIRST_OWN_CONTENT - 1}"
            )
        if not 1 <= num_tokens <= TOKENS_PER_CONTENT:
            raise WorkloadError(
                f"{arrival.id}: content {content} has {num_tokens} tokens; it takes 1 to {TOKENS_PER_CONTENT}"
            )


def prompt_token_ids(arrival: Arrival, own_content: int) -> list[int]:
    """The prompt's token ids: its named beginning, then tokens of `own_content`.

    `own_content` is `FIRST_OWN_CONTENT` plus a number that no other request has: its place in the order of
    arrival. All ids fit in 64 bits.
    """
    ids: list[int] = []
    for segment in arrival.beginning:
        ids.extend(_tokens(segment.content, 0, segment.num_tokens))
    ids.extend(_tokens(own_content, 0, arrival.num_prompt_tokens - len(ids)))
    return ids


def answer_token_ids(arrival: Arrival, own_content: int) -> range:
    """The answer's token ids, whole: a later prompt begins with them if `answer_content` names them.

    Otherwise they are the tokens of `own_content` that come after those of the prompt.
    """
    if arrival.answer_content is not None:
        return _tokens(arrival.answer_content, 0, arrival.num_output_tokens)
    return _tokens(own_content, arrival.num_prompt_tokens, arrival.num_output_tokens)


def _tokens(content: int, start: int, count: int) -> range:
    first = content * TOKENS_PER_CONTENT + start
    return range(first, first + count)
