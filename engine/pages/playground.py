"""What the playground asks: the metrics of a scenario, its trace, and the requests of a file that was opened.

    from engine.pages.playground import DESK
    DESK.metrics({"settings": {…}, "traffic": {…}})       # as of a scenario's file
    DESK.opened(lines, "trace.csv", most=10_000)
    DESK.metrics({"settings": {…}})                       # the same engine on the file's requests

A value that can't be comes back as a problem, with the setting's name, and never as an exception.
"""

import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from gzip import BadGzipFile, GzipFile
from io import SEEK_END, TextIOWrapper
from itertools import islice
from typing import Any, Final

from engine.codec import encode_object
from engine.metrics.report import report
from engine.readers import ReadError, Reading, read
from engine.settings import SettingsError
from engine.simulate.scenario import Scenario
from engine.trace import Arrived, Trace
from engine.workload.records import Workload

REASONS_UP_TO: Final = 300
"""A trace of up to so many requests tells the reason of every step: then it is simulated step by step."""


class Desk:
    """What a page has open: at most one file's requests, and its trace."""

    def __init__(self) -> None:
        self._workload: Workload | None = None
        self._trace: Trace | None = None

    def open_file(
        self,
        path: str,
        name: str,
        *,
        most: int,
        beside: Mapping[str, Any] | None = None,
        part: int | None = None,
        tell: Callable[[float], None] = lambda share: None,
    ) -> dict[str, Any]:
        """The same of a file, plain or gzipped; `tell` is told now and then which share of it has been read."""
        with open(path, "rb") as raw:
            size = raw.seek(0, SEEK_END) or 1
            raw.seek(0)
            packed = raw.read(2) == b"\x1f\x8b"
            raw.seek(0)
            lines = TextIOWrapper(GzipFile(fileobj=raw) if packed else raw, encoding="utf-8")
            try:
                telling = _telling(lines, lambda: tell(raw.tell() / size))
                return self.opened(telling, name, most=most, beside=beside, part=part)
            except (EOFError, BadGzipFile, zlib.error) as error:
                return {"problem": f"{name}: can't be unpacked: {error}; expected a whole file of gzip"}

    def opened(
        self,
        lines: Iterable[str],
        name: str,
        *,
        most: int,
        beside: Mapping[str, Any] | None = None,
        part: int | None = None,
    ) -> dict[str, Any]:
        """Open a file of any known format. Of arrivals, `most` are taken: the file may hold more.

        Says what it is, whether it holds a trace, how many requests there are and whether there are more, and the
        reader's notes. `part` chooses one of several runs. A file that can't be read is a problem, and what was open
        stays open.
        """
        counted = _Counted(lines)
        try:
            reading = read(counted, name, beside)
            return self._take(reading, counted, most, part)
        except ReadError as error:
            return {"problem": str(error)}
        except UnicodeDecodeError as error:
            return {"problem": f"{name}: byte {error.start} is no UTF-8; expected a text"}

    def _take(self, reading: Reading, counted: "_Counted", most: int, part: int | None) -> dict[str, Any]:
        trace = None
        parts = []
        if reading.holds_results:
            parts = [one.header.about or one.header.name for one in reading.traces()]
            trace = reading.trace(part or 0)
        else:
            # One request stands on one line in every format of arrivals.
            counted.left = most
        can_replay = trace is None or trace.header.unit == "ns"
        workload = reading.workload(part or 0 if parts else None) if can_replay else None
        if workload is not None:
            workload = replace(workload, arrivals=tuple(islice(workload, most)))
        self._workload, self._trace = workload, trace
        return {
            "format": reading.format.name,
            "holds_trace": trace is not None,
            "requests": len(workload) if workload is not None else _arrived(trace),
            "more": counted.is_cut or (trace is not None and workload is not None and _arrived(trace) > len(workload)),
            "can_replay": can_replay,
            "parts": parts,
            "notes": reading.notes(),
        }

    def metrics(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """The report of a scenario, in seconds, or `problem` and the `setting` that can't be."""
        try:
            scenario = self._scenario(values)
            return scenario.run().report() | {"num_requests": len(scenario.workload)}
        except SettingsError as error:
            return {"problem": str(error), "setting": error.key}
        except ValueError as error:
            return {"problem": str(error), "setting": str(error).split(" ", 1)[0]}

    def trace(self, values: Mapping[str, Any]) -> str:
        """The scenario's trace as JSON Lines. For a scenario whose `metrics` were told, so it raises nothing then."""
        scenario = self._scenario(values)
        return scenario.trace(record_why=len(scenario.workload) <= REASONS_UP_TO).to_jsonl()

    def opened_trace(self) -> str:
        """The trace of the file that is open, as JSON Lines; empty for one that holds none."""
        return "" if self._trace is None else self._trace.to_jsonl()

    def opened_metrics(self) -> dict[str, Any]:
        """The report of the trace of the file that is open. Raises `ValueError` where there is none."""
        if self._trace is None:
            raise ValueError("no trace is open; open a file that holds one")
        found = report(self._trace)
        return found | {"num_requests": found["requests"]["arrived"]}

    def spelled_out(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """The scenario with every request written out, as a file that needs nothing else."""
        workload = self._scenario(values).workload
        kept = {name: value for name, value in values.items() if name != "traffic"}
        return {"name": workload.name} | kept | {"arrivals": [encode_object(arrival) for arrival in workload]}

    def _scenario(self, values: Mapping[str, Any]) -> Scenario:
        """The scenario; one that says nothing of its requests has those of the file."""
        if "traffic" in values or "arrivals" in values:
            return Scenario.from_mapping(values)
        if self._workload is None:
            raise ValueError("traffic is missing; give it, or open a file of requests")
        # Scenario wants requests from its values; these are there already and may be many.
        empty = Scenario.from_mapping({**values, "arrivals": []})
        return replace(empty, workload=self._workload)


LINES_BETWEEN: Final = 20_000
"""How many lines are read between two words on how far it is."""


def _telling(lines: Iterable[str], tell: Callable[[], None]) -> Iterator[str]:
    for number, line in enumerate(lines, 1):
        if not number % LINES_BETWEEN:
            tell()
        yield line


class _Counted:
    """Lines, of which only so many more come as `left` says, where it says it; it knows whether that was all."""

    def __init__(self, lines: Iterable[str]) -> None:
        self._lines = iter(lines)
        self.left: int | None = None
        self.is_cut = False

    def __iter__(self) -> "_Counted":
        return self

    def __next__(self) -> str:
        line = next(self._lines)
        if self.left is not None:
            if self.left == 0:
                self.is_cut = True
                raise StopIteration
            self.left -= 1
        return line


def _arrived(trace: Trace | None) -> int:
    return 0 if trace is None else sum(1 for _ in trace.of(Arrived))


DESK: Final = Desk()
"""The desk of this Python: a page has one, and what is open on it lasts as long as its worker."""
