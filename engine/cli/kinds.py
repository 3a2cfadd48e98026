"""What a file is, and which command is for it: told to whoever gave it to a command that is for another kind."""

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from shlex import quote
from typing import Final, NamedTuple

from engine.cli.files import STANDARD, InputError
from engine.cli.sources import REQUESTS, opened_source
from engine.readers import FORMATS, ReadError
from engine.readers.formats import OUTCOME, REPLAYED, SCENARIO, kind_of
from engine.readers.serve import read_server
from engine.views.language import article

RECORDING: Final = "recording of a vLLM server"
"""A folder with `requests.jsonl`, as `engine.readers.recording` has it."""

SERVER: Final = "command line or start-up log of a server"
"""A kind that is known by reading it."""


class Wanted(NamedTuple):
    """The kinds that a command takes, and how they are called where they are missed."""

    kinds: frozenset[str]
    words: str


def one_kind(name: str, words: str = "") -> Wanted:
    """A single kind, called by its name unless there are better words."""
    return Wanted(frozenset({name}), words or f"{article(name)} {name}")


READABLE: Final = Wanted(
    frozenset(one.name for one in FORMATS), "a workload, a trace, a recording or a result of a benchmark"
)
"""All that `engine.readers` reads."""

RESULTS: Final = Wanted(
    frozenset(one.name for one in FORMATS if one.traces),
    "what a server did: a trace, a recording or a result of a benchmark",
)
"""What says what a server did."""

_FOR: Final = {
    **{one.name: ("simulate --workload {}", "serves it in the simulator") for one in FORMATS if one.arrivals},
    **dict.fromkeys(RESULTS.kinds, ("report {}", "tells it in numbers")),
    RECORDING: ("fit {} --num-blocks N", "fits a cost model to it, and `report` tells it in numbers"),
    REPLAYED: ("replay {} --out OUTCOME", "replays it"),
    OUTCOME: ("diff {} OTHER", "compares it with another one"),
    SCENARIO: ("simulate --scenario {}", "simulates it"),
    SERVER: ("read-server {}", "reads it"),
}
"""The command for each kind of file, and what it does with one."""

_MOST_LOOKED_AT: Final = 12
"""So many files of a folder tell what it holds."""

_MOST_CHARACTERS: Final = 200_000
"""A server's command line or log is known from its beginning."""


class Known(NamedTuple):
    """A file or a recording's folder; where a folder of others was given, the first in it whose kind is known."""

    path: Path
    kind: str


@contextmanager
def expecting(path: Path, wanted: Wanted) -> Iterator[None]:
    """Whatever fails in here over a file of another kind than what is `wanted` is told as that: an `InputError`.

    A file is looked at only after a failure, so one that can be used is read once.
    """
    try:
        yield
    except (InputError, ReadError):
        found = known(path)
        if found is None or (found.kind in wanted.kinds and found.path == path):
            raise
        raise InputError(_words(path, found, wanted.words)) from None


def known(path: Path) -> Known | None:
    """What is at `path`; None where nothing is known of it, or where it can't be read twice."""
    if path.is_dir() and not (path / REQUESTS).exists():
        inside = (inner for inner in sorted(path.iterdir()) if inner.is_file() or (inner / REQUESTS).exists())
        found = ((inner, _kind(inner)) for inner in islice(inside, _MOST_LOOKED_AT))
        return next((Known(inner, kind) for inner, kind in found if kind is not None), None)
    kind = _kind(path) if path != STANDARD and (path.is_dir() or path.is_file()) else None
    return None if kind is None else Known(path, kind)


def _kind(path: Path) -> str | None:
    try:
        with opened_source(path) as source:
            kind = kind_of(source)
        return kind or (SERVER if _is_server(path) else None)
    except (InputError, ReadError):
        return None


def _is_server(path: Path) -> bool:
    try:
        with path.open(encoding="utf-8", errors="replace") as text:
            read_server(text.read(_MOST_CHARACTERS))
    except (OSError, ReadError):
        return False
    return True


def _words(path: Path, found: Known, wanted: str) -> str:
    kind = f"{article(found.kind)} {found.kind}"
    what = kind if found.path == path else f"a folder with {found.path.name} in it, {kind}"
    command, does = _FOR[found.kind]
    return f"{path}: is {what}; expected {wanted}\n`python -m engine {command.format(quote(str(found.path)))}` {does}"
