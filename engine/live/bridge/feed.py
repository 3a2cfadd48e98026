"""What a run has to tell, on its way into its log: records of the trace, and what stands beside them."""

import time
from collections.abc import Callable
from typing import Any

from engine.live.bridge.log import EventLog
from engine.trace import Record, record_object


class Feed:
    """Puts records into a run's log at the run's own time: nanoseconds since it began."""

    def __init__(self, log: EventLog, began: int, clock: Callable[[], int] = time.monotonic_ns) -> None:
        self.log, self.began = log, began
        self._clock = clock
        self._last = 0
        self.num_records = 0

    def now(self) -> int:
        """The run's time."""
        return max(self._clock() - self.began, 0)

    def record(self, record: Record) -> None:
        """Tell a record. Time doesn't run backwards in a trace: one that comes late is told at the last one's time."""
        self._last = max(self._last, record.at)
        told = record if record.at == self._last else record._replace(at=self._last)
        self.log.append(record_object(told), self._last)
        self.num_records += 1

    def beside(self, event: str, **facts: Any) -> None:
        """Tell what isn't part of the trace."""
        at = self.now()
        self.log.append({"event": event, "at": at, **facts}, at)
