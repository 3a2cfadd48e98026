"""A file of any known format, as arrivals, as a workload or as a trace."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from engine.readers.formats import Format, recognise
from engine.readers.notes import Notes
from engine.readers.results import arrivals_of
from engine.readers.source import Source
from engine.readers.text import ReadError
from engine.trace import Trace
from engine.workload.records import Arrival, Workload, WorkloadError, check_prompt


class Reading:
    """A file that was recognised and is read when one of its contents is asked for, once.

    Made by `read`. `notes()` tells afterwards what was left out and which traps were avoided.
    """

    def __init__(self, source: Source) -> None:
        self.format: Format = recognise(source)
        self.file = source.file
        self._source = source
        self._notes = Notes()

    @property
    def holds_results(self) -> bool:
        """Whether the file says what a server did, and not only what came."""
        return self.format.traces is not None

    def arrivals(self, part: int | None = None) -> Iterator[Arrival]:
        """The requests one by one, in the file's order, with the file's own clock: little memory is needed.

        For whoever counts and keeps no clock, as a hit rate does. `part` is as for `trace`.
        """
        if self.format.arrivals is None:
            return self._possible(arrivals_of(self.trace(part), self._notes))
        return self._possible(self.format.arrivals(self._source, self._notes))

    def _possible(self, arrivals: Iterator[Arrival]) -> Iterator[Arrival]:
        """The same. One whose prompt can't be ends in a `ReadError`: whoever counts its blocks would never end."""
        for arrival in arrivals:
            try:
                check_prompt(arrival)
            except WorkloadError as error:
                raise ReadError(f"{self.file}: {error}") from None
            yield arrival

    def workload(self, part: int | None = None) -> Workload:
        """The requests as a workload: in order of time, the first one at 0.

        Raises `ReadError` for a file without requests, or whose requests can't be.
        """
        if self.holds_results and (unit := self.trace(part).header.unit) != "ns":
            raise ReadError(f"{self.file}: unit: got {unit!r}, expected 'ns': steps can't be told in seconds")
        arrivals = sorted(self.arrivals(part), key=lambda arrival: arrival.at)
        if not arrivals:
            raise ReadError(f"{self.file}: holds no request; expected at least one")
        start = arrivals[0].at
        workload = Workload(
            self._source.name, tuple(_earlier(arrival, start) for arrival in arrivals), about=self.format.name
        )
        if self.format.header is not None:
            workload = replace(self.format.header(self._source), arrivals=workload.arrivals)
        try:
            workload.check()
        except WorkloadError as error:
            raise ReadError(f"{self.file}: {error}") from None
        return workload

    def traces(self) -> list[Trace]:
        """What the server did, one trace for each run in the file. Raises `ReadError` for arrivals alone."""
        if self.format.traces is None:
            raise ReadError(
                f"{self.file}: {self.format.name}: holds arrivals and no results; "
                "expected what a server did with them: simulate it first"
            )
        if not hasattr(self, "_traces"):
            self._traces = self.format.traces(self._source, self._notes)
        return self._traces

    def trace(self, part: int | None = None) -> Trace:
        """One of the traces, counted from 0; needed only where a file holds several."""
        traces = self.traces()
        if not traces:
            raise ReadError(f"{self.file}: holds no run; expected at least one")
        if part is None and len(traces) > 1:
            told = "".join(f"\n  {index}: {trace.header.about}" for index, trace in enumerate(traces))
            raise ReadError(f"{self.file}: holds {len(traces)} runs; say which one, by its number:{told}")
        if not 0 <= (part or 0) < len(traces):
            raise ReadError(f"{self.file}: run {part}: expected a number from 0 to {len(traces) - 1}")
        return traces[part or 0]

    def notes(self) -> list[str]:
        """What a user should know, a line each. Complete when the file has been read to its end."""
        return self._notes.lines()


def read(lines: Iterable[str], file: str, beside: Mapping[str, Any] | None = None, name: str = "") -> Reading:
    """Recognise a text by its content. `lines` are read on the way, so keep the file open.

    `file` is its name in errors, `beside` the parsed `meta.json` of a recording, `name` what to call what is in
    it, if not by the file. Raises `ReadError`, here and
    later, with the file, the line or path, the field, what was found and what was expected.
    """
    return Reading(Source(lines, file, beside, name))


def _earlier(arrival: Arrival, by: int) -> Arrival:
    return arrival._replace(
        at=arrival.at - by,
        cancel_at=None if arrival.cancel_at is None else arrival.cancel_at - by,
        deadline=None if arrival.deadline is None else arrival.deadline - by,
    )
