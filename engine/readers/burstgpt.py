"""BurstGPT traces: CSV of requests to ChatGPT and GPT-4 (HPMLL/BurstGPT), with and without session columns.

Arrivals alone. `Timestamp` is in seconds; in one file it starts at 0, in another far from it. Rows of 0
response tokens are requests that failed. `Elapsed time`, where it is, is how long the answer took then.
"""

from collections.abc import Iterator
from typing import Final

from engine.readers.notes import Notes
from engine.readers.source import Source
from engine.workload.records import Arrival

FIELDS: Final = frozenset({"Timestamp", "Model", "Request tokens", "Response tokens"})
"""The columns that every such file has."""


def arrivals(source: Source, notes: Notes) -> Iterator[Arrival]:
    """One request a row, named r0, r1, …; its session, where there is one, is its tenant."""
    if "Session ID" in source.fields:
        notes.add("each Session ID is taken as a tenant; what a session's prompts share isn't in the file")
    if "Elapsed time" in source.fields:
        notes.add("Elapsed time isn't used: it is how long an answer took then, and no time to first token")
    for index, row in enumerate(source.rows()):
        prompt, output = row.whole("Request tokens"), row.whole("Response tokens")
        if prompt and output:
            at = row.time("Timestamp")
            yield Arrival(at, f"r{index}", prompt, output, row.text("Session ID"))
        else:
            notes.count("rows without request tokens or response tokens were left out: these requests failed")
