"""Traces that the player draws in its tests: those that its views are held against, and the rare things besides."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from engine.admission import QueueLimit, ServerLimits
from engine.request import Request
from engine.settings import Settings
from engine.simulate import serve, simulate
from engine.simulate.scenario import Scenario
from engine.trace import Admitted, Arrived, FirstToken, Header, Row, Stalled, Step, Trace
from engine.workload import Arrival, Workload
from tests.browser.player.views_traces import COST, MAKERS, trace

MS = 1_000_000


def chunks() -> Trace:
    """Long prompts under a small budget: each comes in several chunks, between others' single tokens."""
    settings = Settings(num_blocks=65, max_model_len=256, block_size=4, max_num_seqs=4, max_num_batched_tokens=16)
    return simulate(
        settings, [Request(f"long{k}", range(k * 1000, k * 1000 + 40), 6) for k in range(1, 5)], name="chunks"
    )


def ends() -> Trace:
    """Every way in which a request can end."""
    settings = Settings(num_blocks=33, max_model_len=256, block_size=16, max_num_seqs=2, max_num_batched_tokens=64)
    arrivals = [Arrival(k * MS, f"q{k}", 30, 12, cancel_at=40 * MS if k == 1 else None) for k in range(7)]
    limits = ServerLimits(max_wait=60 * MS, doors=(QueueLimit(3),))
    return serve(settings, Workload("ends", tuple(arrivals)), COST, limits)


def stalled() -> Trace:
    """Two wait for blocks that will never be free."""
    rows = (Row("big", 8, 0, "new", (1, 2)),)
    return Trace(
        Header("stalled", "simulated", settings={"num_blocks": 3, "block_size": 4}),
        (
            *(Arrived(0, "big", 8, 4), Arrived(0, "other", 8, 4), Admitted(0, "big", 0)),
            *(Step(0, 0, rows=rows), Step(1, 1, preempted=("big",)), Stalled(2, ("big", "other"))),
        ),
    )


def unfinished() -> Trace:
    """A recording that was cut: nobody has come to an end."""
    rows = (Row("a", 4, 0, "new", (1,)),)
    records = (Arrived(0, "a", 4, 9), Admitted(MS, "a", 0), Step(0, MS, 2 * MS, rows), FirstToken(3 * MS, "a", 0))
    more = (Arrived(4 * MS, "b", 4, 9), Step(1, 4 * MS, 2 * MS, (Row("a", 1, 4, "running", (2,)),)))
    return Trace(Header("unfinished", "recorded", "ns"), (*records, *more))


def nobody() -> Trace:
    """A header and nothing more."""
    return Trace(Header("nobody", "simulated", about="Nobody came."), ())


def replicas() -> Trace:
    """Two replicas behind one router."""
    records = [Arrived(0, "a", 4, 3), Arrived(0, "b", 4, 3)]
    steps = [
        Step(
            number,
            at * MS,
            2 * MS,
            (Row(name, 4 if not number else 1, 4 * bool(number) + max(0, number - 1), "running", (number + 1,)),),
            lane=lane,
        )
        for number in range(3)
        for at, name, lane in ((2 * number, "a", "east"), (2 * number + 1, "b", "west"))
    ]
    return Trace(Header("replicas", "recorded", "ns", {"num_blocks": 8, "block_size": 4}), (*records, *steps))


def crowd(seats: int = 16) -> Trace:
    """A hundred requests: more rows than are seen at once."""
    return Scenario.from_mapping(
        {
            "name": "crowd",
            "settings": {"num_blocks": 400, "max_model_len": 512, "max_num_seqs": seats},
            "traffic": {
                "arrivals": "poisson",
                "rate": 40,
                "num_requests": 100,
                "prompt_tokens": 120,
                "output_tokens": 30,
                "seed": 4,
            },
        }
    ).trace()


OWN = (chunks, ends, stalled, unfinished, nobody, replicas, crowd)

TRACES: Mapping[str, Callable[[], Trace]] = MappingProxyType(
    {name: lambda name=name: trace(name) for name in MAKERS} | {made.__name__: made for made in OWN}
)
"""Each trace by its name, as a function that makes it."""
