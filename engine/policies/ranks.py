"""Policies that are one number a request: the lowest is served first."""

from typing import Final

from engine.policies.policy import Policy, ranked
from engine.request import Request

NO_DEADLINE: Final = 1 << 100
"""Where a request without a deadline stands: behind all that have one."""


def by_priority(request: Request) -> tuple[int, int, int]:
    """vLLM's priority policy: a lower number first, then the earlier arrival."""
    return request.priority, request.arrival_time, request.order


def by_prediction(request: Request) -> tuple[int, int]:
    """The shortest answer first, as somebody predicted it.

    Raises `ValueError` for a request without a prediction: the true length is nothing that a server knows.
    """
    return predicted(request), request.order


def by_true_length(request: Request) -> tuple[int, int]:
    """The shortest answer first, by the truth that only a simulator has: what the best prediction could reach.

    A simulated request ends at its `max_tokens`, so they are the truth.
    """
    return request.max_total_tokens - request.num_prompt_tokens, request.order


def by_deadline(request: Request) -> tuple[int, int]:
    """The earliest deadline first. It is optimal while all can be kept, and a poor guide in overload."""
    return NO_DEADLINE if request.deadline is None else request.deadline, request.order


def predicted(request: Request) -> int:
    """The predicted length of a request's answer, in tokens."""
    if request.predicted_output_tokens is None:
        raise ValueError(
            f"request {request.id!r} has no predicted_output_tokens, and the policy goes by them; give it some, "
            "as engine.workload.predicted does"
        )
    return request.predicted_output_tokens


PRIORITY: Final[Policy] = ranked(by_priority)
"""A lower number first."""
SHORTEST: Final[Policy] = ranked(by_prediction)
"""Shortest predicted answer first."""
SHORTEST_ORACLE: Final[Policy] = ranked(by_true_length)
"""Shortest true answer first."""
DEADLINE: Final[Policy] = ranked(by_deadline)
"""Earliest deadline first."""
