"""A trace for Perfetto (ui.perfetto.dev) and chrome://tracing: their JSON format of trace events.

The engine is one process, whose thread holds the steps and whose counters say how many run and wait. The
requests are another: each is a track of its own, from arrival to end, and inside it what it was doing. Times there
are microseconds; a trace in steps shows a step as a millisecond.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, TypeAlias

from engine.trace import (
    Admitted,
    Arrived,
    Cancelled,
    Finished,
    FirstToken,
    Record,
    Rejected,
    Row,
    Stalled,
    Step,
    TimedOut,
    Trace,
)

ENGINE, REQUESTS = 1, 2
"""The two processes."""

MICROSECONDS: Final[dict[str, float]] = {"ns": 0.001, "step": 1000.0}
"""How long a trace's unit is shown."""

OUTCOMES: Final[dict[type, str]] = {Finished: "finished", TimedOut: "timed out", Cancelled: "cancelled"}
"""How a request's end is called."""

Counters: TypeAlias = Mapping[str, Iterable[tuple[int, int]]]
"""More counters by name: (time, value) in the trace's unit."""


def perfetto_json(trace: Trace, counters: Counters | None = None) -> str:
    """The trace as the text of a `.json` file. `counters` add tracks that the trace alone doesn't tell."""
    events = [*_names(trace), *_Timeline(trace).events(), *_more(trace, counters or {})]
    lines = ",\n".join(json.dumps(event, separators=(",", ":")) for event in events)
    return f'{{"displayTimeUnit":"ms","traceEvents":[\n{lines}\n]}}\n'


def _names(trace: Trace) -> Iterator[dict[str, Any]]:
    header = trace.header
    yield _meta("process_name", ENGINE, f"engine: {header.name} ({header.source})")
    yield _meta("thread_name", ENGINE, "steps")
    yield _meta("process_name", REQUESTS, "requests")


def _meta(name: str, process: int, value: str) -> dict[str, Any]:
    return {"ph": "M", "name": name, "pid": process, "tid": 1, "args": {"name": value}}


def _more(trace: Trace, counters: Counters) -> Iterator[dict[str, Any]]:
    for name, values in counters.items():
        for at, value in values:
            yield _counter(name, _microseconds(trace, at), value)


def _counter(name: str, at: float, value: int) -> dict[str, Any]:
    return {"ph": "C", "name": name, "pid": ENGINE, "ts": at, "args": {name: value}}


def _microseconds(trace: Trace, time: int) -> float:
    # To the nanosecond: the product may end in 0.0000000001.
    return round(time * MICROSECONDS[trace.header.unit], 3)


class _Timeline:
    """Steps as slices, and each request's life as nested ones."""

    def __init__(self, trace: Trace) -> None:
        self.trace = trace
        self.doing: dict[str, str] = {}
        """What each request that is here is doing."""
        self.answering: set[str] = set()
        self.now = 0.0

    def events(self) -> Iterator[dict[str, Any]]:
        for record in self.trace.records:
            self.now = _microseconds(self.trace, record.at)
            yield from self._of(record)
        for name in list(self.doing):
            yield from self._end(name, "unfinished", 0)

    def _of(self, record: Record) -> Iterator[dict[str, Any]]:
        match record:
            case Arrived():
                yield self._life("b", record.id, record.id, record._asdict())
                yield from self._do(record.id, "queued")
            case Admitted():
                yield from self._do(record.id, "prefill")
            case FirstToken():
                self.answering.add(record.id)
                yield self._life("n", record.id, "first token")
                # An asynchronous step may hand over the token of somebody who was preempted meanwhile.
                if self.doing[record.id] != "preempted":
                    yield from self._do(record.id, "decode")
            case Step():
                yield from self._step(record)
            case Finished() | TimedOut() | Cancelled():
                yield from self._end(record.id, OUTCOMES[type(record)], record.num_output_tokens)
            case Rejected():
                yield from self._end(record.id, f"rejected: {record.reason}", 0)
            case Stalled():
                yield {"ph": "i", "s": "g", "name": "stalled", "pid": ENGINE, "tid": 1, "ts": self.now}
            case _:
                pass

    def _step(self, step: Step) -> Iterator[dict[str, Any]]:
        for name in step.preempted:
            yield from self._do(name, "preempted")
        for row in step.rows:
            if self.doing.get(row.id) in ("queued", "preempted"):
                yield from self._do(row.id, "decode" if row.id in self.answering else "prefill")
        yield self._slice(step)
        waiting = sum(doing in ("queued", "preempted") for doing in self.doing.values())
        tokens = sum(row.num_scheduled_tokens for row in step.rows)
        for counter, value in (("running", len(step.rows)), ("waiting", waiting), ("scheduled tokens", tokens)):
            yield _counter(counter, self.now, value)

    def _slice(self, step: Step) -> dict[str, Any]:
        return {
            "ph": "X",
            "name": f"step {step.step}",
            "pid": ENGINE,
            "tid": 1,
            "ts": self.now,
            "dur": _microseconds(self.trace, step.duration),
            "args": {
                "rows": ", ".join(map(_row, step.rows)),
                "preempted": ", ".join(step.preempted),
                "evicted blocks": len(step.evicted),
            },
        }

    def _do(self, name: str, doing: str) -> Iterator[dict[str, Any]]:
        before = self.doing.get(name)
        if before is not None:
            yield self._life("e", name, before)
        self.doing[name] = doing
        yield self._life("b", name, doing)

    def _end(self, name: str, outcome: str, num_output_tokens: int) -> Iterator[dict[str, Any]]:
        yield self._life("e", name, self.doing.pop(name))
        yield self._life("e", name, name, {"outcome": outcome, "num_output_tokens": num_output_tokens})

    def _life(
        self, phase: str, request_id: str, name: str, arguments: Mapping[str, Any] | None = None
    ) -> dict[str, Any]:
        event = {"ph": phase, "cat": "request", "id": request_id, "name": name, "pid": REQUESTS, "tid": 1}
        return event | {"ts": self.now} | ({"args": dict(arguments)} if arguments else {})


def _row(row: Row) -> str:
    return f"{row.id} {row.num_scheduled_tokens}"
