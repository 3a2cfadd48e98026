"""What KV memory was used for: blocks that somebody held, and slots in them that held nothing."""

from collections import Counter
from collections.abc import Iterator
from math import fsum
from typing import NamedTuple

from engine.trace import Cancelled, Finished, Row, Step, TimedOut, Trace


class MemoryUse(NamedTuple):
    """KV memory during one step."""

    at: int
    duration: int
    num_held_blocks: int
    """Blocks that at least one request held; a shared one counts once."""
    num_empty_slots: int
    """Token slots in them that held no token after the step: each request's last block is rarely full."""


class KVSummary(NamedTuple):
    """KV memory over a whole trace: means over time, weighted by how long each step lasted."""

    mean_use: float
    """Held blocks over lendable ones (`num_blocks` less the null block), from 0 to 1."""
    peak_use: float
    mean_waste: float
    """Empty slots over the slots of held blocks, from 0 to 1."""


def memory_use(trace: Trace) -> Iterator[MemoryUse]:
    """KV memory in every step. Raises `KeyError` if the header doesn't say `block_size`."""
    tables = _Tables(_whole(trace, "block_size"))
    for record in trace.records:
        if isinstance(record, Step):
            tables.follow(record)
            yield MemoryUse(record.at, record.duration, len(tables.holders), tables.num_empty_slots)
        elif isinstance(record, Finished | TimedOut | Cancelled):
            tables.drop(record.id)


def kv_summary(trace: Trace) -> KVSummary | None:
    """The summary of `memory_use`; None for a trace without steps, or whose header doesn't know the pool."""
    if not {"block_size", "num_blocks"} <= trace.header.settings.keys():
        return None
    lendable, block_size = _whole(trace, "num_blocks") - 1, _whole(trace, "block_size")
    uses = list(memory_use(trace))
    time = sum(use.duration for use in uses)
    if not (time and lendable):
        return None
    held = sum(use.num_held_blocks * use.duration for use in uses)
    waste = fsum(
        use.num_empty_slots / (use.num_held_blocks * block_size) * use.duration for use in uses if use.num_held_blocks
    )
    peak = max(use.num_held_blocks for use in uses)
    return KVSummary(held / (lendable * time), peak / lendable, waste / time)


class _Tables:
    """Block tables as the rows of the steps tell them."""

    def __init__(self, block_size: int) -> None:
        self.block_size = block_size
        self.tables: dict[str, list[int]] = {}
        self.empty: dict[str, int] = {}
        self.holders: Counter[int] = Counter()
        self.num_empty_slots = 0

    def follow(self, step: Step) -> None:
        for name in step.preempted:
            self.drop(name)
        for row in step.rows:
            self._hold(row)

    def _hold(self, row: Row) -> None:
        table = self.tables.setdefault(row.id, [])
        new = (*row.hit_blocks, *row.new_blocks)
        table += new
        self.holders.update(new)
        stored = row.num_computed_tokens + row.num_scheduled_tokens
        # Only full blocks are shared, so an empty slot is always in a block of its request's own.
        self._set_empty(row.id, max(0, len(table) * self.block_size - stored))

    def drop(self, name: str) -> None:
        self._set_empty(name, 0)
        for block_id in self.tables.pop(name, ()):
            self.holders[block_id] -= 1
            if not self.holders[block_id]:
                del self.holders[block_id]

    def _set_empty(self, name: str, count: int) -> None:
        self.num_empty_slots += count - self.empty.pop(name, 0)
        if count:
            self.empty[name] = count


def _whole(trace: Trace, setting: str) -> int:
    value = trace.header.settings[setting]
    if not isinstance(value, int):
        raise TypeError(f"{trace.header.name}: {setting} is {value!r}; a whole number was expected")
    return value
