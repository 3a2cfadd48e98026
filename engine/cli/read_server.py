"""Read a server's settings from its command line or from the log of its start.

FILE holds either, - is standard input. What the engine doesn't reproduce is named, and so is what is still unknown.
Keys and tokens that stand in the text are neither kept nor printed.
"""

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from engine.cli.files import InputError, read_bytes, utf16_of
from engine.cli.kinds import SERVER, expecting, one_kind
from engine.cli.options import input_file
from engine.cli.tables import table
from engine.pages.server import described
from engine.readers import ReadError
from engine.readers.serve import MACHINES


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What `read-server` takes."""
    parser.add_argument("file", type=input_file, metavar="FILE", help="a command line or a log; - for standard input")
    words = "; ".join(f"{machine.name}: {machine.words}" for machine in MACHINES)
    parser.add_argument("--machine", choices=[machine.name for machine in MACHINES], help=words)
    parser.add_argument("--json", action="store_true", help="print JSON, for programs")


def run(arguments: argparse.Namespace) -> int:
    """Read it and print what was found."""
    try:
        with expecting(arguments.file, one_kind(SERVER)):
            found = _described(arguments.file, arguments.machine)
    except InputError as error:
        print(error, file=sys.stderr)
        return 2
    print(json.dumps(found) if arguments.json else _words(found))
    return 0


def _described(path: Path, machine: str | None) -> dict[str, Any]:
    try:
        return described(_text(path), machine)
    except ReadError as error:
        raise InputError(f"{path}: {error}") from None


def _text(path: Path) -> str:
    data = read_bytes(path)
    return data.decode(utf16_of(data) or "utf-8-sig", errors="replace")


def _words(found: dict[str, Any]) -> str:
    rows = [[name, str(one["value"]), one["source"]] for name, one in found["settings"].items()]
    parts = [table(["setting", "value", "from"], rows)]
    if found["concurrency"] is not None:
        parts.append(f"Requests of max_model_len tokens that fit at once: {found['concurrency']:g}")
    parts += [f"Can't be: {found['problem']}"] if found["problem"] else []
    parts += [f"Unknown: {one['setting']}: {one['how']}" for one in found["unknown"]]
    parts += [f"Not reproduced: {one['what']}: {one['why']}" for one in found["not_reproduced"]]
    parts += [f"No option of vLLM 0.32.0: {', '.join(found['unrecognised'])}"] if found["unrecognised"] else []
    parts += [f"Changes no decision: {', '.join(found['no_effect'])}"] if found["no_effect"] else []
    return "\n".join([*parts, *(f"Note: {note}" for note in found["notes"])])
