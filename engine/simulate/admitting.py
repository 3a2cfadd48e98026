"""Who gets in: the second phase of the scheduler, for the fast simulator."""

from collections.abc import Iterable, Sequence
from typing import Any

from engine.admission import Candidates, ServerLimits, strict
from engine.plan import Kind
from engine.policies import POLICIES, ArrivalQueue, Policy
from engine.settings import Settings
from engine.simulate.decoding import Decoding
from engine.simulate.doorstep import Doorstep
from engine.simulate.live import NOT_YET, Live
from engine.simulate.pools import CachingPool, StackPool
from engine.simulate.windows import Chunk, WindowLog
from engine.workload.records import Arrival


class Admitting(Doorstep):
    """What the engine holds, who waits and who runs, and the way from the one to the other."""

    __slots__ = (
        "account",
        "block_size",
        "cache",
        "candidates",
        "changes_at",
        "chunked",
        "decoding",
        "head_stays",
        "is_shut",
        "line",
        "now",
        "num_seated",
        "only_head_counts",
        "policy",
        "pool",
        "prefilling",
        "running",
        "seats",
        "shut_head",
        "waiting",
        "watermark",
        "whole_prompt_fits",
    )

    def __init__(
        self,
        settings: Settings,
        arrivals: Iterable[Arrival],
        limits: ServerLimits,
        policy: Policy | None,
        candidates: Candidates,
        log: WindowLog | None,
    ) -> None:
        super().__init__(settings, arrivals, limits, log)
        self.seats = settings.num_seats
        self.block_size = settings.block_size
        self.chunked = settings.enable_chunked_prefill
        self.whole_prompt_fits = settings.scheduler_reserve_full_isl
        self.watermark = int(settings.watermark * settings.num_blocks)
        self.cache = CachingPool(settings.num_blocks) if settings.enable_prefix_caching else None
        self.pool: CachingPool | StackPool = self.cache or StackPool(settings.num_blocks)
        self.pool.evicted = None if log is None else []
        # A policy only looks at what requests of both kinds have.
        self.policy: Any = policy or POLICIES[settings.policy]
        self.account: Any = self.policy.account
        self.changes_at: Any = self.policy.changes_at
        self.head_stays: Any = self.policy.head_stays
        self.candidates: Any = candidates
        self.waiting: Any = self.policy.queue()
        self.line = self.waiting.entries
        self.only_head_counts = isinstance(self.waiting, ArrivalQueue) and candidates is strict
        """Whether an arrival changes nothing while somebody else waits."""
        self.is_shut = False
        """Whether nobody who waits fits, and nobody will until somebody leaves."""
        self.shut_head: Live | None = None
        """Who didn't fit, for a policy that may put somebody else there."""

        self.now = 0
        self.running: dict[int, Live] = {}
        """By seat, in the order of admission."""
        self.num_seated = 0
        self.decoding = Decoding(self.block_size, self.pool, counts_tenants=self.policy.account_decodes is not None)
        self.prefilling: Live | None = None
        """Whoever is in mid-prompt: always the last one admitted."""

    def num_waiting(self) -> int:
        """How many requests wait."""
        return len(self.waiting)

    def let_in(self, live: Live) -> None:
        """Let a new request wait."""
        add = self.waiting.add
        add(live)
        if not self.only_head_counts:
            self.is_shut = False

    def admit_waiting(self, budget: int, chunks: list[Chunk]) -> None:
        """Admit from the head of the queue while there are budget, seats and blocks."""
        running, seats, line = self.running, self.seats, self.line
        self.is_shut = False
        if self.policy.arrange:
            self.policy.arrange(self.waiting, self.now, self.hits)
        if self.candidates is strict:
            # As `strict` has it, and without a generator for each step.
            while line and budget > 0 and len(running) < seats:
                taken = self._try(self.waiting.head(), budget, chunks)
                if not taken:
                    break
                budget -= taken
            else:
                return
        else:
            for live in self.candidates(self.waiting):
                if budget <= 0 or len(running) >= seats:
                    return
                budget -= self._try(live, budget, chunks)
        # Where prompts took some of this step's budget, the next step has more.
        self.is_shut = bool(line) and (self.chunked or not chunks) and self._stays_shut()
        if self.is_shut and self.head_stays:
            self.shut_head = self.waiting.head()

    def _try(self, live: Live, budget: int, chunks: list[Chunk]) -> int:
        """Admit a request if it fits. Returns how many tokens of the budget it takes."""
        hits = () if self.cache is None else self.hits(live)
        start = len(hits) * self.block_size
        gap = live.num_known - start
        end = start + (gap if gap < budget else budget)
        if (gap <= budget or self.chunked) and self._fits(live, hits, end):
            if live is self.waiting.head():
                self.waiting.pop()
            else:
                self.waiting.remove(live)
            return self._admit(live, hits, end, chunks)
        return 0

    def hits(self, live: Live) -> Sequence[int]:
        """The cached blocks that it can join. Its own it can only have if it ran before."""
        if self.cache is None:
            return ()
        find, hits, names = self.cache.find, list[int](), live.names
        most = (live.num_known - 1) // self.block_size
        for index in range(most if live.num_preemptions else min(most, len(names))):
            block_id = find(names[index] if index < len(names) else (live.number, index))
            if block_id is None:
                break
            hits.append(block_id)
        return hits

    def _fits(self, live: Live, hits: Sequence[int], end: int) -> bool:
        """As `KVCache.fits`; here and below the quotient is `blocks_needed`, without a call."""
        if self.whole_prompt_fits:
            end = live.num_known
        cost = -(-end // self.block_size) - len(hits)
        if hits:
            assert self.cache is not None
            cost += self.cache.num_pinned(hits)
        return cost + (self.watermark if self.running else 0) <= self.pool.num_free

    def _stays_shut(self) -> bool:
        """Whether the head that didn't fit now can't fit while all others decode.

        With a cache there are two ways in. An answer that others may quote can fill the very block that the head
        lacks. And without the full-prompt check, evicting one of its hits makes its first chunk smaller. A
        policy may also have another head, for what was served or cached since.
        """
        if (self.account and not self.head_stays) or (self.policy.arrange and not self.changes_at):
            return False
        return self.cache is None or (self.whole_prompt_fits and not self.decoding.namers)

    def _admit(self, live: Live, hits: Sequence[int], end: int, chunks: list[Chunk]) -> int:
        if hits:
            assert self.cache is not None
            self.cache.share(hits)
            live.table = list(hits)
            live.num_computed_tokens = len(hits) * self.block_size
        live.num_registered = len(hits)
        kind: Kind = "resumed" if live.num_preemptions else "new"
        if kind == "new":
            live.admitted = self.now
            live.num_cached_tokens = live.num_computed_tokens
        self.num_seated += 1
        live.seat = self.num_seated
        self.running[live.seat] = live
        return self.compute(live, kind, end, hits, chunks)

    def compute(self, live: Live, kind: Kind, end: int, hits: Sequence[int], chunks: list[Chunk]) -> int:
        """Give a request room for its first `end` tokens and a row. Returns the row's tokens."""
        start = live.num_computed_tokens
        new_blocks: Sequence[int] = ()
        num_new = -(-end // self.block_size) - len(live.table)
        if num_new > 0:
            new_blocks = self.pool.take(num_new)
            live.table += new_blocks
        if live.names:
            self.decoding.name_blocks(live, end)
        live.num_computed_tokens = end
        if start < live.max_reached:
            live.num_recomputed_tokens += min(end, live.max_reached) - start
        self.prefilling = live if end < live.num_known else None
        chunks.append((live, kind, end - start, start, end == live.num_known, hits, new_blocks))
        return end - start

    def account_decodes(self, steps: int) -> None:
        """Tell a policy that counts service of so many tokens for each who decodes."""
        if self.policy.account_decodes:
            self.policy.account_decodes(self.waiting, self.decoding.by_tenant, steps)
        else:
            self.account_each((live for live in self.running.values() if live.phase != NOT_YET), steps)

    def account_each(self, decoding: Iterable[Live], steps: int) -> None:
        """The same for these alone."""
        for live in decoding:
            self.account(self.waiting, live, 0, steps)

    def account_chunks(self, chunks: Iterable[Chunk]) -> None:
        """Tell it of the prompts in a step."""
        for live, kind, _, _, completes, _, _ in chunks:
            self.account(self.waiting, live, live.num_prompt_tokens if kind == "new" else 0, int(completes))
