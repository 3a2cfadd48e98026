"""Rounds of runs, their medians, and how they are told."""

from __future__ import annotations

import platform
from collections.abc import Callable, Iterator, Mapping
from statistics import median
from typing import Any

from coursekit.bench.engine import Run, peak_bytes, run_engine, run_naive

BASELINE = "naive twin"

RUNS: Mapping[str, Callable[[int], Run]] = {
    BASELINE: run_naive,
    "engine, caching off": lambda num_requests: run_engine(num_requests, enable_prefix_caching=False),
    "engine, caching on": lambda num_requests: run_engine(num_requests, enable_prefix_caching=True),
}
"""What is measured, in the order of a round."""


def measure(num_requests: int, rounds: int) -> dict[str, Any]:
    """Every run in turn, `rounds` times over, and the memory of two sizes.

    A ratio is taken within a round, where both runs met the same machine, and its median over the rounds.
    """
    taken = [{name: run(num_requests) for name, run in RUNS.items()} for _ in range(rounds)]
    small, large = max(num_requests // 20, 200), max(num_requests // 5, 800)
    return {
        "requests": num_requests,
        "rounds": rounds,
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "runs": {name: _summary(name, taken) for name in RUNS},
        "peak_bytes": {str(size): peak_bytes(size) for size in (small, large)},
    }


def _summary(name: str, taken: list[dict[str, Run]]) -> dict[str, float | int]:
    runs = [one_round[name] for one_round in taken]
    ratios = [one_round[name].microseconds_a_row / one_round[BASELINE].microseconds_a_row for one_round in taken]
    return {
        "microseconds_a_row": round(median(run.microseconds_a_row for run in runs), 3),
        "of_baseline": round(median(ratios), 3),
        "rows": runs[0].num_rows,
        "rows_a_step": round(runs[0].rows_a_step, 1),
        "preemptions": runs[0].num_preemptions,
    }


def lines(measured: Mapping[str, Any]) -> Iterator[str]:
    """The same for people."""
    yield (
        f"scheduler: {measured['requests']:,} requests, 128 seats, budget 2,048, 4,096 blocks of 16; "
        f"medians of {measured['rounds']}, processor time, {measured['python']}"
    )
    yield f"{'':22}{'µs a row':>10}{'of baseline':>13}{'rows':>12}{'rows a step':>13}{'preemptions':>13}"
    for name, run in measured["runs"].items():
        yield (
            f"{name:22}{run['microseconds_a_row']:>10.2f}{run['of_baseline']:>13.2f}{run['rows']:>12,}"
            f"{run['rows_a_step']:>13.1f}{run['preemptions']:>13,}"
        )
    sizes = [f"{int(size):,} requests {peak / 2**20:.2f} MiB" for size, peak in measured["peak_bytes"].items()]
    yield f"peak memory, caching on: {', '.join(sizes)}"
