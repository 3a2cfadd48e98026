"""Compare scheduling policies on the same traffic, down to the same seed.

Each policy meets the same arrivals, lengths and contents. A policy that is good for the mean may be bad for
somebody: look at the greatest percentile and at who timed out, too.
"""

import argparse
import json
import signal
import sys
from collections.abc import Mapping
from concurrent.futures import Executor, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import nullcontext
from typing import Any

from engine.cli import scenarios
from engine.cli.files import InputError
from engine.cli.options import whole
from engine.cli.progress import Progress
from engine.cli.tables import table
from engine.policies import POLICIES
from engine.readers import ReadError
from engine.simulate.scenario import Scenario, sweep
from engine.views.numbers import seconds


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What `compare` takes."""
    scenarios.add_arguments(parser)
    parser.add_argument(
        "--policies",
        default="fcfs,shortest-oracle",
        metavar="NAMES",
        help=f"comma between them, of {', '.join(POLICIES)}; default fcfs,shortest-oracle",
    )
    parser.add_argument("--jobs", type=whole(1, 2), default=1, metavar="N", help="processes side by side; default 1")
    parser.add_argument("--json", action="store_true", help="print JSON, for programs: a report for each policy")


def run(arguments: argparse.Namespace) -> int:
    """Simulate once for each policy and print them side by side."""
    names = [name.strip() for name in arguments.policies.split(",")]
    try:
        scenario = scenarios.scenario_of(arguments)
        cases = [scenarios.with_policy(scenario, name) for name in names]
        reports = dict(zip(names, _reports(cases, arguments.jobs), strict=True))
    except (InputError, ReadError, ValueError) as error:
        print(error, file=sys.stderr)
        return 2
    except BrokenProcessPool:
        print("--jobs: one of the processes was ended, most likely for want of memory; give fewer", file=sys.stderr)
        return 2
    print(json.dumps(reports) if arguments.json else _told(reports))
    return 0


def _reports(cases: list[Scenario], jobs: int) -> list[dict[str, Any]]:
    reports = []
    jobs = min(jobs, len(cases))
    # Ctrl-C reaches every process, and this one says so for all. Where a shell told it to ignore that, they do so too.
    ignores = signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    quiet = (signal.SIGINT, signal.SIG_IGN if ignores else signal.SIG_DFL)
    pool: Any = ProcessPoolExecutor(jobs, initializer=signal.signal, initargs=quiet) if jobs > 1 else nullcontext()
    with Progress("comparing", len(cases)) as progress, pool as executor:
        for result in sweep(Scenario.run, cases, executor if isinstance(executor, Executor) else None):
            reports.append(result.report())
            progress.advance()
    return reports


def _told(reports: Mapping[str, Mapping[str, Any]]) -> str:
    head = ("policy", "finished", "lost", "TTFT mean", "P50", "P99", "E2E mean", "P50", "P99", "preemptions")
    return table(head, [_row(name, report) for name, report in reports.items()])


def _row(name: str, report: Mapping[str, Any]) -> list[str]:
    counts = report["requests"]
    times = []
    for latency in ("ttft", "e2e"):
        known = report[latency]
        empty = {"value": None}
        times += [seconds(known.get("mean")), *(seconds(known.get(key, empty)["value"]) for key in ("p50", "p99"))]
    lost = counts["arrived"] - counts["finished"]
    return [name, f"{counts['finished']:,}", f"{lost:,}", *times, f"{report['preemptions']:,}"]
