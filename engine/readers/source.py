"""A file as rows, whatever it is written in: CSV, JSON Lines, or one JSON document, which is one row.

What it is written in is seen from its first line. CSV and JSON Lines are read as they are asked for, so a
file may be larger than memory.
"""

import csv
import json
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import Any, Literal

from engine.readers.text import Fields, ReadError, refuse


class Source:
    """A text that is read once, from its start.

    `lines` are its lines, as an open file gives them; `file` is its name in errors; `beside` is what stood in
    a file that belongs to it, as a recording's `meta.json`; `name` is what to call its content. Raises
    `ReadError` for an empty file and for JSON that isn't any.
    """

    def __init__(
        self, lines: Iterable[str], file: str, beside: Mapping[str, Any] | None = None, name: str = ""
    ) -> None:
        self.file = file
        self.beside = beside or {}
        self.name = name or file
        stream = iter(lines)
        self._skipped = 0
        first = self._first(stream)
        self.lines: Iterator[str] = chain([first], stream)
        """All lines but blank ones at the start, for a reader that wants them as they are."""
        self.kind: Literal["csv", "jsonl", "json"] = "csv"
        self.document: Any = None
        if first.lstrip()[:1] in ("{", "["):
            self._begin_json(first, stream)
        else:
            self.columns = self._header(first)

    @property
    def fields(self) -> frozenset[str]:
        """Columns, or the keys of the first object. A key `format` counts as `format: <value>`, too."""
        if self.kind == "csv":
            return frozenset(self.columns)
        names = frozenset(self.document)
        return names | {f"format: {self.document['format']}"} if "format" in names else names

    def _first(self, stream: Iterator[str]) -> str:
        for line in stream:
            if line.strip("\ufeff \t\r\n"):
                return line.removeprefix("\ufeff")
            self._skipped += 1
        raise ReadError(f"{self.file}: is empty; expected a workload or a trace")

    def _header(self, first: str) -> list[str]:
        if "\r" in first.rstrip("\r\n"):
            place = f"{self.file}:{self._skipped + 1}"
            refuse(place, "ends of lines", "\r", "\\n or \\r\\n: save it with the ends of lines of Unix")
        try:
            columns: list[str] = next(_csv([first]))
        except (csv.Error, StopIteration) as error:
            raise ReadError(f"{self.file}:{self._skipped + 1}: no CSV and no JSON: {error}") from None
        return columns

    def _begin_json(self, first: str, stream: Iterator[str]) -> None:
        """JSON Lines if the first line is a whole object; else one document, over all lines."""
        self.kind = "jsonl"
        try:
            self.document = json.loads(first)
        except (ValueError, RecursionError):
            self.kind = "json"
            text = "".join([first, *stream])
            self.document = self._checked(text, self._skipped)
            self.lines = iter(text.splitlines(keepends=True))
        if not isinstance(self.document, dict):
            refuse(f"{self.file}:{self._skipped + 1}", "line", first.strip(), "an object, { … }")

    def rows(self) -> Iterator[Fields]:
        """The rows, in order. Ask once: they are read on the way."""
        if self.kind == "csv":
            return self._csv_rows()
        if self.kind == "json":
            return iter([Fields(self.document, self.file)])
        return self._json_rows()

    def _csv_rows(self) -> Iterator[Fields]:
        rows = _csv(self.lines)
        width = len(next(rows))
        # The reader counts lines, not rows: a quoted field may hold a line's end.
        while True:
            try:
                row = next(rows)
            except StopIteration:
                return
            except csv.Error as error:
                raise ReadError(f"{self.file}:{rows.line_num + self._skipped}: no CSV: {error}") from None
            if not row:
                continue
            place = f"{self.file}:{rows.line_num + self._skipped}"
            if len(row) != width:
                refuse(place, "line", f"{len(row)} fields", f"{width}, as the first line has")
            yield Fields(dict(zip(self.columns, row, strict=True)), place)

    def _json_rows(self) -> Iterator[Fields]:
        for number, line in enumerate(self.lines, self._skipped + 1):
            if line.strip():
                value = self._checked(line.rstrip("\r\n"), number - 1)
                place = f"{self.file}:{number}"
                if not isinstance(value, dict):
                    refuse(place, "line", line.strip(), "an object, { … }")
                yield Fields(value, place)

    def _checked(self, text: str, lines_before: int) -> Any:
        try:
            return json.loads(text)
        except json.JSONDecodeError as error:
            place = f"{self.file}:{error.lineno + lines_before}:{error.colno}"
            raise ReadError(f"{place}: no JSON: {error.msg}") from None
        except RecursionError:
            raise ReadError(f"{self.file}:{lines_before + 1}: no JSON: nested too deep") from None
        except ValueError:  # Python reads whole numbers of 4,300 digits at most
            raise ReadError(f"{self.file}:{lines_before + 1}: no JSON: a number has thousands of digits") from None


def _csv(lines: Iterable[str]) -> Any:
    return csv.reader(lines, strict=True, skipinitialspace=True)
