"""Replay workloads and write what the engine did, step by step.

TRACE is a JSON file, or a folder of them; OUTCOME is then a folder too. The engine decides as vLLM 0.32.0
does, its known defect included, and starts even where a real server would refuse the settings.
"""

import argparse
import sys
from pathlib import Path
from typing import Any

from engine.cli.files import InputError, json_files, read_json, stem, words_beside, write_text
from engine.cli.kinds import expecting, one_kind
from engine.cli.options import input_file, output_file
from engine.cli.sources import REQUESTS
from engine.codec import FieldError
from engine.outcome import dumps
from engine.readers.formats import REPLAYED
from engine.replay import replay_trace
from engine.views.language import count

WANTED = one_kind(REPLAYED, "a replay's JSON file, with name, config and requests, or a folder of them")
"""What can be replayed."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What `replay` takes."""
    parser.add_argument("trace", type=input_file, metavar="TRACE", help="a workload, or a folder of workloads")
    parser.add_argument("--out", type=output_file, required=True, metavar="OUTCOME", help="where the outcome goes")
    parser.add_argument("--correct", action="store_true", help="without vLLM's known defect")


def run(arguments: argparse.Namespace) -> int:
    """Replay one file or all of a folder; a bad one is reported and the others are still replayed."""
    try:
        pairs = _pairs(arguments.trace, arguments.out)
    except InputError as error:
        return _complain(error)
    status = 0
    for source, target in pairs:
        try:
            outcome = _replayed(source, arguments.correct)
            write_text(target, dumps(outcome))
        except InputError as error:
            status = _complain(error)
        else:
            print(_summary(outcome, target), file=words_beside(target))
    return status


def _pairs(source: Path, target: Path) -> list[tuple[Path, Path]]:
    """What is read, and where each outcome goes."""
    if not source.is_dir():
        if target.is_dir():
            raise InputError(f"{target}: is a folder and {source} is one file; expected a file's name")
        return [(source, target)]
    if target.exists() and not target.is_dir():
        raise InputError(f"{target}: is no folder, but {source} is one; expected two folders")
    with expecting(source, WANTED):
        if (source / REQUESTS).exists():
            raise InputError(f"{source}: is a recording")
        return [(path, target / f"{stem(path)}.json") for path in json_files(source)]


def _replayed(path: Path, correct: bool) -> dict[str, Any]:
    with expecting(path, WANTED):
        try:
            return replay_trace(read_json(path), correct=correct)
        except FieldError as error:
            raise InputError(f"{path}: {error}") from None


def _summary(outcome: dict[str, Any], target: Path) -> str:
    steps, requests = outcome["steps"], outcome["requests"].values()
    preemptions = sum(state["preemptions"] for state in requests)
    hits = sum(state["hit_tokens_first"] or 0 for state in requests)
    counts = ", ".join((count(len(steps), "step"), count(preemptions, "preemption"), count(hits, "hit token")))
    text = f"{target}: {outcome['status']}, {counts}"
    return text + (f"; {_stall(steps[-1])}" if outcome["status"] == "stalled" else "")


def _stall(step: dict[str, Any]) -> str:
    waiting = step["waiting"]
    behind = f", and {len(waiting) - 1} wait behind it" if len(waiting) > 1 else ""
    return f"{waiting[0]!r} waits at the head and doesn't fit{behind}"


def _complain(what: object) -> int:
    print(what, file=sys.stderr)
    return 2
