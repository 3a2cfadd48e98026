"""`coursekit bench`: how many microseconds the scheduler takes for a row, and how fast the simulator is."""

from __future__ import annotations

import cProfile
import json
import pstats
from collections.abc import Sequence

from coursekit.bench import million, simulator
from coursekit.bench.engine import run_engine
from coursekit.bench.report import lines, measure
from engine.cli.options import whole
from engine.cli.parser import Parser


def main(arguments: Sequence[str]) -> int:
    """0 always: a benchmark judges nothing."""
    parser = Parser(prog="python -m coursekit bench", description=__doc__)
    parser.add_argument("--requests", type=whole(1, 10_000), default=10_000, help="how many are served (10000)")
    parser.add_argument("--rounds", type=whole(1, 5), default=5, help="how often each run is made (5)")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--profile", action="store_true", help="print where one run spends its time instead")
    parser.add_argument("--million", action="store_true", help="serve a million requests, and nothing else, instead")
    chosen = parser.read(arguments)
    if chosen.profile or chosen.million:
        _profile(chosen.requests) if chosen.profile else print(million.measure().line())
        return 0
    measured = measure(chosen.requests, chosen.rounds)
    simulated = simulator.measure(chosen.requests, chosen.rounds)
    if chosen.json:
        print(json.dumps(measured | {"simulator": simulated}))
    else:
        print("\n".join([*lines(measured), "", *simulator.lines(simulated)]))
    return 0


def _profile(num_requests: int) -> None:
    profile = cProfile.Profile()
    profile.runcall(run_engine, num_requests, True)
    pstats.Stats(profile).strip_dirs().sort_stats("tottime").print_stats(15)
