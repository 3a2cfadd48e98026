"""Our own files: traces, `NAME.trace.jsonl`, and workloads, `NAME.workload.jsonl`.

A workload file has a header line and one arrival a line; a field that holds its default is left out.
"""

import json
from collections.abc import Iterable, Iterator
from typing import Any, Final

from engine.codec import FieldError, decode_object, encode_object
from engine.readers.notes import Notes
from engine.readers.source import Source
from engine.readers.text import Fields, ReadError, refuse
from engine.trace import FORMAT as TRACE_FORMAT
from engine.trace import Trace, TraceError
from engine.workload.records import Arrival, Workload

WORKLOAD_FORMAT: Final = "inside-the-batch.workload"
"""What the first line of every workload file says."""

WORKLOAD_SCHEMA: Final = 1
"""The version of workload files. A reader refuses every other."""

TRACE_FIELDS: Final = frozenset({f"format: {TRACE_FORMAT}"})
"""How a trace is known."""

WORKLOAD_FIELDS: Final = frozenset({f"format: {WORKLOAD_FORMAT}"})
"""How a workload is known."""


def traces(source: Source, notes: Notes) -> list[Trace]:
    """The trace that the file is."""
    try:
        return [Trace.from_jsonl("".join(source.lines), source.file)]
    except TraceError as error:
        raise ReadError(str(error)) from None


def arrivals(source: Source, notes: Notes) -> Iterator[Arrival]:
    """The arrivals of a workload file."""
    rows = source.rows()
    _check_schema(next(rows))
    for row in rows:
        try:
            arrival: Arrival = decode_object(Arrival, row.values)
        except FieldError as error:
            refuse(row.place, error.field, error.got, error.expected)
        yield arrival


def header(source: Source) -> Workload:
    """The workload without its arrivals."""
    head = Fields(source.document, f"{source.file}:1")
    _check_schema(head)
    seed = head.whole("seed") if "seed" in head else None
    return Workload(head.text("name", source.name), (), seed, head.text("about"))


def _check_schema(head: Fields) -> None:
    if head.values.get("schema") != WORKLOAD_SCHEMA:
        head.refuse("schema", f"{WORKLOAD_SCHEMA}, the version that this engine reads")


def workload_lines(workload: Workload) -> Iterator[str]:
    """The lines of a workload file, which `arrivals` reads back."""
    head: dict[str, Any] = {"format": WORKLOAD_FORMAT, "schema": WORKLOAD_SCHEMA, "name": workload.name}
    head |= {"seed": workload.seed} if workload.seed is not None else {}
    head |= {"about": workload.about} if workload.about else {}
    objects: Iterable[dict[str, Any]] = (encode_object(arrival) for arrival in workload)
    yield _line(head)
    yield from map(_line, objects)


def _line(value: dict[str, Any]) -> str:
    return json.dumps(value, separators=(",", ":")) + "\n"
