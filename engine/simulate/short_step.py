"""A step for which the blocks may not suffice: the first phase of the scheduler.

`ShortStep` goes row by row, for any choice of victims. Where the victim is always the last one admitted, as under
FCFS, nobody who has a row can lose it and nobody else misses the step, so `TailStep` looks only at those who
open a block.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from engine.blocks import blocks_needed
from engine.simulate.live import NOT_YET, Live
from engine.simulate.windows import Chunk

if TYPE_CHECKING:
    from engine.simulate.fast import FastForward


class ShortStep:
    """Give everybody a row in turn, and let somebody give way where blocks run out."""

    def __init__(self, engine: FastForward) -> None:
        self.engine = engine
        self.order = list(engine.running.values())
        self.budget = engine.settings.max_num_batched_tokens
        self.index = 0
        self.rows: list[tuple[Live, int, Sequence[int]]] = []
        """Who decodes, its computed tokens before, and its new blocks."""
        self.chunks: list[Chunk] = []
        """The row of whoever is in mid-prompt."""
        self.preempted: list[Live] = []

    @property
    def work(self) -> tuple[int, int]:
        """How many decode, and the cached tokens that they read."""
        return len(self.rows), sum(start for _, start, _ in self.rows)

    @property
    def missed(self) -> tuple[Live, ...]:
        """Those who still run and have no row."""
        return tuple(self.order[self.index :])

    def run(self) -> None:
        """Go through the running list, until all have a row or somebody has to give way to itself."""
        engine = self.engine
        while self.index < len(self.order):
            live = self.order[self.index]
            is_prefilling = live is engine.prefilling
            start = live.num_computed_tokens if is_prefilling else live.base + engine.v
            end = start + (min(live.num_known - start, self.budget) if is_prefilling else 1)
            if not self._make_room(live, blocks_needed(end, engine.block_size) - len(live.table)):
                return
            if is_prefilling:
                engine.compute(live, "running", end, (), self.chunks)
            else:
                self._decode(live, start)
            self.budget -= end - start
            self.index += 1

    def _decode(self, live: Live, start: int) -> None:
        engine = self.engine
        new_blocks: Sequence[int] = ()
        if start == len(live.table) * engine.block_size:
            new_blocks = engine.pool.take(1)
            live.table += new_blocks
        if live.seat in engine.decoding.namers:
            engine.decoding.name_blocks(live, start + 1)
        self.rows.append((live, start, new_blocks))

    def _make_room(self, live: Live, num_blocks: int) -> bool:
        """Preempt one victim after another. False if `live` fell victim itself."""
        while num_blocks > self.engine.pool.num_free:
            place = self.engine.policy.victim(self.order)
            victim = self.order.pop(place)
            if place < self.index:
                # It loses the row that it has in this step.
                self.index -= 1
                self.rows = [row for row in self.rows if row[0] is not victim]
                self.budget += 1
            self.engine.preempt(victim)
            self.preempted.append(victim)
            if victim is live:
                return False
        return True


class TailStep:
    """The same where the victim is always the tail of the running list."""

    missed: tuple[Live, ...] = ()

    def __init__(self, engine: FastForward) -> None:
        self.engine = engine
        self.chunks: list[Chunk] = []
        """The row of whoever is in mid-prompt."""
        self.preempted: list[Live] = []
        self._opened: dict[int, list[int]] = {}

    def run(self) -> None:
        """Give those a block who open one, and then whoever is in mid-prompt its blocks."""
        engine = self.engine
        for seat, table in list(engine.decoding.groups[engine.v % engine.block_size].items()):
            if seat not in engine.running or not self._make_room(seat, 1):
                # Everybody from here on is gone, and whoever was in mid-prompt went first.
                break
            self._opened[seat] = engine.pool.take(1)
            table += self._opened[seat]
        if engine.decoding.namers:
            engine.decoding.name_answers(engine.v + 1)
        live = engine.prefilling
        if live is not None:
            budget = engine.settings.max_num_batched_tokens - (len(engine.running) - 1)
            end = live.num_computed_tokens + min(live.num_known - live.num_computed_tokens, budget)
            if self._make_room(live.seat, blocks_needed(end, engine.block_size) - len(live.table)):
                engine.compute(live, "running", end, (), self.chunks)

    def _make_room(self, seat: int, num_blocks: int) -> bool:
        running = self.engine.running
        while num_blocks > self.engine.pool.num_free:
            victim = running[next(reversed(running))]
            is_itself = victim.seat == seat
            self.engine.preempt(victim)
            self.preempted.append(victim)
            if is_itself:
                return False
        return True

    @property
    def work(self) -> tuple[int, int]:
        """How many decode, and the cached tokens that they read."""
        engine = self.engine
        num_decoding = len(engine.running) - len(self.chunks)
        return num_decoding, engine.decoding.base_sum + num_decoding * engine.v

    @property
    def rows(self) -> list[tuple[Live, int, Sequence[int]]]:
        """Who decodes, its computed tokens before, and its new blocks."""
        v = self.engine.v
        return [
            (live, live.base + v, self._opened.get(live.seat, ()))
            for live in self.engine.running.values()
            if live.phase != NOT_YET
        ]
