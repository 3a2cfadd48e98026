"""How many requests a second the simulator serves, beside its own step-by-step run and under all kinds of load."""

from __future__ import annotations

import gc
import tracemalloc
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from random import Random
from statistics import median
from time import process_time
from typing import Any, NamedTuple

from coursekit.project import here
from engine.cost import DENSE_8B
from engine.readers import read
from engine.settings import Settings
from engine.simulate.fast import FastForward
from engine.simulate.scenario import Scenario
from engine.simulate.serving import PretendedModel
from engine.simulate.step_by_step import StepByStep
from engine.workload import (
    Arrival,
    Lengths,
    Workload,
    cycle,
    lengths_of,
    lognormal,
    open_loop,
    poisson,
    predicted,
    shared_prefix,
    stream,
)

SEED = 1

AZURE = Path("..") / "shared" / "data" / "arrivals" / "AzureLLMInferenceTrace_conv.csv"
"""Real lengths, from the project's root, where they are there. The file isn't part of the project."""

MEANS = (1155, 211)
"""Mean prompt and answer of that file, for lengths that are drawn where it isn't there."""


class Load(NamedTuple):
    """One kind of run, as changes to the main one."""

    rate: float = 6
    num_blocks: int = 8192
    caching: bool = False
    policy: str = "fcfs"
    longer: int = 1
    """How many times as long answers are."""


MAIN = "6/s"
STEP_BY_STEP = "6/s, step by step"

LOADS: Mapping[str, Load] = {
    MAIN: Load(),
    "6/s, cache, half share prefixes": Load(caching=True),
    "2/s": Load(rate=2),
    "9/s": Load(rate=9),
    "20/s, overload": Load(rate=20),
    "6/s, 2,000 blocks": Load(num_blocks=2000),
    "6/s, answers ten times as long": Load(longer=10),
    "9/s, 2,000 blocks, priority": Load(rate=9, num_blocks=2000, policy="priority"),
    "9/s, 2,000 blocks, shortest": Load(rate=9, num_blocks=2000, policy="shortest"),
    "9/s, 2,000 blocks, fair": Load(rate=9, num_blocks=2000, policy="fair"),
}
"""What is measured, with metrics; the main one first."""


def azure() -> list[Arrival]:
    """The hour of real traffic; empty where its file isn't there."""
    file = here().root / AZURE
    if not file.exists():
        return []
    with file.open(encoding="utf-8") as lines:
        return list(read(lines, file.name).workload())


def scenario(load: Load, num_requests: int, hour: list[Arrival]) -> Scenario:
    """So many requests of that kind."""
    lengths = _lengths(hour)
    if load.longer > 1:
        lengths = (Lengths(one.prompt, one.output * load.longer) for one in lengths)
    arrivals = open_loop("bench", poisson(load.rate, stream(SEED, "arrivals")), lengths, num_requests).arrivals
    changed: Iterator[Arrival] = predicted(arrivals, stream(SEED, "predictions"), cv=0.3)
    if load.caching:
        changed = shared_prefix(changed, stream(SEED, "content"), num_tokens=256, share=0.5, groups=10)
    sizes = Settings(
        num_blocks=load.num_blocks,
        max_model_len=32_768,
        enable_prefix_caching=load.caching,
        policy=load.policy,
        startup_rule=False,
    )
    return Scenario(settings=sizes, workload=Workload("bench", tuple(changed)), cost=DENSE_8B)


def _lengths(hour: list[Arrival]) -> Iterator[Lengths]:
    draws: Random = stream(SEED, "lengths")
    return cycle(lengths_of(hour), draws) if hour else lognormal(*MEANS, draws, longest=4096)


def timed(work: Callable[[], object]) -> float:
    """Seconds of processor time."""
    gc.collect()
    started = process_time()
    work()
    return process_time() - started


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
    cases = {name: scenario(load, num_requests, hour) for name, load in LOADS.items()}
    few = scenario(LOADS[MAIN], max(1, num_requests // 10), hour)
    rates: dict[str, list[float]] = {name: [] for name in (STEP_BY_STEP, *cases)}
    for _ in range(rounds):
        rates[STEP_BY_STEP].append(len(few.workload) / timed(lambda: step_by_step(few)))
        for name, case in cases.items():
            rates[name].append(num_requests / timed(lambda case=case: case.run().report()))  # type: ignore[misc]
    times_faster = [fast / slow for fast, slow in zip(rates[MAIN], rates[STEP_BY_STEP], strict=True)]
    found = {
        "requests": num_requests,
        "lengths": AZURE.name if hour else "lognormal of the same means",
        "requests_per_second": {name: round(median(values)) for name, values in rates.items()},
        "times_step_by_step": round(median(times_faster), 1),
        "bytes_per_finished_request": round(bytes_per_request(num_requests), 1),
    }
    if hour:
        real = Scenario(settings=cases[MAIN].settings, workload=Workload("hour", tuple(hour)), cost=DENSE_8B)
        found["azure_hour_seconds"] = round(min(timed(lambda: real.run().report()) for _ in range(rounds)), 3)
    return found


def bytes_per_request(num_requests: int) -> float:
    """What the peak of memory grows by with each further request, when only outcomes are kept."""
    small, large = (_peak(num_requests * times) for times in (1, 3))
    return (large - small) / (2 * num_requests)


def _peak(num_requests: int) -> int:
    lengths, times = _lengths([]), poisson(6, stream(SEED, "arrivals"))
    pairs = zip(range(num_requests), times, lengths, strict=False)
    arrivals = (Arrival(at, str(number), length.prompt, length.output) for number, at, length in pairs)
    sizes = Settings(num_blocks=8192, max_model_len=32_768, enable_prefix_caching=False)
    gc.collect()
    tracemalloc.start()
    try:
        FastForward(sizes, arrivals, DENSE_8B).run()
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
