"""Show what a trace, a recording or a benchmark's result says in numbers.

Latencies count from arrival; percentiles are nearest rank, each with the interval that its true value lies in
95 times of 100, "?" where there are too few values for a bound. Limits add the goodput: how many requests were
served within all of them. --request says where one request's time went.
"""

import argparse
import json
import sys
from typing import Any

from engine.cli.files import InputError
from engine.cli.options import input_file, number, whole
from engine.cli.reading import opened
from engine.cli.tables import report_tables, table
from engine.metrics import Limits, report, slowness
from engine.metrics.report import PER_UNIT
from engine.readers import ReadError
from engine.trace import Trace
from engine.views.numbers import percent, seconds


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What `report` takes."""
    parser.add_argument("file", type=input_file, metavar="FILE", help="a trace, a recording or a result")
    parser.add_argument("--part", type=whole(0, 0), metavar="RUN", help="which run, from 0, of several in a file")
    for name in Limits._fields:
        words = f"the longest {name.upper()} that is good, in seconds (steps for a trace in steps)"
        parser.add_argument(f"--{name}", type=number(0, 0.5), metavar="SECONDS", help=words)
    parser.add_argument("--request", metavar="ID", help="why this request took as long as it did")
    parser.add_argument("--json", action="store_true", help="everything as JSON, for programs")


def run(arguments: argparse.Namespace) -> int:
    """Print the report of a trace, or of one request in it."""
    try:
        with opened(arguments.file, results=True) as reading:
            trace = reading.trace(arguments.part)
        found = _report(trace, arguments) if arguments.request is None else _causes(trace, arguments)
    except (InputError, ReadError) as error:
        print(error, file=sys.stderr)
        return 2
    if arguments.json:
        print(json.dumps(found))
    elif arguments.request is None:
        print(report_tables(found))
    else:
        print(_causes_table(found))
    for note in reading.notes():
        print(f"note: {note}", file=sys.stderr)
    return 0


def _report(trace: Trace, arguments: argparse.Namespace) -> dict[str, Any]:
    given = {name: getattr(arguments, name) for name in Limits._fields}
    scaled = {name: value * PER_UNIT[trace.header.unit] for name, value in given.items() if value is not None}
    return report(trace, Limits(**scaled) if scaled else None)


def _causes(trace: Trace, arguments: argparse.Namespace) -> dict[str, Any]:
    found = slowness(trace, {arguments.request}).get(arguments.request)
    if found is None:
        raise InputError(
            f"{arguments.file}: --request: got {arguments.request!r}, expected a request that ended, "
            f"as {next(iter(slowness(trace)), 'none in this trace')}"
        )
    per_unit = PER_UNIT[trace.header.unit]
    causes = {name: value / per_unit for name, value in found._asdict().items()}
    return (
        {"id": arguments.request, "unit": "s" if trace.header.unit == "ns" else "step"}
        | causes
        | {"total": found.total / per_unit}
    )


def _causes_table(found: dict[str, Any]) -> str:
    show = seconds if found["unit"] == "s" else "{:.6g}".format
    values = {name: value for name, value in found.items() if name not in ("id", "unit")}
    total = values["total"] or 1.0
    rows = [(name.replace("_", " "), show(value), percent(value / total)) for name, value in values.items()]
    return table((found["id"], "time" if found["unit"] == "s" else "steps", "share"), rows)
