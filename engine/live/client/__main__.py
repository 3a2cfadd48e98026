"""Run a workload on the server behind a bridge, and write its trace to a file.

LINK is what the bridge printed. The workload is a file of any known format, or is drawn:
python -m engine.live.client LINK --out a.trace.jsonl --traffic rate=4 num_requests=60 prompt_tokens=96 output_tokens=64
"""

import argparse
import asyncio
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from engine.cli.files import InputError, see_place, write_text
from engine.cli.options import input_file, output_file
from engine.cli.parser import Parser
from engine.cli.reading import opened
from engine.live.client.gathering import LiveTrace
from engine.live.client.link import LinkError
from engine.live.client.running import latest, run
from engine.readers import ReadError
from engine.simulate.traffic import Traffic
from engine.workload.records import Workload


def main(given: Sequence[str] | None = None) -> int:
    """0 for a whole run, 1 for one that isn't (the file says why), 2 where nothing could be run."""
    arguments = _parser().read(given)
    try:
        workload = _workload(arguments)
        see_place(arguments.out)
        trace = asyncio.run(run(workload, address=arguments.link, tell=_tell))
        _write(arguments.out, trace)
    except KeyboardInterrupt:
        return _stopped(arguments.out)
    except (InputError, LinkError, ReadError, ValueError, TypeError) as error:
        _tell(str(error))
        return 2
    except OSError as error:
        _tell(f"{error.filename or 'standard output'}: {error.strerror}")
        return 2
    return 0 if trace.complete else 1


def _parser() -> Parser:
    parser = Parser(
        prog="python -m engine.live.client", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("link", metavar="LINK", help="http://127.0.0.1:8811/live/#live=…")
    parser.add_argument("--out", type=output_file, required=True, metavar="FILE", help="where the trace goes")
    parser.add_argument("--name", default="run", help="what to call it")
    parser.add_argument("--workload", type=input_file, metavar="FILE", help="replay the requests of this file")
    parser.add_argument("--traffic", nargs="+", default=[], metavar="NAME=VALUE", help="of engine.simulate.traffic")
    return parser


def _workload(arguments: argparse.Namespace) -> Workload:
    if arguments.workload is not None:
        with opened(arguments.workload) as reading:
            return reading.workload()
    return Traffic.from_mapping(dict(map(_pair, arguments.traffic))).workload(arguments.name)


def _pair(text: str) -> tuple[str, Any]:
    name, _, value = text.partition("=")
    try:
        return name, json.loads(value)
    except ValueError:
        return name, value


def _stopped(out: Path) -> int:
    try:
        if (found := latest()) is not None:
            _write(out, found)
    except InputError as error:
        _tell(str(error))
    return 1


def _write(file: Path, trace: LiveTrace) -> None:
    write_text(file, trace.to_jsonl())
    _tell(f"{file}: {len(trace.records)} records")


def _tell(words: str) -> None:
    print(words, file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
