"""Azure LLM inference traces: CSV with `TIMESTAMP`, `ContextTokens`, `GeneratedTokens` (Azure/AzurePublicDataset).

Arrivals alone. Timestamps are wall-clock times to 100 nanoseconds, in the files of 2024 with a time zone.
"""

import re
from calendar import timegm
from collections.abc import Iterator
from typing import Final

from engine.readers.notes import Notes
from engine.readers.source import Source
from engine.readers.text import SECOND, Fields
from engine.workload.records import Arrival

FIELDS: Final = frozenset({"TIMESTAMP", "ContextTokens", "GeneratedTokens"})
"""The columns that such a file has."""

_TIME = re.compile(
    r"(\d{4})-(\d\d)-(\d\d)[ T](\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?(?:Z|([+-])(\d\d):?(\d\d))?", re.ASCII
)


def arrivals(source: Source, notes: Notes) -> Iterator[Arrival]:
    """One request a row, named r0, r1, … in the order of the rows."""
    for index, row in enumerate(source.rows()):
        prompt, output = row.whole("ContextTokens"), row.whole("GeneratedTokens")
        if prompt and output:
            yield Arrival(timestamp(row, "TIMESTAMP"), f"r{index}", prompt, output)
        else:
            notes.count("rows without prompt tokens or generated tokens were left out")


def timestamp(row: Fields, name: str) -> int:
    """A wall-clock time as nanoseconds since 1970, taken as UTC where no zone is given."""
    found = _TIME.fullmatch(row.text(name).strip())
    if found is None:
        row.refuse(name, "a time, as 2023-11-16 18:15:46.6805900")
    *date, fraction, sign, hours, minutes = found.groups()
    try:
        whole = timegm(tuple(map(int, date)))
    except ValueError:
        row.refuse(name, "a day that there is")
    if max(int(date[3]) - 23, int(date[4]) - 59, int(date[5]) - 60) > 0:
        row.refuse(name, "a time of day, up to 23:59:59")
    zone = (int(hours) * 60 + int(minutes)) * 60 if sign else 0
    return (whole + (zone if sign == "-" else -zone)) * SECOND + int((fraction or "").ljust(9, "0"))
