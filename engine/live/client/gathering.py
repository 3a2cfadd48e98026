"""What a run brings, line by line, and the trace that it makes: whole or not, it is never lost."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from engine.codec import FieldError, decode_object
from engine.trace import EVENTS, FORMAT, SCHEMA, Admitted, Arrived, Header, Record, Stalled, Step, Trace, problems_of

EMPTY: Final = Header("run", "live", "ns")
"""The header of a run of which not even the first line came."""


class Gap(NamedTuple):
    """Events that were lost on the way: between which times, in nanoseconds, and how many."""

    start: int
    end: int
    lost: int


@dataclass(frozen=True)
class LiveTrace(Trace):
    """A trace of a real server, with what the link knows about it. The header's sentence says what is missing."""

    complete: bool = True
    """Whether the run came to its end and nothing of it was lost."""
    why: str = ""
    """Why it isn't complete."""
    gaps: tuple[Gap, ...] = ()
    lanes: tuple[str, ...] = ()
    """The replicas that answered, where there were several; `lane` gives the part of one."""
    lateness: tuple[Mapping[str, Any], ...] = ()
    """How late requests were sent, as the bridge told it."""
    metrics: tuple[Mapping[str, Any], ...] = ()
    """The server's own metrics, as they came."""
    kv_events: tuple[Mapping[str, Any], ...] = ()
    """What the server said about its cache, as it came."""

    def lane(self, name: str) -> Trace:
        """What one replica did: its steps, and everything about the requests that it admitted."""
        mine = {record.id for record in self.of(Admitted) if record.lane == name}
        mine |= {row.id for step in self.of(Step) if step.lane == name for row in step.rows}
        kept = (record for record in self.records if _is_of(record, name, mine))
        return Trace(self.header._replace(name=f"{self.header.name} {name}"), tuple(kept))


def _is_of(record: Record, lane: str, ids: set[str]) -> bool:
    if isinstance(record, Step):
        return record.lane == lane
    return isinstance(record, Stalled) or record.id in ids


class Gatherer:
    """Takes the lines of a run as they come. What can't be read is counted and left out."""

    def __init__(self) -> None:
        self.header: Header | None = None
        self.num_ended = 0
        self.num_arrived = 0
        self.now = 0
        """Nanoseconds: the latest time that a record told."""
        self.is_over = False
        self._records: list[Record] = []
        self._gaps: list[Gap] = []
        self._lateness: list[Mapping[str, Any]] = []
        self._metrics: list[Mapping[str, Any]] = []
        self._kv_events: list[Mapping[str, Any]] = []
        self._num_unread = 0
        self._why: str | None = "the run was left before its end"

    def take(self, line: str) -> None:
        """One event's text."""
        try:
            value = json.loads(line)
            if "format" in value:
                self._take_header(value)
            else:
                self._take_event(value.pop("event"), value)
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            self._num_unread += 1

    def _take_header(self, value: dict[str, Any]) -> None:
        if value.pop("format") != FORMAT or value.pop("schema", None) != SCHEMA:
            raise FieldError("schema", value, f"{FORMAT} of schema {SCHEMA}")
        self.header = decode_object(Header, value)

    def _take_event(self, event: str, value: dict[str, Any]) -> None:
        match event:
            case "end":
                self.is_over = True
                self._why = None if value.get("complete") else str(value.get("why") or "the bridge didn't say why")
            case "gap":
                self._gaps.append(Gap(int(value["from"]), int(value["to"]), int(value["lost"])))
            case "lateness":
                self._lateness.append(value)
            case "metrics":
                self._metrics.append(value)
            case "kv":
                self._kv_events.append(value)
            case _:
                self._take_record(event, value)

    def _take_record(self, event: str, value: dict[str, Any]) -> None:
        record: Record = decode_object(EVENTS[event], value)
        self._records.append(record)
        self.now = max(self.now, record.at)
        self.num_arrived += event == "arrived"
        self.num_ended += event in ("finished", "cancelled", "rejected", "timed_out")

    def stop(self, why: str) -> None:
        """The run goes on without us, or not at all: say why."""
        if not self.is_over:
            self._why = why

    def trace(self) -> LiveTrace:
        """Everything that came so far, as a trace."""
        lanes = sorted({record.lane for record in self._records if isinstance(record, Step | Admitted) and record.lane})
        records, dropped = told(self._records)
        why = "; ".join(filter(None, (self._why, *self._losses(dropped))))
        header = self.header or EMPTY
        header = header._replace(about=" ".join(filter(None, (header.about, why and f"Incomplete: {why}."))))
        return LiveTrace(
            header,
            records,
            complete=not why,
            why=why,
            gaps=tuple(self._gaps),
            lanes=tuple(lanes) if len(lanes) > 1 else (),
            lateness=tuple(self._lateness),
            metrics=tuple(self._metrics),
            kv_events=tuple(self._kv_events),
        )

    def _losses(self, dropped: int) -> Iterator[str]:
        if self._gaps:
            yield f"{sum(gap.lost for gap in self._gaps)} events were lost on the way"
        if self._num_unread:
            yield f"{self._num_unread} lines couldn't be read"
        if dropped:
            yield f"{dropped} records spoke of requests whose arrival is missing, and were left out"


def told(records: Iterable[Record]) -> tuple[tuple[Record, ...], int]:
    """The records in the order of time, and how many had to be left out so that they tell a story."""
    # Of one time, arrivals come first: a record may not speak of somebody who isn't there yet.
    kept = sorted(records, key=lambda record: (record.at, not isinstance(record, Arrived)))
    before = len(kept)
    while broken := {index for index, _ in problems_of(kept)}:
        kept = [record for index, record in enumerate(kept) if index not in broken]
    return tuple(kept), before - len(kept)
