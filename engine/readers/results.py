"""Results of a run become a trace: what a client or a server wrote down about each request."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple

from engine.readers.notes import Notes
from engine.readers.text import ReadError
from engine.trace import (
    Admitted,
    Arrived,
    Cancelled,
    Finished,
    FirstToken,
    Header,
    Record,
    Rejected,
    Step,
    Tokens,
    Trace,
    TraceError,
)
from engine.workload.records import Arrival, Segment


class Served(NamedTuple):
    """One request as a file tells it. Times are whole nanoseconds on whatever clock the file has."""

    id: str
    arrived: int
    ended: int
    num_prompt_tokens: int
    num_output_tokens: int
    first_token: int | None = None
    admitted: int | None = None
    tokens: Sequence[tuple[int, int]] = ()
    """When more tokens came, and how many: (time, tokens) after the first."""
    outcome: Literal["finished", "cancelled", "failed"] = "finished"
    tenant: str = ""


def trace_of(
    served: Iterable[Served],
    name: str,
    about: str,
    settings: Mapping[str, Any] | None = None,
    file: str = "trace",
) -> Trace:
    """The trace of these requests, in nanoseconds from the first arrival.

    Files don't say what limit a request had, nor why an answer ended: `max_tokens` is the answer's length and
    the reason is `length`. Of `settings`, those that are plain values are kept. Raises `ReadError` where two
    requests have one id, and for no requests.
    """
    timed = [record for one in served for record in _records(one)]
    if not timed:
        raise ReadError(f"{file}: holds no request that was served; expected at least one")
    timed.sort(key=lambda pair: (pair[0], _PLACE[type(pair[1])]))
    start = timed[0][0]
    records = tuple(record._replace(at=at - start) for at, record in timed)
    plain = {key: value for key, value in (settings or {}).items() if isinstance(value, str | int | float | bool)}
    trace = Trace(Header(name, "recorded", "ns", plain, about=about), records)
    try:
        trace.check()
    except TraceError as error:
        raise ReadError(f"{file}: {error}") from None
    return trace


_PLACE = {Arrived: 0, Admitted: 1, FirstToken: 2, Tokens: 3, Finished: 4, Cancelled: 4, Rejected: 4}
"""Which record comes first of those of one time."""


def _records(one: Served) -> Iterator[tuple[int, Any]]:
    most = max(1, one.num_output_tokens)
    yield one.arrived, Arrived(0, one.id, one.num_prompt_tokens, most, tenant=one.tenant)
    if one.admitted is not None:
        yield one.admitted, Admitted(0, one.id)
    if one.first_token is not None and one.outcome != "failed":
        yield one.first_token, FirstToken(0, one.id)
        for at, count in one.tokens:
            yield at, Tokens(0, one.id, count)
    yield one.ended, _end(one)


def _end(one: Served) -> Record:
    if one.outcome == "finished":
        return Finished(0, one.id, "length", one.num_output_tokens)
    if one.outcome == "cancelled":
        return Cancelled(0, one.id, one.num_output_tokens)
    return Rejected(0, one.id, "failed")


def spread(times: Sequence[int], num_tokens: int) -> list[tuple[int, int]]:
    """`num_tokens` tokens over these times, as evenly as whole numbers allow; times without one are left out.

    For files that say when chunks came and not how many tokens were in each.
    """
    counts = [(index + 1) * num_tokens // len(times) - index * num_tokens // len(times) for index in range(len(times))]
    return [(at, count) for at, count in zip(times, counts, strict=True) if count]


def arrivals_of(trace: Trace, notes: Notes) -> Iterator[Arrival]:
    """The workload inside a trace: what arrived, with the answers' lengths as they turned out.

    A request that didn't finish has the length that its limit allows. Prompts begin alike where their blocks have the
    same names, which a recording of the live link tells; elsewhere contents aren't known, and nothing is shared.
    """
    ends = {record.id: record.num_output_tokens for record in trace.of(Finished)}
    gone = {record.id: record.at for record in trace.of(Cancelled)}
    size = _block_size(trace, notes)
    for record in trace.of(Arrived):
        if not record.num_prompt_tokens:
            notes.count("requests whose prompt's length isn't in the file were left out")
            continue
        if record.id not in ends:
            notes.count("requests didn't finish: their answers are as long as their limits allow")
        yield Arrival(
            record.at,
            record.id,
            record.num_prompt_tokens,
            ends.get(record.id, record.max_tokens),
            record.tenant,
            record.priority,
            record.cache_salt,
            beginning=tuple(Segment(name, size) for name in record.block_names) if size else (),
            cancel_at=gone.get(record.id),
        )


def _block_size(trace: Trace, notes: Notes) -> int:
    """How many tokens a named block has; 0 where no block is named, or where nobody knows."""
    if not any(record.block_names for record in trace.of(Arrived)):
        return 0
    size = trace.header.settings.get("block_size")
    if type(size) is not int or size < 1:
        notes.add("the trace names blocks of prompts but not its block_size, so none of them shares anything")
        return 0
    answers = {filled.block_name for step in trace.of(Step) for filled in step.filled}
    if any(name in answers for record in trace.of(Arrived) for name in record.block_names):
        notes.add("prompts that repeat an earlier answer share it with each other, and not with the answer")
    return size
