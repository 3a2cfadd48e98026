"""A file of any known format, opened for a command."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from engine.cli.kinds import READABLE, RESULTS, expecting
from engine.cli.sources import opened_source
from engine.readers import Reading


@contextmanager
def opened(path: Path, *, results: bool = False) -> Iterator[Reading]:
    """The reading of a file, or of the `requests.jsonl` in a folder; with `results` of one that holds some.

    Raises `InputError` for a file that can't be read, or is of another kind, and `ReadError` for one that isn't what
    it seems, inside the block, too.
    """
    with expecting(path, RESULTS if results else READABLE), opened_source(path) as source:
        yield Reading(source)
