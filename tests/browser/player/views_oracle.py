"""What the engine itself says of the views' traces, and a way to ask the views' modules the same."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch

from coursekit.node import run_node
from engine.plan import Plan
from engine.scheduler import Scheduler
from engine.simulate.step_by_step import StepByStep
from engine.trace import Trace
from tests.browser.driving import PROJECT
from tests.browser.player.views_traces import MAKERS

TELL = Path(__file__).with_name("tell.mjs")


def tell(folder: Path, what: str, *given: Trace | dict[str, Any]) -> Any:
    """What the views' modules say to a question about traces (`tellers.mjs`); a dict is handed on as it is."""
    files = []
    for number, one in enumerate(given):
        files.append(folder / f"{number}.{'trace.jsonl' if isinstance(one, Trace) else 'json'}")
        files[-1].write_text(one.to_jsonl() if isinstance(one, Trace) else json.dumps(one), encoding="utf-8")
    return json.loads(run_node(PROJECT, [TELL, what, *files]))


class Standing(NamedTuple):
    """How things stood in the engine once a step was planned."""

    ref_count: list[int]
    cached: list[int]
    """Free blocks whose content is known."""
    tables: dict[str, list[int]]
    computed: dict[str, int]
    waiting: list[str]
    preempted: list[str]
    hashes: dict[int, bytes]
    """The name of the content of each block that has one."""
    chains: list[list[bytes]]
    """The names of the blocks of everybody who runs, in their order."""


def standings(name: str) -> list[Standing]:
    """One for each step of a simulated trace."""
    with _watched() as seen:
        MAKERS[name]()
    return seen


@contextmanager
def _watched() -> Iterator[list[Standing]]:
    seen: list[Standing] = []
    record = StepByStep._record

    def watch(run: StepByStep, plan: Plan, *more: Any) -> None:
        seen.append(_standing(run.scheduler, plan))
        record(run, plan, *more)

    with patch.object(StepByStep, "_record", watch):
        yield seen


def _standing(scheduler: Scheduler, plan: Plan) -> Standing:
    pool = scheduler.kv_cache.pool
    return Standing(
        list(pool.ref_count),
        [block for block, name in enumerate(pool.block_hash) if name is not None and not pool.ref_count[block]],
        {request.id: list(request.block_table) for request in scheduler.running},
        {request.id: request.num_computed_tokens for request in scheduler.running},
        [request.id for request in scheduler.waiting],
        list(plan.preempted),
        {block: name for block, name in enumerate(pool.block_hash) if name is not None},
        [list(request.block_hashes) for request in scheduler.running],
    )
