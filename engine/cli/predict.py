"""Fit a step's costs to one run of a server, and predict its other runs.

RUN and each OTHER are traces that the live link recorded; what is printed is measured against predicted. The engine's
settings come from each trace's header. Start-up: python -m engine predict A.trace.jsonl B.trace.jsonl
"""

import argparse
import datetime
import json
import sys
from pathlib import Path
from typing import Any

from engine.calibrate.judge import STATISTICS
from engine.calibrate.run_page import Predicted, fit_words, rewrite
from engine.calibrate.runs import RunFit, compare_runs, fit_run, predict_run
from engine.cli.files import InputError, read_page, write_text
from engine.cli.options import input_file
from engine.cli.progress import Progress
from engine.cli.reading import opened
from engine.cli.tables import table
from engine.readers import ReadError
from engine.trace import Trace
from engine.views.numbers import change, seconds


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What `predict` takes."""
    parser.add_argument("fitted", type=input_file, metavar="RUN", help="the trace to fit to")
    parser.add_argument("others", type=input_file, nargs="*", metavar="OTHER", help="traces to predict")
    parser.add_argument("--json", action="store_true", help="one JSON object on standard output")
    parser.add_argument("--write", type=Path, metavar="PAGE", help="put the tables into this page, with today's date")


def run(arguments: argparse.Namespace) -> int:
    """Fit to the first run, and print how well each was predicted; the first one's is no prediction, and is marked."""
    try:
        page = None if arguments.write is None else read_page(arguments.write)
        traces = [_read(path) for path in (arguments.fitted, *arguments.others)]
        fitted, found = _predicted(traces)
        if page is not None:
            write_text(arguments.write, rewrite(page, fitted, found, datetime.date.today().isoformat()))
    except (InputError, ReadError) as error:
        print(error, file=sys.stderr)
        return 2
    except ValueError as error:
        print(f"{arguments.fitted}: {error}", file=sys.stderr)
        return 2
    print(json.dumps(_plain(fitted, found)) if arguments.json else "\n\n".join([fit_words(fitted), *map(_told, found)]))
    return 0


def _read(path: Path) -> Trace:
    with opened(path, results=True) as reading:
        return reading.trace()


def _predicted(traces: list[Trace]) -> tuple[RunFit, list[Predicted]]:
    fitted, found = fit_run(traces[0]), []
    with Progress("predicting", len(traces)) as progress:
        for trace in traces:
            compared = compare_runs(trace, predict_run(fitted, trace))
            found.append(Predicted(trace.header.name, trace.header.about, compared, trace is traces[0]))
            progress.advance()
    return fitted, found


def _plain(fitted: RunFit, found: list[Predicted]) -> dict[str, Any]:
    return {
        "fitted": {"run": fitted.name, "by": fitted.by, "seconds": fitted.seconds, "outside_ns": fitted.outside},
        "runs": [
            {"name": one.name, "own": one.is_own}
            | {name: compared.as_dict() for name, compared in one.compared.items()}
            for one in found
        ],
    }


def _told(one: Predicted) -> str:
    rows = [
        (
            f"{name.upper()} {key}",
            str(found.n),
            seconds(value.measured),
            seconds(value.predicted),
            change(value.error),
        )
        for name, found in one.compared.items()
        for key, value in ((key, found.statistics[key]) for key in STATISTICS)
    ]
    name = f"{one.name} (fitted to it)" if one.is_own else one.name
    return table((name, "n", "measured", "predicted", "error"), rows)
