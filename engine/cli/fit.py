"""Fit a cost model to the first requests of a recording, and predict the times of the others.

DIR is the folder of a recording of a vLLM server: requests.jsonl and meta.json. All arrivals and lengths are given,
and the times of the first requests; what is printed is about the others. Settings come from meta.json and
from the options. Start-up: python -m engine fit DIR --num-blocks 2588 --train 0.333
"""

import argparse
import datetime
import json
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from engine.calibrate.choose import RULES, Trial, choose, told
from engine.calibrate.cost import COEFFICIENTS, readable
from engine.calibrate.fit import ROUNDS, Fit
from engine.calibrate.identify import coefficients, confused
from engine.calibrate.judge import STATISTICS, Judgement, judge, predict
from engine.calibrate.page import Section, rewrite
from engine.calibrate.recording import Problem, Recording, form_of, num_replicas_of, read_recording, settings_of
from engine.calibrate.server import Server
from engine.cli.files import InputError, read_page, write_text
from engine.cli.kinds import RECORDING, expecting, one_kind
from engine.cli.options import number, whole
from engine.cli.progress import Progress
from engine.cli.sources import REQUESTS, opened_source
from engine.cli.tables import table
from engine.readers import ReadError
from engine.views.numbers import change, seconds

WANTED = one_kind(RECORDING, f"the folder of a recording: {REQUESTS} and meta.json")
"""What can be fitted to."""

SWITCHES = {"async_scheduling": "--async-scheduling", "enable_prefix_caching": "--enable-prefix-caching"}
"""Rules that the command line can fix."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What `fit` takes."""
    parser.add_argument("folders", type=Path, nargs="+", metavar="DIR", help="the folder of a recording")
    parser.add_argument(
        "--num-blocks",
        type=whole(2, 2588),
        metavar="BLOCKS",
        required=True,
        help="KV blocks of each engine, the null block included",
    )
    parser.add_argument("--train", type=_share, default=1 / 3, metavar="SHARE", help="the first share to fit to")
    parser.add_argument(
        "--max-num-seqs", type=whole(1, 128), metavar="SEATS", help="seats of each engine, if meta.json is wrong"
    )
    parser.add_argument(
        "--max-num-batched-tokens", type=whole(1, 2048), metavar="TOKENS", help="tokens of a step at most"
    )
    parser.add_argument(
        "--block-size", type=whole(1, 16), metavar="TOKENS", help="tokens in a block; 16 if nobody says"
    )
    parser.add_argument("--data-parallel-size", type=whole(1, 2), metavar="N", help="engines that step together")
    parser.add_argument("--experts", type=_experts, metavar="N/K", help="a mixture of N experts, K a token; 0/0: dense")
    parser.add_argument(
        "--least",
        type=_least,
        action="append",
        default=[],
        metavar="NAME=SECONDS",
        help="a coefficient's lower bound, as kv_token=82e-9: what memory bandwidth allows",
    )
    for name, option in SWITCHES.items():
        parser.add_argument(option, dest=name, action=argparse.BooleanOptionalAction, default=None)
    parser.add_argument("--json", action="store_true", help="one JSON object on standard output")
    parser.add_argument("--write", type=Path, metavar="PAGE", help="put the tables into this page, with today's date")


def run(arguments: argparse.Namespace) -> int:
    """Fit each recording, and print how well the rest of it was predicted."""
    try:
        page = None if arguments.write is None else read_page(arguments.write)
        sections = [_section(folder, arguments) for folder in arguments.folders]
        if page is not None:
            _write(arguments.write, page, sections)
    except (InputError, ReadError) as error:
        print(error, file=sys.stderr)
        return 2
    if arguments.json:
        found = {section.name: _plain(section.judged) for section in sections}
        print(json.dumps(found if len(sections) > 1 else found[sections[0].name]))
    else:
        print("\n\n".join(map(_told, sections)))
    return 0


