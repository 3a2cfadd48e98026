"""Those who merely decode: who ends when, who opens a block when, and nothing else is known or touched.

A request that decodes has computed `base + v` tokens, where `v` counts the steps of the run. So it opens a block
whenever (base + v) is a multiple of the block size: its *phase* is the `v` of that, modulo the block size.
"""

from collections import Counter, deque
from heapq import heappop, heappush
from itertools import chain
from typing import Final

from engine.simulate.live import NOT_YET, Live
from engine.simulate.pools import CachingPool, StackPool


class Decoding:
    """The requests that decode, by phase and by end."""

    def __init__(self, block_size: int, pool: StackPool | CachingPool, *, counts_tenants: bool = False) -> None:
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
        self.by_tenant: Counter[str] | None = Counter() if counts_tenants else None
        """How many there are of each tenant, if a policy asks."""

    def join(self, live: Live, base: int) -> None:
        """From here on `live` decodes."""
        live.base = base
        self.base_sum += base
        live.phase = phase = -base % self.block_size
        live.ends_at = ends_at = live.max_total_tokens - 2 - base
        seat = live.seat
        self.groups[phase][seat] = live.table
        heappush(self.ends, (ends_at, seat, live))
        if len(live.names) > live.num_registered:
            self.namers[live.seat] = live
        if self.by_tenant is not None:
            self.by_tenant[live.tenant] += 1

    def leave(self, live: Live) -> None:
        """It decodes no more. Its entry in the heap is found to be out of date when it comes up."""
        del self.groups[live.phase][live.seat]
        live.phase = live.ends_at = NOT_YET
        self.base_sum -= live.base
        if self.namers:
            self.namers.pop(live.seat, None)
        if self.by_tenant is not None:
            self.by_tenant[live.tenant] -= 1

    def hold_back(self, live: Live) -> None:
        """It missed a step: it stands where it stood, though `v` goes on.

        Who misses a step was admitted after all who don't. So hold them back in the order of seats, and each comes
        last in its new group, as it should.
        """
        self.leave(live)
        self.join(live, live.base - 1)

    # ---- ends ----

    def take_first(self) -> Live | None:
        """Take the first one out of the heap: who ends next, or None for an entry that is out of date."""
        step, _, live = heappop(self.ends)
        if live.ends_at != step:
            return None
        self.leave(live)
        return live

    def steady_steps(self, v: int, num_decoding: int) -> int:
        """How many steps from `v` on there are blocks for, up to the first in which somebody gets the last token.

        Somebody must be there.
        """
        ends = self.ends
        step, _, live = ends[0]
        while live.ends_at != step:
            heappop(ends)
            step, _, live = ends[0]
        most = step - v + 1
        # More than enough, mostly.
        if (most // self.block_size + 1) * num_decoding <= self.pool.num_free:
            return most
        return self._steps_with_room(v, num_decoding, most)

    # ---- blocks ----

    def _steps_with_room(self, v: int, num_decoding: int, most: int) -> int:
        """For how many of the `most` steps from `v` on there are blocks: whole cycles, and then one by one."""
        free = self.pool.num_free
        cycles = free // num_decoding
        steps, free = cycles * self.block_size, free - cycles * num_decoding
        while steps < most:
            free -= len(self.groups[(v + steps) % self.block_size])
            if free < 0:
                return steps
            steps += 1
        return most

    def open(self, v: int, steps: int) -> list[int]:
        """Hand out the blocks that `steps` steps from `v` on open. Returns them in the order of steps and rows."""
        phase, end, block_size = v % self.block_size, v + steps, self.block_size
        opened: list[int] = []
        if steps >= block_size:
            opened = self._open_cycles(phase, steps // block_size)
            steps %= block_size
        # A hot spot: no line of Python for each who gets a block.
        tables = list(_joined(map(_values, self.two_cycles[phase : phase + steps])))
        if tables:
            more = self.pool.take(len(tables))
            _run_through(map(_append, tables, more))
            opened = opened + more if opened else more
        if self.namers:
            self.name_answers(end)
        return opened

    def _open_cycles(self, phase: int, cycles: int) -> list[int]:
        """Each cycle opens one block for everybody, always in the same order: deal them out by slices."""
        tables = list(_joined(map(_values, self.two_cycles[phase : phase + self.block_size])))
        count = len(tables)
        if not count:
            return []
        opened = self.pool.take(cycles * count)
        if cycles == 1:
            _run_through(map(_append, tables, opened))
            return opened
        for place, table in enumerate(tables):
            table += opened[place::count]
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


# Under names of their own, as finding `append` of `list` takes longer than calling it.
_append: Final = list[int].append
_values: Final = dict[int, list[int]].values
_joined: Final = chain.from_iterable
_run_through: Final = deque[None](maxlen=0).extend
"""Does what an iterator does, and keeps nothing of it."""
