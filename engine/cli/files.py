"""Files of the command line: JSON in, plain or gzipped, and text out, never half-written. `-` is a standard stream."""

import codecs
import gzip
import json
import os
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import BufferedReader
from pathlib import Path
from typing import Any, Final, TextIO, cast

SUFFIXES: Final = (".json", ".json.gz")
"""How the names of JSON files end."""

STANDARD: Final = Path("-")
"""The name of standard input where something is read, and of standard output where something is written."""


class InputError(Exception):
    """A file that can't be used; the message says which, where in it, and what was expected."""


@contextmanager
def open_bytes(path: Path) -> Iterator[BufferedReader]:
    """A file's bytes, or those of standard input, which stays open.

    Raises `OSError` for a file that can't be opened, and `InputError` where there is no standard input.
    """
    if path != STANDARD:
        with path.open("rb") as stream:
            yield stream
    elif sys.stdin is None:  # a shell can close it, with <&-
        raise InputError("-: standard input is closed; give a file's name")
    else:
        yield cast("BufferedReader", sys.stdin.buffer)


def read_bytes(path: Path) -> bytes:
    """The content of a file, or of standard input, unpacked where it is gzipped.

    Raises `InputError` for one that isn't there or can't be read.
    """
    try:
        with open_bytes(path) as stream:
            data = stream.read()
        return gzip.decompress(data) if is_gzipped(path, data) else data
    except (OSError, EOFError, zlib.error) as error:
        raise InputError(f"{path}: can't be read: {getattr(error, 'strerror', None) or error}") from None


def read_json(path: Path) -> Any:
    """The parsed content of a JSON file, plain or gzipped.

    Raises `InputError` for a file that isn't there, can't be read or is no JSON.
    """
    data = read_bytes(path)
    if not data.strip():
        raise InputError(f"{path}: is empty; expected JSON")
    try:
        return json.loads(data.decode("utf-8-sig"), parse_constant=_refuse_constant, object_pairs_hook=_each_once)
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: {not_utf8(data, error.start)}; expected JSON in UTF-8") from None
    except json.JSONDecodeError as error:
        raise InputError(f"{path}:{error.lineno}:{error.colno}: no JSON: {error.msg}") from None
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path}: no JSON: {error}") from None


def is_gzipped(path: Path, beginning: bytes) -> bool:
    """Whether a file is gzipped, by its name or by its beginning."""
    return path.name.endswith(".gz") or beginning.startswith(b"\x1f\x8b")


def is_utf16(data: bytes) -> bool:
    """Whether a text begins as UTF-16 does, which some shells on Windows write."""
    return data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))


def not_utf8(data: bytes, place: int) -> str:
    """Why bytes are no UTF-8: what they are instead, if it is plain, or where they stop being it."""
    return "is UTF-16" if is_utf16(data) else f"byte {place} is no UTF-8"


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is no number in JSON")


def _each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object of these keys. One that stands twice is refused: nobody can tell which value is meant."""
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"the key {twice!r} stands twice in one object; keep one")
    return found


def write_text(path: Path, text: str) -> None:
    """Write `text` beside `path` first and rename it then, so that nobody meets half a file.

    A name that ends in `.gz` is written gzipped, without a time in it. A device or a pipe is written to as
    it stands: a rename would put a file in its place. A link stays one. Raises `InputError` for a place that can't be
    written.
    """
    if path == STANDARD:
        sys.stdout.write(text)
        return
    data = text.encode("utf-8")
    if path.name.endswith(".gz"):
        data = gzip.compress(data, mtime=0)
    try:
        if path.exists() and not path.is_file():
            path.write_bytes(data)
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            _replace(path.resolve(), data)
    except OSError as error:
        raise InputError(f"{path}: can't be written: {error.strerror}") from None


def words_beside(*written: Path | None) -> TextIO:
    """Where words go that tell of what was written: to standard error, if standard output has the text itself."""
    return sys.stderr if STANDARD in written else sys.stdout


def _replace(path: Path, data: bytes) -> None:
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        beside.write_bytes(data)
        beside.replace(path)
    except BaseException:
        with suppress(OSError):
            beside.unlink()
        raise


def read_page(path: Path) -> str:
    """The text of a page that tables go into. Raises `InputError`: it is read before any work is done."""
    if not path.is_file():
        raise InputError(f"{path}: is no file; expected a page with the places where tables go")
    try:
        return path.read_text("utf-8")
    except OSError as error:
        raise InputError(f"{path}: can't be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: byte {error.start} is no UTF-8; expected a text") from None


def json_files(folder: Path) -> list[Path]:
    """The JSON files of a folder, by name. Raises `InputError` for none, and for two of one name."""
    files = sorted(path for path in folder.iterdir() if path.name.endswith(SUFFIXES))
    if not files:
        raise InputError(f"{folder}: holds no {' or '.join(SUFFIXES)} file")
    named: dict[str, Path] = {}
    for path in files:
        other = named.setdefault(stem(path), path)
        if other is not path:
            raise InputError(f"{folder}: holds {other.name} and {path.name}, which are one name; keep one")
    return files


def stem(path: Path) -> str:
    """A file's name without `.json` or `.json.gz`."""
    return path.name.removesuffix(".gz").removesuffix(".json")