def _section(folder: Path, arguments: argparse.Namespace) -> Section:
    recording = _recording(folder)
    try:
        server = _server(recording, arguments)
        problem = recording.training_part(arguments.train)
    except ValueError as error:
        raise InputError(f"{folder}: {error}") from None
    fixed = [name for name in RULES if _known(recording, arguments, name)]
    least = dict(arguments.least)
    form = replace(form_of(recording, arguments.experts), least=tuple(least.get(name, 0.0) for name in COEFFICIENTS))
    with Progress(f"fitting {recording.name}", ROUNDS * (1 + len(RULES) - len(fixed))) as progress:
        fitted, trials = choose(problem, server, form, fixed, progress.advance)
    judged = judge(recording, problem, predict(problem, fitted))
    notes = list(_notes(problem, fitted, trials))
    if not arguments.json:
        for one in coefficients(fitted):
            value, spread = readable(one.name, one.seconds), readable(one.name, one.spread, 2)
            print(f"fitted: {recording.name}: {one.name} {value}, draws spread by {spread}", file=sys.stderr)
        for note in notes:
            print(f"note: {recording.name}: {note}", file=sys.stderr)
    return Section(recording, len(problem.timings), fitted, judged, notes)


def _recording(folder: Path) -> Recording:
    with expecting(folder, WANTED):
        if folder.name == REQUESTS:
            raise InputError(f"{folder}: is a recording's file; give the folder that it is in: {folder.parent}")
        if not folder.is_dir():
            raise InputError(f"{folder}: is no folder; expected {WANTED.words}")
        with opened_source(folder) as source:
            return read_recording(source)


def _known(recording: Recording, arguments: argparse.Namespace, rule: str) -> bool:
    return getattr(arguments, rule, None) is not None or recording.engine.get(rule) is not None


def _server(recording: Recording, arguments: argparse.Namespace) -> Server:
    names = ("max_num_seqs", "max_num_batched_tokens", "block_size", *SWITCHES)
    settings = settings_of(recording, arguments.num_blocks, **{name: getattr(arguments, name) for name in names})
    return Server(settings=settings, num_replicas=arguments.data_parallel_size or num_replicas_of(recording))


def _notes(problem: Problem, fitted: Fit, trials: list[Trial]) -> Iterator[str]:
    cost, warm_up = fitted.cost()
    yield from told(trials, fitted.error)
    for first, second, correlation in confused(fitted):
        yield f"{first} and {second} can't be told apart: correlation {correlation:.2f}"
    yield f"a lone request takes {cost(0, 1, 0) / 1e6:.2f} ms a token; the first step {warm_up / 1e6:.0f} ms more"
    yield f"{fitted.serve(problem.at_server()).num_preemptions} preemptions in the whole run, as simulated"


def _plain(judged: dict[str, dict[str, Judgement]]) -> dict[str, Any]:
    return {
        name: {
            key: {"measured": one.measured, "predicted": one.predicted, "error": one.error}
            | {"low": one.low, "high": one.high}
            for key, one in found.items()
        }
        for name, found in judged.items()
    }


def _told(section: Section) -> str:
    rows = [
        (
            f"{name.upper()} {key}",
            seconds(one.measured),
            seconds(one.predicted),
            change(one.error),
            f"{seconds(one.low)} to {seconds(one.high)}",
        )
        for name, found in section.judged.items()
        for key, one in ((key, found[key]) for key in STATISTICS)
    ]
    head = (f"{section.name}, requests {section.num_trained + 1} on", "measured", "predicted", "error", "90 % of draws")
    return table(head, rows)


def _write(path: Path, page: str, sections: list[Section]) -> None:
    try:
        write_text(path, rewrite(page, sections, datetime.date.today().isoformat()))
    except ValueError as error:
        raise InputError(f"{path}: {error}") from None


def _share(text: str) -> float:
    value = number(0, 0.333)(text)
    if value >= 1:
        raise argparse.ArgumentTypeError(f"got {text!r}; give a share above 0 and below 1, as 0.333")
    return value


def _experts(text: str) -> tuple[int, int]:
    first, slash, second = text.partition("/")
    if not (slash and first.isdecimal() and second.isdecimal()) or not 0 <= int(second) <= int(first):
        raise argparse.ArgumentTypeError(f"got {text!r}; give experts/experts of a token, as 128/8, or 0/0 for none")
    return int(first), int(second)


def _least(text: str) -> tuple[str, float]:
    name, _, value = text.partition("=")
    if name not in COEFFICIENTS:
        raise argparse.ArgumentTypeError(
            f"got {text!r}; give one of {', '.join(COEFFICIENTS)} and seconds, as kv_token=82e-9"
        )
    return name, number(0, 82e-9, most=1, least=True)(value)
