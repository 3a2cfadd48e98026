"""The simulator under all kinds of load.

The text of this file is run here and in the browser, so it stands on the engine alone.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from time import process_time
from typing import NamedTuple

from engine.cost import DENSE_8B
from engine.settings import Settings
from engine.simulate.scenario import Scenario
from engine.workload import (
    Arrival,
    Lengths,
    Workload,
    cycle,
    lognormal,
    open_loop,
    poisson,
    predicted,
    shared_prefix,
    stream,
)

SEED = 1

MEANS = (1155, 211)
"""Mean prompt and answer of the real traffic, for lengths that are drawn where its file isn't there."""


class Load(NamedTuple):
    """One kind of run, as changes to the main one."""

    rate: float = 6
    num_blocks: int = 8192
    caching: bool = False
    policy: str = "fcfs"
    longer: int = 1
    """How many times as long answers are."""


MAIN = "6/s"
CACHING = "6/s, cache, half share prefixes"

LOADS: Mapping[str, Load] = {
    MAIN: Load(),
    CACHING: Load(caching=True),
    "2/s": Load(rate=2),
    "9/s": Load(rate=9),
    "20/s, overload": Load(rate=20),
    "6/s, 2,000 blocks": Load(num_blocks=2000),
    "6/s, answers ten times as long": Load(longer=10),
    "the same with 65,536 blocks": Load(longer=10, num_blocks=65_536),
    "9/s, 2,000 blocks, priority": Load(rate=9, num_blocks=2000, policy="priority"),
    "9/s, 2,000 blocks, shortest": Load(rate=9, num_blocks=2000, policy="shortest"),
    "9/s, 2,000 blocks, fair": Load(rate=9, num_blocks=2000, policy="fair"),
}
"""What is measured, with metrics; the main one first.

Answers ten times as long don't fit into the main pool: most of their cost is 1.5 preemptions a request. With
room for all of them one sees what tokens cost.
"""


def scenario(load: Load, num_requests: int, real: Sequence[Lengths]) -> Scenario:
    """So many requests of that kind, their lengths drawn from the real ones if there are any."""
    lengths = drawn_lengths(real)
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


def drawn_lengths(real: Sequence[Lengths]) -> Iterator[Lengths]:
    """Lengths without an end."""
    draws = stream(SEED, "lengths")
    return cycle(real, draws) if real else lognormal(*MEANS, draws, longest=4096)


def timed(work: Callable[[], object]) -> float:
    """Seconds of processor time."""
    gc.collect()
    started = process_time()
    work()
    return process_time() - started


def _serve(case: Scenario) -> None:
    case.run().report()


def rates(names: Sequence[str], num_requests: int, rounds: int, real: Sequence[Lengths]) -> dict[str, list[float]]:
    """Requests a second of some loads, metrics included, in each of the rounds."""
    cases = {name: scenario(LOADS[name], num_requests, real) for name in names}
    found: dict[str, list[float]] = {name: [] for name in names}
    for _ in range(rounds):
        for name, case in cases.items():
            found[name].append(num_requests / timed(partial(_serve, case)))
    return found
