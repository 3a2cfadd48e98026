"""The trace: one record of what a serving engine did, whoever made it and whoever draws it.

A trace is a header and a list of small records in the order of their time. The simulator, a recording of
a real server and a live one all make traces, and every view reads one. `engine.trace_format` is the schema.

On disk a trace is JSON Lines, `NAME.trace.jsonl`: the header on the first line, one record a line after
it. A field that holds its default is left out (`engine.codec`), so the same trace has the same bytes.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from engine.codec import FieldError, Missing, decode_object, encode_object
from engine.trace_format import (
    EVENTS,
    FORMAT,
    SCHEMA,
    Admitted,
    Arrived,
    Cancelled,
    Filled,
    Finished,
    FirstToken,
    Header,
    Reason,
    Record,
    Rejected,
    Row,
    Stalled,
    Step,
    TimedOut,
    Tokens,
)

__all__ = [
    "EVENTS",
    "FORMAT",
    "SCHEMA",
    "Admitted",
    "Arrived",
    "Cancelled",
    "Filled",
    "Finished",
    "FirstToken",
    "Header",
    "Reason",
    "Record",
    "Rejected",
    "Row",
    "Stalled",
    "Step",
    "TimedOut",
    "Tokens",
    "Trace",
    "TraceError",
    "header_object",
    "problems_of",
    "record_object",
]

_R = TypeVar("_R", Arrived, Admitted, Step, FirstToken, Tokens, Finished, TimedOut, Rejected, Cancelled, Stalled)

_NAMES = {kind: name for name, kind in EVENTS.items()}
_ENDS = (Finished, TimedOut, Rejected, Cancelled)


class TraceError(ValueError):
    """A trace that can't be read: the file, the line, the field and what was expected there."""


@dataclass(frozen=True)
class Trace:
    """What an engine did: a `Header` and records in the order of their time."""

    header: Header
    records: tuple[Record, ...]

    def of(self, kind: type[_R]) -> Iterator[_R]:
        """The records of one kind, in order: `trace.of(Step)`."""
        return (record for record in self.records if isinstance(record, kind))

    def steps(self) -> tuple[Step, ...]:
        """The steps, in order."""
        return tuple(self.of(Step))

    def requests(self) -> dict[str, Arrived]:
        """Every request by its id, in the order of arrival."""
        return {record.id: record for record in self.of(Arrived)}

    def finish_steps(self) -> dict[str, int]:
        """How many steps were done when each request finished, in the order of arrival.

        Only finished requests are in it, and only those whose trace knows steps.
        """
        done = {record.id: record.step + 1 for record in self.of(Finished) if record.step is not None}
        return {name: done[name] for name in self.requests() if name in done}

    def to_jsonl(self) -> str:
        """The trace as JSON Lines; `from_jsonl` gives it back, and this again the same bytes."""
        head = header_object(self.header)
        lines = [head, *map(record_object, self.records)]
        return "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines)

    @classmethod
    def from_jsonl(cls, text: str, file: str = "trace") -> "Trace":
        """The trace that `text` holds; `file` is its name in errors.

        Raises `TraceError` for anything that isn't a trace of this schema: the line, the field, what
        was expected.
        """
        lines = text.removesuffix("\n").split("\n")
        header = _reading(file, 1, _read_header, lines[0])
        records = [_reading(file, number, _read_record, line) for number, line in enumerate(lines[1:], 2)]
        trace = cls(header, tuple(records))
        for index, problem in problems_of(trace.records):
            raise TraceError(f"{file}:{index + 2}: {problem}")
        return trace

    def check(self) -> None:
        """Raise `TraceError` unless the records tell a story that can have happened.

        Time doesn't run backwards, step indices count up, no request does anything before it arrived,
        arrives twice, or does anything after it ended.
        """
        for index, problem in problems_of(self.records):
            raise TraceError(f"record {index}: {problem}")

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, Any]:
        # What a notebook shows. Imported here and nowhere else in this file, because views read traces and
        # a trace needs no view to exist; the contract in pyproject.toml names this one exception.
        from engine.views import notebook_bundle

        return notebook_bundle(self)


def header_object(header: Header) -> dict[str, Any]:
    """What the first line of a trace says."""
    return {"format": FORMAT, "schema": SCHEMA, **encode_object(header)}


def record_object(record: Record) -> dict[str, Any]:
    """What the line of a record says."""
    return {"event": _NAMES[type(record)], **encode_object(record)}


def _reading(file: str, number: int, read: Any, line: str) -> Any:
    try:
        return read(_object(line))
    except FieldError as error:
        raise TraceError(f"{file}:{number}: {error}") from None


def _object(line: str) -> dict[str, Any]:
    try:
        value = json.loads(line, parse_constant=_no_constant)
    except (ValueError, RecursionError):
        raise FieldError("", line, "a JSON object on one line") from None
    if not isinstance(value, dict):
        raise FieldError("", value, "a JSON object on one line")
    return value


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON")


def _read_header(value: dict[str, Any]) -> Any:
    mark = value.pop("format", Missing())
    if mark != FORMAT:
        raise FieldError("format", mark, f"{FORMAT!r}, which the first line of a trace says")
    schema = value.pop("schema", Missing())
    if type(schema) is not int or schema != SCHEMA:
        raise FieldError("schema", schema, f"{SCHEMA}, the version that this engine reads")
    return decode_object(Header, value)


def _read_record(value: dict[str, Any]) -> Any:
    event = value.pop("event", Missing())
    if not isinstance(event, str) or event not in EVENTS:
        raise FieldError("event", event, "one of " + ", ".join(EVENTS))
    return decode_object(EVENTS[event], value)


def problems_of(records: Iterable[Record]) -> Iterator[tuple[int, str]]:
    """Where the story of these records breaks: the index of the record, and what is wrong with it."""
    now = 0
    next_step: dict[str, int] = {}
    alive: dict[str, bool] = {}
    for index, record in enumerate(records):
        if record.at < now:
            yield index, f"at: got {record.at}, expected {now} or later: time doesn't run backwards"
        now = record.at
        if isinstance(record, Step):
            expected = next_step.get(record.lane, 0)
            if record.step < expected:
                yield index, f"step: got {record.step}, expected {expected} or later: steps count up"
            next_step[record.lane] = record.step + 1
        if isinstance(record, Arrived):
            if record.id in alive:
                yield index, f"id: got {record.id!r}, which arrived before; expected an id of its own"
            alive[record.id] = True
        for name in _named(record):
            if not alive.get(name):
                yield index, _stranger(name, alive)
        if isinstance(record, _ENDS):
            alive[record.id] = False


def _named(record: Record) -> tuple[str, ...]:
    """The requests that a record speaks of."""
    if isinstance(record, Step):
        return *(row.id for row in record.rows), *record.preempted
    return record.ids if isinstance(record, Stalled) else (record.id,)


def _stranger(name: str, alive: Mapping[str, bool]) -> str:
    past = "has ended" if name in alive else "never arrived"
    return f"id: got {name!r}, which {past}; expected a request that is here"
