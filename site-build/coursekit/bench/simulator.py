"""How many requests a second the simulator serves, beside its own step-by-step run and under all kinds of load."""

from __future__ import annotations

import gc
import tracemalloc
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import Any

from coursekit.bench import million
from coursekit.bench.loads import LOADS, MAIN, rates, scenario, timed
from coursekit.project import here
from engine.cost import DENSE_8B
from engine.readers import read
from engine.simulate.fast import FastForward
from engine.simulate.scenario import Scenario
from engine.simulate.serving import PretendedModel
from engine.simulate.step_by_step import StepByStep
from engine.workload import Arrival, Lengths, Workload, lengths_of

AZURE = Path("..") / "shared" / "data" / "arrivals" / "AzureLLMInferenceTrace_conv.csv"
"""Real lengths, from the project's root, where they are there. The file isn't part of the project."""

STEP_BY_STEP = "6/s, step by step"


def azure() -> list[Arrival]:
    """The hour of real traffic; empty where its file isn't there."""
    file = here().root / AZURE
    if not file.exists():
        return []
    with file.open(encoding="utf-8") as lines:
        return list(read(lines, file.name).workload())


def azure_lengths() -> list[Lengths]:
    """The lengths in it; empty where its file isn't there."""
    return list(lengths_of(azure()))


def lengths_name(real: Sequence[Lengths]) -> str:
    """What to call the lengths that are drawn from."""
    return AZURE.name if real else "lognormal of the same means"


def step_by_step(case: Scenario) -> None:
    """The row-based engine under the same clock. Its requests' token ids are made in the time that is measured."""
    model = PretendedModel()
    run = StepByStep(case.settings, model.requests(case.workload), model.sample, case.cost)
    while run.step():
        # Kept rows would be most of the memory, and the fast one keeps none either.
        run.records.clear()


def measure(num_requests: int, rounds: int) -> dict[str, Any]:
    """Requests a second of every load: medians of some rounds, and how many times as fast as step by step."""
    hour = azure()
    real = list(lengths_of(hour))
    few = scenario(LOADS[MAIN], max(1, num_requests // 10), real)
    found_rates: dict[str, list[float]] = {name: [] for name in (STEP_BY_STEP, *LOADS)}
    for _ in range(rounds):
        found_rates[STEP_BY_STEP].append(len(few.workload) / timed(lambda: step_by_step(few)))
        for name, values in rates(list(LOADS), num_requests, 1, real).items():
            found_rates[name] += values
    times_faster = [fast / slow for fast, slow in zip(found_rates[MAIN], found_rates[STEP_BY_STEP], strict=True)]
    found = {
        "requests": num_requests,
        "lengths": lengths_name(real),
        "requests_per_second": {name: round(median(values)) for name, values in found_rates.items()},
        "times_step_by_step": round(median(times_faster), 1),
        "bytes_per_finished_request": round(bytes_per_request(num_requests), 1),
    }
    if hour:
        whole = Scenario(settings=few.settings, workload=Workload("hour", tuple(hour)), cost=DENSE_8B)
        found["azure_hour_seconds"] = round(min(timed(lambda: whole.run().report()) for _ in range(rounds)), 3)
    return found


def bytes_per_request(num_requests: int) -> float:
    """What the peak of memory grows by with each further request, when only outcomes are kept."""
    small, large = (_peak(num_requests * times) for times in (1, 3))
    return (large - small) / (2 * num_requests)


def _peak(num_requests: int) -> int:
    gc.collect()
    tracemalloc.start()
    try:
        FastForward(million.SETTINGS, million.arrivals(num_requests), DENSE_8B).run()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def lines(measured: Mapping[str, Any]) -> Iterator[str]:
    """The same for people."""
    yield (
        f"simulator: {measured['requests']:,} Poisson requests, lengths {measured['lengths']}, metrics included; "
        "processor time"
    )
    for name, rate in measured["requests_per_second"].items():
        yield f"{name:34}{rate:>10,} requests a second"
    yield f"{measured['times_step_by_step']} times as fast as step by step"
    yield f"{measured['bytes_per_finished_request']} bytes of peak memory a finished request"
    if "azure_hour_seconds" in measured:
        yield f"the hour of Azure traffic: {measured['azure_hour_seconds']} s"
