"""Files of the command line: JSON in, plain or gzipped, and text out, never half-written. `-` is a standard stream."""

import codecs
import gzip
import json
import os
import sys
import tempfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from errno import EISDIR
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
        refuse_packed(path, data)
        return gzip.decompress(data) if is_gzipped(data) else data
    except UNREADABLE as error:
        raise unreadable(path, error) from None


def read_json(path: Path) -> Any:
    """The parsed content of a JSON file, plain or gzipped.

    Raises `InputError` for a file that isn't there, can't be read or is no JSON.
    """
    data = read_bytes(path)
    if not data.removeprefix(codecs.BOM_UTF8).strip():
        raise InputError(f"{path}: is empty; expected JSON")
    try:
        if utf16_of(data):
            raise InputError(f"{path}: is UTF-16; expected JSON in UTF-8")
        return json.loads(data.decode("utf-8-sig"), parse_constant=_refuse_constant, object_pairs_hook=_each_once)
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: byte {error.start} is no UTF-8; expected JSON in UTF-8") from None
    except json.JSONDecodeError as error:
        raise InputError(f"{path}:{error.lineno}:{error.colno}: no JSON: {error.msg}") from None
    except RecursionError:
        raise InputError(f"{path}: no JSON: nested too deep") from None
    except _Refused as error:
        raise InputError(f"{path}: no JSON: {error}") from None
    except ValueError:  # Python reads whole numbers of 4,300 digits at most
        raise InputError(f"{path}: no JSON: a number has thousands of digits") from None


def read_object(path: Path) -> dict[str, Any]:
    """The object in a JSON file. Raises `InputError`, as `read_json` does, and for anything else in it."""
    value = read_json(path)
    if not isinstance(value, dict):
        raise InputError(f"{path}: got {json.dumps(value)[:40]}, expected an object, {{ … }}")
    return value


UNREADABLE: Final = (OSError, EOFError, zlib.error)
"""What ends the reading of a file that isn't there, or whose gzipped content is damaged."""


def unreadable(path: Path, error: Exception) -> InputError:
    """What to say of a file that ended in one of `UNREADABLE`."""
    if isinstance(error, OSError) and error.strerror:
        return InputError(f"{path}: can't be read: {error.strerror}")
    if isinstance(error, EOFError):
        return InputError(f"{path}: can't be read: its gzipped content ends too soon; get the whole file")
    return InputError(f"{path}: can't be read: its gzipped content is damaged; get the file again")


def is_gzipped(beginning: bytes) -> bool:
    """Whether a file is gzipped: by its content alone, for some programs unpack what they fetch and keep its name."""
    return beginning.startswith(b"\x1f\x8b")


PACKED: Final = {
    b"PK\x03\x04": "a zip archive",
    b"BZh": "compressed by bzip2",
    b"\xfd7zXZ": "compressed by xz",
    b"\x28\xb5\x2f\xfd": "compressed by zstd",
}
"""How files begin that are packed in a way that isn't read here, and what they are."""


def refuse_packed(path: Path, beginning: bytes) -> None:
    """Raise `InputError` for a file that has to be unpacked first."""
    what = next((what for mark, what in PACKED.items() if beginning.startswith(mark)), None)
    if what is not None:
        raise InputError(f"{path}: is {what}; unpack it first, or give it gzipped")


def utf16_of(data: bytes) -> str | None:
    """The codec of a text that begins as UTF-16 does, which some shells on Windows write; None for any other."""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    halves = {(False, True): "utf-16-le", (True, False): "utf-16-be"}
    return halves.get((data[:1] == b"\0", data[1:2] == b"\0"))


class _Refused(ValueError):
    """What Python's reader takes, and JSON doesn't have."""


def _refuse_constant(name: str) -> Any:
    raise _Refused(f"{name} is no number in JSON")


def _each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object of these keys. One that stands twice is refused: nobody can tell which value is meant."""
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise _Refused(f"the key {twice!r} stands twice in one object; keep one")
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
    except FileExistsError:
        raise InputError(f"{path}: can't be written: {path.parent} is a file and no folder") from None
    except OSError as error:
        raise InputError(f"{path}: can't be written: {error.strerror}") from None


def see_place(path: Path) -> None:
    """See that a file can be written there before work that nobody wants to do twice. Raises `InputError`."""
    if path == STANDARD or (path.exists() and not path.is_file() and not path.is_dir()):
        return
    try:
        if path.is_dir():
            raise IsADirectoryError(EISDIR, os.strerror(EISDIR))
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=path.resolve().parent):
            return
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
