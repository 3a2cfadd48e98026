"""Simulate an engine that serves some traffic, and tell what its clients saw.

Times are simulated; the wall time (wall_seconds in JSON) is how long the simulation itself took, metrics included.
Everything comes from the seed: the same command gives the same numbers. --detail adds what needs every row of
every step (ITL, KV memory, service for each tenant) and takes longer.
"""

import argparse
import json
import sys
import time
from typing import Any

from engine.cli import scenarios
from engine.cli.files import InputError, words_beside, write_text
from engine.cli.options import number, output_file
from engine.cli.tables import report_tables
from engine.metrics.goodput import Limits
from engine.metrics.memory import memory_use
from engine.metrics.report import report
from engine.policies import POLICIES
from engine.readers import ReadError
from engine.simulate.scenario import Scenario, result_of
from engine.simulate.traffic import SECOND
from engine.trace import Trace
from engine.views.perfetto import perfetto_json


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What `simulate` takes."""
    scenarios.add_arguments(parser)
    parser.add_argument("--policy", choices=tuple(POLICIES), help="who is served first; default fcfs")
    for name in Limits._fields:
        parser.add_argument(f"--{name}-limit", type=number(0, 2), metavar="SECONDS", help="of a good request")
    parser.add_argument("--detail", action="store_true", help="every metric, from every row")
    parser.add_argument("--step-by-step", action="store_true", help="without fast-forward: the same, slower")
    parser.add_argument("--why", action="store_true", help="with --trace: which rules decided each step; step by step")
    parser.add_argument("--trace", type=output_file, metavar="OUT", help="write the whole trace to this file")
    parser.add_argument("--perfetto", type=output_file, metavar="OUT", help="write a timeline for ui.perfetto.dev")
    parser.add_argument("--json", action="store_true", help="print JSON, for programs")


def run(arguments: argparse.Namespace) -> int:
    """Simulate once and print the metrics."""
    try:
        scenario = scenarios.scenario_of(arguments)
        if arguments.policy is not None:
            scenario = scenarios.with_policy(scenario, arguments.policy)
        if arguments.why and arguments.trace is None:
            raise InputError("--why: the reasons go into a trace; say with --trace OUT where to write it")
        found = _simulated(scenario, arguments)
    except (InputError, ReadError, ValueError) as error:
        print(error, file=sys.stderr)
        return 2
    told = json.dumps(found) if arguments.json else report_tables(found)
    print(told, file=words_beside(arguments.trace, arguments.perfetto))
    return 0


def _simulated(scenario: Scenario, arguments: argparse.Namespace) -> dict[str, Any]:
    limits = promise(arguments)
    started = time.perf_counter()
    found: dict[str, Any] = {"name": scenario.workload.name, "source": "simulated"}
    if arguments.detail or arguments.step_by_step or arguments.trace or arguments.perfetto:
        trace = scenario.trace(step_by_step=arguments.step_by_step, record_why=arguments.why)
        found |= report(trace, limits) if arguments.detail else result_of(trace).report(limits)
        _write(trace, arguments)
    else:
        found |= scenario.run().report(limits)
    return found | {"wall_seconds": round(time.perf_counter() - started, 6)}


def promise(arguments: argparse.Namespace) -> Limits | None:
    """The limits of a good request in nanoseconds; None where none is given."""
    given = [getattr(arguments, f"{name}_limit") for name in Limits._fields]
    return Limits(*(value and value * SECOND for value in given)) if any(given) else None


def _write(trace: Trace, arguments: argparse.Namespace) -> None:
    if arguments.trace is not None:
        write_text(arguments.trace, trace.to_jsonl())
    if arguments.perfetto is not None:
        counters = {"held KV blocks": [(use.at, use.num_held_blocks) for use in memory_use(trace)]}
        write_text(arguments.perfetto, perfetto_json(trace, counters))
