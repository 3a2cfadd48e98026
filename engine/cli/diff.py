"""Show the first step where two outcomes part, in words.

A and B are outcomes, `.json` or `.json.gz`, or two folders of them. Who made an outcome and how many
seconds it took don't count. Exit status: 0 if they are the same, 1 if they part, 2 for a bad input.
"""

import argparse
import sys
from pathlib import Path

from engine.cli.files import InputError, json_files, read_json, stem
from engine.cli.kinds import expecting, one_kind
from engine.cli.options import input_file
from engine.outcome import NotAnOutcome, check_shape, first_difference
from engine.readers.formats import OUTCOME

WANTED = one_kind(OUTCOME, "an outcome of a replay, or a folder of them")
"""What can be compared."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What `diff` takes."""
    parser.add_argument("a", type=input_file, metavar="A", help="an outcome, or a folder of outcomes")
    parser.add_argument("b", type=input_file, metavar="B", help="the outcome, or the folder, to compare it with")


def run(arguments: argparse.Namespace) -> int:
    """Compare two files, or the files of two folders that have the same name."""
    status = 0
    try:
        for a, b in _pairs(arguments.a, arguments.b):
            difference = _difference(a, b)
            if difference is not None:
                status = 1
                print(f"{a} and {b} part: {difference}")
            else:
                print(f"{a} and {b} are the same")
    except InputError as error:
        print(error, file=sys.stderr)
        return 2
    return status


def _pairs(a: Path, b: Path) -> list[tuple[Path, Path]]:
    if a.is_dir() != b.is_dir():
        folder, file = (a, b) if a.is_dir() else (b, a)
        raise InputError(f"{folder}: is a folder and {file} isn't; expected two files or two folders")
    if not a.is_dir():
        return [(a, b)]
    ours, theirs = map(_by_stem, (a, b))
    alone = sorted(ours.keys() ^ theirs.keys())
    if alone:
        raise InputError(f"{a if alone[0] in ours else b}: {alone[0]} has no partner in the other folder")
    return [(ours[name], theirs[name]) for name in sorted(ours)]


def _by_stem(folder: Path) -> dict[str, Path]:
    with expecting(folder, WANTED):
        return {stem(path): path for path in json_files(folder)}


def _difference(a: Path, b: Path) -> str | None:
    values = []
    for path in (a, b):
        with expecting(path, WANTED):
            values.append(read_json(path))
            try:
                check_shape(values[-1])
            except NotAnOutcome as error:
                raise InputError(f"{path}: {error}") from None
    return first_difference(*values)
