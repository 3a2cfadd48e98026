"""Those who merely decode: who ends when, who opens a block when, and nothing else is known or touched.

A request that decodes has computed `base + v` tokens, where `v` counts the steps of the run. So it opens a block
whenever (base + v) is a multiple of the block size: its *phase* is the `v` of that, modulo the block size.
"""

import heapq
from collections.abc import Iterable
from itertools import chain

from engine.simulate.live import NOT_YET, Live
from engine.simulate.pools import CachingPool, StackPool


class Decoding:
    """The requests that decode, by phase and by end."""

    def __init__(self, block_size: int, pool: StackPool | CachingPool) -> None:
        self.block_size = block_size
        self.pool = pool
        self.groups: list[dict[int, list[int]]] = [{} for _ in range(block_size)]
        """Their block tables, by phase and then by seat."""
        self.two_cycles = self.groups * 2
        """The same groups, so that less than a cycle from any phase on is a slice."""
        self.base_sum = 0
        """The sum of `base` over all of them."""
        self.ends: list[tuple[int, int, Live]] = []
        """(Step of the last token, seat, request) as a heap; some are out of date."""
        self.namers: dict[int, Live] = {}
        """Those whose answer others may quote."""

    def join(self, live: Live, base: int) -> None:
        """From here on `live` decodes."""
        live.base = base
        self.base_sum += base
        live.phase = -base % self.block_size
        self.groups[live.phase][live.seat] = live.table
        heapq.heappush(self.ends, (live.max_total_tokens - 2 - base, live.seat, live))
        if len(live.names) > live.num_registered:
            self.namers[live.seat] = live

    def leave(self, live: Live) -> None:
        """It decodes no more. Its entry in the heap is found to be out of date when it comes up."""
        del self.groups[live.phase][live.seat]
        live.phase = NOT_YET
        self.base_sum -= live.base
        if self.namers:
            self.namers.pop(live.seat, None)

    def hold_back(self, live: Live) -> None:
        """It missed a step: it stands where it stood, though `v` goes on. Its group keeps the order of seats."""
        self.leave(live)
        self.join(live, live.base - 1)
        group = self.groups[live.phase]
        in_order = sorted(group.items())
        group.clear()
        group.update(in_order)

    # ---- ends ----

    def next_end(self) -> int:
        """The step in which somebody gets the last token, if nothing comes in between. Somebody must be there."""
        ends = self.ends
        while True:
            step, seat, live = ends[0]
            if live.seat == seat and step == live.max_total_tokens - 2 - live.base:
                return step
            heapq.heappop(ends)

    def take_first(self) -> Live | None:
        """Take the first one out of the heap: who ends next, or None for an entry that is out of date."""
        step, seat, live = heapq.heappop(self.ends)
        if live.seat != seat or step != live.max_total_tokens - 2 - live.base:
            return None
        self.leave(live)
        return live

    # ---- blocks ----

    def num_opened(self, v: int) -> int:
        """How many blocks step `v` opens."""
        return len(self.groups[v % self.block_size])

    def steps_with_room(self, v: int, num_decoding: int, most: int) -> int:
        """For how many of the `most` steps from `v` on there are blocks: whole cycles, and then one by one."""
        free = self.pool.num_free
        # More than enough, mostly.
        if (most // self.block_size + 1) * num_decoding <= free:
            return most
        cycles = free // num_decoding
        steps, free = cycles * self.block_size, free - cycles * num_decoding
        while steps < most:
            free -= self.num_opened(v + steps)
            if free < 0:
                return steps
            steps += 1
        return most

    def open(self, v: int, steps: int) -> list[int]:
        """Hand out the blocks that `steps` steps from `v` on open. Returns them in the order of steps and rows."""
        phase = v % self.block_size
        if steps == 1:
            group = self.groups[phase]
            opened = self._deal(list(group.values())) if group else []
        elif steps < self.block_size:
            opened = self._deal(_tables(self.two_cycles[phase : phase + steps]))
        else:
            opened = self._deal_cycles(phase, steps // self.block_size)
            opened += self._deal(_tables(self.two_cycles[phase : phase + steps % self.block_size]))
        if self.namers:
            self.name_answers(v + steps)
        return opened

    def _deal_cycles(self, phase: int, cycles: int) -> list[int]:
        """Each cycle opens one block for everybody, always in the same order: deal them out by slices."""
        tables = _tables(self.two_cycles[phase : phase + self.block_size])
        if cycles == 1 or not tables:
            return self._deal(tables)
        count = len(tables)
        opened = self.pool.take(cycles * count)
        for place, table in enumerate(tables):
            table += opened[place::count]
        return opened

    def _deal(self, tables: list[list[int]]) -> list[int]:
        """A block to each table. `map` goes through them without a line of Python for each: this is a hot spot."""
        if not tables:
            return []
        opened = self.pool.take(len(tables))
        for _ in map(list.append, tables, opened):
            pass
        return opened

    def name_answers(self, end: int) -> None:
        """Register the answers' blocks that are full before step `end`, in the order of steps and rows."""
        filled = []
        for seat, live in self.namers.items():
            last = min((live.base + end) // self.block_size, len(live.names))
            for index in range(live.num_registered, last):
                filled.append(((index + 1) * self.block_size - live.base - 1, seat, index, live))
        for _, _, index, live in sorted(filled, key=lambda one: one[:3]):
            self.name_blocks(live, (index + 1) * self.block_size)

    def name_blocks(self, live: Live, num_tokens: int) -> None:
        """Register those blocks of the first `num_tokens` tokens that others may share."""
        assert isinstance(self.pool, CachingPool)
        for index in range(live.num_registered, min(num_tokens // self.block_size, len(live.names))):
            self.pool.register(live.names[index], live.table[index])
            live.num_registered = index + 1


def _tables(groups: Iterable[dict[int, list[int]]]) -> list[list[int]]:
    return list(chain.from_iterable(map(dict.values, groups)))
