"""Free KV blocks by number alone: which of a request's blocks are still cached when it comes back.

Where no two prompts share anything, nobody can tell one block from another, and only a preempted request can hit
the cache: its own blocks, as long as nobody has taken them. So the free queue of `engine.blocks` is kept as
counts: blocks without a hash in front, then runs of cached blocks, the longest unused first.
"""

from collections import deque
from collections.abc import Hashable


class FreeBlocks:
    """How many blocks are free, and how many of them still hold whose tokens."""

    def __init__(self, num_blocks: int, *, appends_everything: bool = False) -> None:
        self.num_free = num_blocks
        """Blocks that nobody holds."""
        self._num_plain = num_blocks
        self._runs: deque[_Run] = deque()
        self._run_of: dict[Hashable, _Run] = {}
        self._appends_everything = appends_everything

    def take(self, count: int) -> None:
        """Hand out blocks from the front of the queue. There must be as many."""
        self.num_free -= count
        plain = min(count, self._num_plain)
        self._num_plain -= plain
        count -= plain
        while count:
            run = self._runs[0]
            taken = min(count, run.count)
            run.count -= taken
            count -= taken
            if not run.count:
                self._runs.popleft()
                if self._run_of.get(run.owner) is run:
                    del self._run_of[run.owner]

    def release(self, owner: Hashable, count: int, num_sealed: int) -> None:
        """Take a request's blocks back, tail first; the first `num_sealed` of them hold known tokens.

        Those without a hash are handed out next, as in vLLM 0.32.0; with `appends_everything` they queue up with
        the others, as in 0.19.
        """
        self.num_free += count
        queued = count if self._appends_everything else num_sealed
        self._num_plain += count - queued
        if queued:
            run = _Run(owner, queued, num_sealed)
            self._runs.append(run)
            if num_sealed:
                self._run_of[owner] = run

    def num_hits(self, owner: Hashable) -> int:
        """How many of its first blocks a request that was preempted would find."""
        run = self._run_of.get(owner)
        return 0 if run is None else min(run.count, run.num_sealed)

    def rejoin(self, owner: Hashable, count: int) -> None:
        """Give a request its first `count` blocks back: they are among its hits."""
        if count:
            run = self._run_of.pop(owner)
            run.count -= count
            self.num_free -= count


class _Run:
    """Free blocks of one request that lie together in the queue; the last one goes first."""

    __slots__ = ("count", "num_sealed", "owner")

    def __init__(self, owner: Hashable, count: int, num_sealed: int) -> None:
        self.owner = owner
        self.count = count
        self.num_sealed = num_sealed
