"""Files that `engine.readers` knows, opened as rows: plain or gzipped, or a recording's folder."""

import gzip
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from io import BufferedReader
from pathlib import Path
from typing import Any, Final

from engine.cli.files import (
    STANDARD,
    UNREADABLE,
    InputError,
    is_gzipped,
    open_bytes,
    read_object,
    refuse_packed,
    unreadable,
    utf16_of,
)
from engine.cli.progress import Progress
from engine.readers.source import Source

REQUESTS: Final = "requests.jsonl"
"""The file that makes a folder a recording's."""


@contextmanager
def opened_source(path: Path) -> Iterator[Source]:
    """The rows of a file, or of the `requests.jsonl` in a folder; a progress bar shows how far it is.

    Raises `InputError` for a file that can't be read and `ReadError` for one that isn't what it seems, inside
    the block, too.
    """
    if path.is_dir():
        requests = path / REQUESTS
        if not requests.exists():
            raise InputError(f"{path}: is a folder without {REQUESTS}; expected a file, or a recording's folder")
        with _opened(requests, _beside(path), path.name) as source:
            yield source
    else:
        name = "standard input" if path == STANDARD else path.name.partition(".")[0]
        with _opened(path, None, name) as source:
            yield source


@contextmanager
def _opened(path: Path, beside: Mapping[str, Any] | None, name: str) -> Iterator[Source]:
    try:
        size = 0 if path == STANDARD else path.stat().st_size
        with open_bytes(path) as stream, Progress(f"reading {path.name}", size) as progress:
            yield Source(_lines(path, stream, progress), str(path), beside, name)
    except UNREADABLE as error:
        raise unreadable(path, error) from None


def _lines(path: Path, stream: BufferedReader, progress: Progress) -> Iterator[str]:
    # How far it is, is counted in bytes of the file, so that a gzipped one needn't be unpacked to know.
    beginning = stream.peek(8)
    refuse_packed(path, beginning)
    data = gzip.GzipFile(fileobj=stream) if is_gzipped(beginning) else stream
    has_places = stream.seekable()  # a pipe has none
    for number, line in enumerate(data, 1):
        if has_places:
            progress.advance(stream.tell() - progress.done)
        if number == 1 and utf16_of(line):
            raise InputError(f"{path}:1: is UTF-16; expected a text in UTF-8")
        try:
            yield line.decode("utf-8")
        except UnicodeDecodeError as error:
            raise InputError(f"{path}:{number}: byte {error.start} is no UTF-8; expected a text in UTF-8") from None


def _beside(folder: Path) -> Mapping[str, Any] | None:
    meta = folder / "meta.json"
    return read_object(meta) if meta.exists() else None
