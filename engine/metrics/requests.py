"""The times of each request: what all latencies are made from."""

from typing import Literal, NamedTuple, TypeAlias

from engine.trace import (
    Admitted,
    Arrived,
    Cancelled,
    Finished,
    FirstToken,
    Record,
    Rejected,
    TimedOut,
    Trace,
)

Outcome: TypeAlias = Literal["finished", "timed_out", "rejected", "cancelled", "unfinished"]
"""How a request ended. `unfinished`: the trace ends before it does."""


class RequestTimes(NamedTuple):
    """When what happened to one request, in the trace's unit; None for what didn't happen or isn't known."""

    id: str
    arrived: int
    admitted: int | None
    first_token: int | None
    ended: int | None
    """When it finished, was given up, or was refused."""
    outcome: Outcome
    num_prompt_tokens: int
    num_output_tokens: int
    """Tokens that it got, whatever its outcome."""
    num_cached_tokens: int = 0
    """Prompt tokens that the prefix cache held when it was first admitted."""
    tenant: str = ""


def request_times(trace: Trace) -> list[RequestTimes]:
    """Every request of `trace`, in the order of arrival."""
    requests: dict[str, RequestTimes] = {}
    for record in trace.records:
        if isinstance(record, Arrived):
            requests[record.id] = RequestTimes(
                record.id,
                record.at,
                None,
                None,
                None,
                "unfinished",
                record.num_prompt_tokens,
                0,
                tenant=record.tenant,
            )
        elif isinstance(record, Admitted | FirstToken | Finished | TimedOut | Rejected | Cancelled):
            requests[record.id] = _after(requests[record.id], record)
    return list(requests.values())


def _after(request: RequestTimes, record: Record) -> RequestTimes:
    """What is known of a request after one more record that speaks of it."""
    match record:
        case Admitted():
            return request._replace(admitted=record.at, num_cached_tokens=record.num_cached_tokens)
        case FirstToken():
            return request._replace(first_token=record.at, num_output_tokens=1)
        case Finished():
            return _ended(request, record.at, "finished", record.num_output_tokens)
        case TimedOut():
            return _ended(request, record.at, "timed_out", record.num_output_tokens)
        case Cancelled():
            return _ended(request, record.at, "cancelled", record.num_output_tokens)
        case _:
            return _ended(request, record.at, "rejected", 0)


def _ended(request: RequestTimes, at: int, outcome: Outcome, num_output_tokens: int) -> RequestTimes:
    return request._replace(ended=at, outcome=outcome, num_output_tokens=num_output_tokens)
