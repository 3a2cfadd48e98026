"""Recordings of a vLLM server: a folder with `requests.jsonl`, a request a line, and `meta.json` beside it.

The shape is that of the recordings of casys-kaist/LLMServingSim. Two clocks stand side by side: `arrival_time`
is wall-clock seconds at the client, all that ends in `_ts` is monotonic seconds at the server. A request counts
from `queued_ts`; mixing the clocks gives nonsense.
"""

from collections.abc import Iterator
from typing import Final

from engine.readers.notes import Notes
from engine.readers.results import Served, trace_of
from engine.readers.source import Source
from engine.readers.text import Fields
from engine.trace import Trace

FIELDS: Final = frozenset({"request_id", "input_toks", "output_toks", "queued_ts", "first_token_ts"})
"""The keys that every line has."""

TIMES: Final = ("queued_ts", "scheduled_ts", "first_token_ts", "last_token_ts")
"""What happens to a request, in this order."""


def traces(source: Source, notes: Notes) -> list[Trace]:
    """The trace of the recording, with the engine's settings as far as `meta.json` knows them."""
    notes.add("requests count from queued_ts; arrival_time is another clock and isn't used")
    meta = Fields(source.beside, "meta.json")
    settings = meta.inside("engine_kwargs").values if "engine_kwargs" in meta else {}
    about = f"vLLM {meta.text('vllm_version', '?')}, {meta.text('model', 'an unknown model')}"
    return [trace_of(_served(source), source.name, about, settings, source.file)]


def _served(source: Source) -> Iterator[Served]:
    for row in source.rows():
        queued, scheduled, first, last = times = tuple(row.time(name) for name in TIMES)
        row.in_order(TIMES, times)
        yield Served(
            row.text("request_id"),
            queued,
            last,
            row.whole("input_toks", least=1),
            row.whole("output_toks", least=1),
            first,
            scheduled,
        )
