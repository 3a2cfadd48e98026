"""The closed loop: clients who wait for their answer before they ask again.

Such clients slow down together with the server. However slow it gets, never more than `num_clients` requests
are there, so the queue that people would form isn't formed, and the requests that would have waited in it
are never sent: a measurement that omits them in step with the server (coordinated omission; Tene, "How not to
measure latency", 2013). It is here so that this blindness can be shown.
"""

from collections.abc import Iterable

from engine.workload.records import Arrival, WorkloadError


class ClosedLoop:
    """`num_clients` clients who send `requests` one after another; whoever is free takes the next one.

    A client asks again `think_ns` after its answer, and no sooner than `interval_ns` after it last asked: with
    an interval, the clients together mean to send at a rate that they can't keep when the server is slow.
    The requests' own times don't count. Drive it so: let `first` arrive, and whenever a request ends, in
    whatever way, let what `answered` returns arrive at its `at`.
    """

    def __init__(
        self, requests: Iterable[Arrival], num_clients: int, *, think_ns: int = 0, interval_ns: int = 0
    ) -> None:
        if num_clients < 1 or min(think_ns, interval_ns) < 0:
            raise WorkloadError(
                f"{num_clients} clients, think_ns {think_ns}, interval_ns {interval_ns}: "
                "1 client or more, and times of 0 or more"
            )
        self._requests = iter(requests)
        self._num_clients = num_clients
        self._think = think_ns
        self._interval = interval_ns
        self._asked: dict[str, int] = {}

    def first(self) -> list[Arrival]:
        """What every client sends first: spread over one interval, all at time 0 without one."""
        starts = [self._interval * client // self._num_clients for client in range(self._num_clients)]
        return [arrival for at in starts if (arrival := self._send(at)) is not None]

    def answered(self, request_id: str, now: int) -> Arrival | None:
        """What the client of `request_id`, which ended at `now`, sends next; None if nothing is left.

        Raises `KeyError` for a request that isn't under way.
        """
        asked = self._asked.pop(request_id)
        return self._send(max(now + self._think, asked + self._interval))

    def _send(self, at: int) -> Arrival | None:
        request = next(self._requests, None)
        if request is None:
            return None
        self._asked[request.id] = at
        # What was given in times of its own moves with the request.
        moved = at - request.at
        return request._replace(
            at=at,
            cancel_at=None if request.cancel_at is None else request.cancel_at + moved,
            deadline=None if request.deadline is None else request.deadline + moved,
        )
