"""What a run has to tell, on its way into its log: records of the trace, and what stands beside them."""

import time
from collections.abc import Callable
from typing import Any

from engine.live.bridge.log import EventLog
from engine.trace import Arrived, Record, record_object
from engine.workload.records import Arrival


class Feed:
    """Puts records into a run's log at the run's own time: nanoseconds since it began."""

    def __init__(self, log: EventLog, began: int, clock: Callable[[], int] = time.monotonic_ns) -> None:
        self.log, self.began = log, began
        self._clock = clock
        self._last = 0
        self.through: Callable[[Record], None] = self.tell
        """Where records go first: to somebody who puts them in order, where several tell."""
        self.gave_up: Callable[[Arrival], None] = lambda _: None
        """Told of a request that the bridge hung up on, where somebody else tells what became of it."""
        self.answered: Callable[[Arrival], None] = lambda _: None
        """Told of a request that was answered whole, in the same case."""

    def now(self) -> int:
        """The run's time."""
        return max(self._clock() - self.began, 0)

    @property
    def last(self) -> int:
        """The time of the last record that was told."""
        return self._last

    def record(self, record: Record) -> None:
        """Tell a record, in its turn."""
        self.through(record)

    def tell(self, record: Record) -> None:
        """Tell a record now. Time doesn't run backwards in a trace: a late one is told at the last one's time."""
        self._last = max(self._last, record.at)
        told = record if record.at == self._last else record._replace(at=self._last)
        self.log.append(record_object(told), self._last)

    def gap(self, begins: int, lost: int) -> None:
        """Tell that so many records are lost since a time."""
        at = max(self.now(), begins)
        self.log.append({"event": "gap", "from": begins, "to": at, "lost": lost}, at)

    def beside(self, event: str, **facts: Any) -> None:
        """Tell what isn't part of the trace."""
        at = self.now()
        self.log.append({"event": event, "at": at, **facts}, at)


def arrived(arrival: Arrival, at: int) -> Arrived:
    """The record of a request that is sent at that time of the run."""
    return Arrived(
        at,
        arrival.id,
        arrival.num_prompt_tokens,
        arrival.num_output_tokens,
        arrival.priority,
        arrival.cache_salt,
        arrival.tenant,
    )
