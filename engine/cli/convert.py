"""Turn a file of any known format into a trace, a workload, or a timeline for Perfetto.

FILE is recognised by its content: Azure, BurstGPT and Mooncake traces, results of vLLM's bench serve, GuideLLM
and AIPerf, our own traces and workloads, and a folder with a recording (requests.jsonl and meta.json). A
timeline opens at ui.perfetto.dev, which reads it in the browser and sends it nowhere.
"""

import argparse
import json
import sys
from collections.abc import Callable
from typing import Final

from engine.cli.files import InputError, words_beside, write_text
from engine.cli.options import input_file, output_file, whole
from engine.cli.reading import opened
from engine.metrics.memory import memory_use
from engine.readers import ReadError, Reading, workload_lines
from engine.trace import Trace
from engine.views.language import article
from engine.views.perfetto import perfetto_json


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What `convert` takes."""
    parser.add_argument("file", type=input_file, metavar="FILE", help="a file of any known format, or a recording")
    parser.add_argument("--out", type=output_file, required=True, metavar="OUT", help="where the result goes")
    parser.add_argument(
        "--to", choices=tuple(KINDS), help="default: a trace where the file holds results, else a workload"
    )
    parser.add_argument("--part", type=whole(0, 0), metavar="RUN", help="which run, from 0, where a file holds several")
    parser.add_argument("--json", action="store_true", help="what was done as JSON, for programs")


def run(arguments: argparse.Namespace) -> int:
    """Write one file and say what is in it."""
    try:
        with opened(arguments.file, results=arguments.to in ("trace", "perfetto")) as reading:
            kind = arguments.to or ("trace" if reading.holds_results else "workload")
            text, count = KINDS[kind](reading, arguments.part)
            notes = reading.notes()
        write_text(arguments.out, text)
    except (InputError, ReadError) as error:
        print(error, file=sys.stderr)
        return 2
    if arguments.json:
        done = {"format": reading.format.name, "to": kind, "out": str(arguments.out), "requests": count}
        print(json.dumps(done | {"notes": notes}), file=words_beside(arguments.out))
    else:
        made_of = f"{article(reading.format.name)} {reading.format.name}"
        what = "timeline" if kind == "perfetto" else kind
        words = f"{arguments.out}: {what} of {count:,} requests, from {made_of}"
        print(words, file=words_beside(arguments.out))
        for note in notes:
            print(f"note: {note}", file=sys.stderr)
    return 0


def _trace(reading: Reading, part: int | None) -> tuple[str, int]:
    trace = reading.trace(part)
    return trace.to_jsonl(), len(trace.requests())


def _workload(reading: Reading, part: int | None) -> tuple[str, int]:
    workload = reading.workload(part)
    return "".join(workload_lines(workload)), len(workload)


def _perfetto(reading: Reading, part: int | None) -> tuple[str, int]:
    trace = reading.trace(part)
    return perfetto_json(trace, _counters(trace)), len(trace.requests())


def _counters(trace: Trace) -> dict[str, list[tuple[int, int]]]:
    if "block_size" not in trace.header.settings:
        return {}
    return {"held KV blocks": [(use.at, use.num_held_blocks) for use in memory_use(trace)]}


KINDS: Final[dict[str, Callable[[Reading, int | None], tuple[str, int]]]] = {
    "trace": _trace,
    "workload": _workload,
    "perfetto": _perfetto,
}
"""What a file can be turned into: a function that gives the text and the number of requests."""
