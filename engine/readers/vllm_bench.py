"""Results of `vllm bench serve --save-result --save-detailed`: one JSON document, or one a line with `--append-result`.

The arrays (`ttfts`, `itls`, `latencies`, `start_times`) are in seconds, the statistics beside them
(`mean_ttft_ms`) in milliseconds. `start_times` is a monotonic clock that has no date. A request counts from when
it was sent: what it waited in the client for a free place (`--max-concurrency`) is in `queue_times` where the
version has it, and in no latency. `latencies` and `queue_times` are in recent versions alone; without them an
answer ends with its last chunk.
"""

from collections.abc import Iterator
from itertools import accumulate
from typing import Final

from engine.readers.notes import Notes
from engine.readers.results import Served, spread, trace_of
from engine.readers.source import Source
from engine.readers.text import MILLISECOND, SECOND, Fields
from engine.trace import Trace

FIELDS: Final = frozenset({"duration", "completed", "total_input_tokens"})
"""The keys that every such document has, with details or without."""

ARRAYS: Final = ("input_lens", "output_lens", "ttfts", "itls", "start_times")
"""What the details are, one item a request."""


def traces(source: Source, notes: Notes) -> list[Trace]:
    """One trace for each run in the file."""
    return [trace_of(_served(run, notes), source.name, _about(run), file=run.place) for run in source.rows()]


def _about(run: Fields) -> str:
    rate, burstiness = run.text("request_rate", "?"), run.text("burstiness", "?")
    return (
        f"vllm bench serve, {run.text('model_id', 'a model without a name')}: request_rate {rate}, "
        f"burstiness {burstiness}, max_concurrency {run.text('max_concurrency', 'none')}"
    )


def _served(run: Fields, notes: Notes) -> Iterator[Served]:
    missing = [name for name in ARRAYS if name not in run.values]
    if missing:
        run.refuse(missing[0], "a list with an item for each request: save with --save-result --save-detailed")
    cells, count = _cells(run)
    _check_unit(run, cells, count)
    if "latencies" not in run:
        notes.add("the file has no latencies: each answer ends with its last chunk")
    if "queue_times" in run:
        _note_waits(max((cells.time(f"queue_times[{index}]") for index in range(count)), default=0), notes)
    for index in range(count):
        yield _one(cells, index, notes)


def _note_waits(longest: int, notes: Notes) -> None:
    if longest > 0:
        notes.add(
            f"requests waited up to {longest / SECOND:.3g} s in the client before they were sent "
            "(queue_times, --max-concurrency): no latency here holds this wait"
        )


def _cells(run: Fields) -> tuple[Fields, int]:
    """All items of the arrays, each under the path that leads to it, as `ttfts[3]`; and how many requests."""
    count = len(run.list("input_lens"))
    names = [name for name in (*ARRAYS, "latencies", "queue_times", "errors") if name in run.values]
    columns = {name: run.list(name, count) for name in names}
    cells = {f"{name}[{index}]": item for name, column in columns.items() for index, item in enumerate(column)}
    return Fields(cells, run.place), count


def _succeeded(cells: Fields, index: int) -> bool:
    return not cells.text(f"errors[{index}]") and cells.whole(f"output_lens[{index}]") > 0


def _check_unit(run: Fields, cells: Fields, count: int) -> None:
    """The mean of the array must be the mean that the file states, or a unit isn't what it was thought to be."""
    known = [cells.time(f"ttfts[{index}]") for index in range(count) if _succeeded(cells, index)]
    if not known or "mean_ttft_ms" not in run:
        return
    stated, found = run.time("mean_ttft_ms", MILLISECOND), sum(known) / len(known)
    if stated and not 0.5 < found / stated < 2:
        expected = f"about {found / MILLISECOND:.6g}, the mean of ttfts if they are seconds; one has another unit"
        run.refuse("mean_ttft_ms", expected)


def _one(cells: Fields, index: int, notes: Notes) -> Served:
    start, ttft = cells.time(f"start_times[{index}]"), cells.time(f"ttfts[{index}]")
    prompt, output = cells.whole(f"input_lens[{index}]"), cells.whole(f"output_lens[{index}]")
    gaps = _gaps(cells, index)
    chunks = [start + at for at in accumulate(gaps, initial=ttft)]
    latency = f"latencies[{index}]"
    ended = start + cells.time(latency) if latency in cells else chunks[-1]
    if not _succeeded(cells, index):
        notes.count("requests failed: they are in the trace as rejected")
        return Served(f"r{index}", start, max(start, ended), prompt, 0, outcome="failed")
    if len(gaps) != output - 1:
        notes.count("answers came in other chunks than single tokens: tokens are spread evenly over the chunks")
    cells.in_order((f"start_times[{index}]", f"ttfts[{index}]", latency), (start, chunks[0], ended))
    # A sum of rounded gaps may end a few nanoseconds after the whole.
    later = [min(at, ended) for at in chunks[1:]] or [ended]
    tokens = spread(later, output - 1)
    return Served(f"r{index}", start, ended, prompt, output, chunks[0], tokens=tokens)


def _gaps(cells: Fields, index: int) -> list[int]:
    gaps = cells.list(f"itls[{index}]")
    inner = Fields({f"itls[{index}][{place}]": gap for place, gap in enumerate(gaps)}, cells.place)
    return [inner.time(name) for name in inner.values]
