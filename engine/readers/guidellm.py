"""GuideLLM's `benchmarks.json`: one document, with a list of benchmarks and their requests.

Times are seconds since 1970, under `info.timings`. A request counts from `request_start`, when it was sent, as
in GuideLLM's own `time_to_first_token_ms`; what it was late against `targeted_start` is in no latency. Its
`time_per_output_token_ms` takes the first token in; TPOT here is its `inter_token_latency_ms`. When single
tokens came isn't in the file, so there are no gaps between tokens.
"""

from collections.abc import Iterator
from typing import Final, Literal

from engine.readers.notes import Notes
from engine.readers.results import Served, trace_of
from engine.readers.source import Source
from engine.readers.text import SECOND, Fields
from engine.trace import Trace

FIELDS: Final = frozenset({"benchmarks"})
"""The key that such a document has."""

OUTCOMES: Final[dict[str, Literal["finished", "cancelled", "failed"]]] = {
    "successful": "finished",
    "incomplete": "cancelled",
    "errored": "failed",
}
"""How GuideLLM sorts its requests, and what each sort is in a trace."""


def traces(source: Source, notes: Notes) -> list[Trace]:
    """One trace for each benchmark in the file."""
    notes.add(
        "TPOT is (E2E - TTFT) / (tokens - 1), the file's inter_token_latency_ms; "
        "its time_per_output_token_ms counts the first token in"
    )
    found = []
    for document in source.rows():
        for benchmark in document.each("benchmarks"):
            place = f"{benchmark.place}: {benchmark.path}"
            about = f"GuideLLM, {benchmark.path}"
            found.append(trace_of(_served(benchmark, notes), source.name, about, file=place))
    return found


def _served(benchmark: Fields, notes: Notes) -> Iterator[Served]:
    requests = benchmark.inside("requests")
    late = 0
    for sort, outcome in OUTCOMES.items():
        for request in requests.each(sort):
            timings = request.inside("info").inside("timings")
            if "request_start" not in timings:
                notes.count("requests were never sent and are left out")
                continue
            if "targeted_start" in timings:
                late = max(late, timings.time("request_start") - timings.time("targeted_start"))
            yield _one(request, timings, outcome)
    if late > 0:
        notes.add(
            f"requests were sent up to {late / SECOND:.3g} s after their targeted_start: "
            "no latency here holds this wait"
        )


def _one(request: Fields, timings: Fields, outcome: Literal["finished", "cancelled", "failed"]) -> Served:
    start = timings.time("request_start")
    first = timings.time("first_token_iteration") if "first_token_iteration" in timings else None
    last = timings.time("last_token_iteration") if "last_token_iteration" in timings else None
    end = timings.time("request_end") if "request_end" in timings else None
    ended = last if outcome == "finished" and last is not None else end
    if ended is None:
        ended = max(time for time in (start, first, last) if time is not None)
    names = ("request_start", "first_token_iteration", "last_token_iteration", "request_end")
    timings.in_order(names, (start, first, last, end))
    return Served(
        request.text("request_id"),
        start,
        ended,
        _tokens(request, "prompt_tokens", "input_metrics", outcome),
        _tokens(request, "output_tokens", "output_metrics", outcome),
        first,
        outcome=outcome,
    )


def _tokens(request: Fields, name: str, metrics: str, outcome: str) -> int:
    """A count that the file states in one of two places, or not at all for a request that wasn't answered."""
    if name in request:
        return request.whole(name)
    if metrics in request:
        inside = request.inside(metrics)
        if "text_tokens" in inside:
            return inside.whole("text_tokens")
    return request.whole(name, least=1) if outcome == "finished" else 0
