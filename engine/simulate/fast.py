"""The same simulation, without touching whoever merely decodes and without doing a step twice.

Between an arrival, an end and a shortage of memory a batch that decodes repeats itself. So nothing is written
into a decoding request: a counter of steps `v` is common to all, a request has computed `base + v` tokens, a
heap knows who ends when, and the requests are grouped by the step, modulo the block size, in which they
open a block. What changes the batch is done one step at a time; what only repeats it is done at once, but
for the clock.

Why that is exact. (1) A decoding request takes one token a step, for the budget covers all seats. Only whoever
was admitted last can be in mid-prompt. (2) While nobody leaves, free blocks only fall, so a queue whose head
doesn't fit stays shut. The two exceptions are in `_stays_shut`. (3) The groups say exactly how many blocks the
next steps open, and for whom, in the order of the rows. (4) The clock is added up step by step in whole
nanoseconds. `tests/engine/test_fast_forward.py` holds it to `engine.simulate.step_by_step`, bit for bit.
"""

import heapq
from collections.abc import Iterable, Iterator, Sequence
from itertools import count
from typing import Any, Final

from engine.admission import NO_LIMITS, Candidates, Crowd, ServerLimits, refusal, strict
from engine.blocks import blocks_needed
from engine.cost import StepCost, decode_clock
from engine.plan import Kind
from engine.policies import POLICIES, ArrivalQueue, Policy
from engine.settings import Settings
from engine.simulate.live import GONE, NOT_YET, WAITS, Live
from engine.simulate.names import Names
from engine.simulate.outcomes import Outcomes
from engine.simulate.pools import CachingPool, StackPool
from engine.simulate.step_by_step import CLIENT_LEFT, TOOK_TOO_LONG, WAITED_TOO_LONG
from engine.simulate.windows import Chunk, WindowLog
from engine.trace import Arrived, Cancelled, Finished, FirstToken, Rejected, Stalled, TimedOut
from engine.workload.records import Arrival

NEVER: Final = 1 << 100
"""A time after all times."""


def cannot_fast_forward(settings: Settings, policy: Policy | None = None) -> str | None:
    """Why an engine of these settings has to be simulated step by step, or None if it hasn't."""
    if settings.async_scheduling:
        return "async_scheduling plans a step before the last one is known"
    if settings.long_prefill_token_threshold:
        return "long_prefill_token_threshold lets several requests be in mid-prompt"
    if settings.keep_stale_hashes:
        return "keep_stale_hashes is a defect of single steps"
    if (policy or POLICIES[settings.policy]).displaced is not None:
        return "the policy may take anybody's seat in any step"
    return None


class FastForward:
    """One simulation under way. `run` it, then look at `outcomes`, and at `log` if one was given."""

    def __init__(
        self,
        settings: Settings,
        arrivals: Iterable[Arrival],
        cost: StepCost,
        limits: ServerLimits = NO_LIMITS,
        *,
        policy: Policy | None = None,
        candidates: Candidates = strict,
        log: WindowLog | None = None,
    ) -> None:
        why = cannot_fast_forward(settings, policy)
        if why is not None:
            raise ValueError(f"{why}; serve it step by step")
        self.settings = settings
        self.limits = limits
        self.cost = cost
        self.clock = decode_clock(cost)
        self.log = log
        self.outcomes = Outcomes()
        self.seats = settings.num_seats
        self.block_size = settings.block_size
        self.watermark = int(settings.watermark * settings.num_blocks)
        self.cache = CachingPool(settings.num_blocks) if settings.enable_prefix_caching else None
        self.pool: CachingPool | StackPool = self.cache or StackPool(settings.num_blocks)
        self.pool.evicted = None if log is None else []
        self.names = Names(settings.block_size)
        # A policy only looks at what requests of both kinds have.
        self.policy: Any = policy or POLICIES[settings.policy]
        self.candidates: Any = candidates
        self.waiting: Any = self.policy.queue()
        self.line = self.waiting.entries
        self.only_head_counts = isinstance(self.waiting, ArrivalQueue) and candidates is strict
        """Whether an arrival changes nothing while somebody else waits."""

        self.coming: Iterator[tuple[int, Arrival]] = zip(count(), arrivals)
        self.next: tuple[int, Arrival] | None = None
        self.next_arrival = NEVER
        self._fetch()
        self.departures: list[tuple[int, int, int, Live]] = []
        self.next_departure = NEVER
        self.crowd = Crowd()
        self.num_let_in = 0

        self.now = 0
        self.v = 0
        """Steps done: the virtual counter, and the index of the next step."""
        self.in_step = False
        """Whether a step is planned and not done."""
        self.running: dict[int, Live] = {}
        """By seat, in the order of admission."""
        self.prefilling: Live | None = None
        """Whoever is in mid-prompt: always the last one admitted."""
        self.missed: tuple[Live, ...] = ()
        """Those who run and have no row in the step that is planned."""
        self.num_seated = 0
        self.groups: list[dict[int, list[int]]] = [{} for _ in range(self.block_size)]
        """The block tables of those who decode, by phase and then by seat."""
        self.two_cycles = self.groups * 2
        """The same groups, so that less than a cycle from any phase on is a slice."""
        self.base_sum = 0
        """The sum of `base` over those who decode."""
        self.ends: list[tuple[int, int, Live]] = []
        """(Step of the last token, seat, request), some of them out of date."""
        self.namers: dict[int, Live] = {}
        """Those who decode an answer that others may quote."""
        self.is_shut = False
        """Whether the queue's head doesn't fit, and won't until somebody leaves."""
        self.silent_steps = 0

    def run(self) -> "FastForward":
        """Serve everybody."""
        while self._advance():
            pass
        return self

    def _advance(self) -> bool:
        """Do one step or many, or go to where the next one can be. False when all is over."""
        if self.next_arrival <= self.now or self.next_departure <= self.now:
            self._happen_until(self.now + 1)
        if self.is_shut and self.policy.changes_at:
            self.is_shut = (self.policy.changes_at(self.waiting) or NEVER) > self.now
        if (
            self.running
            and self.prefilling is None
            and not (self.line and not self.is_shut and len(self.running) < self.seats)
        ):
            self._repeat()
            return True
        if not self.running and not self.line:
            return self._wait()
        return self._one_step()

    # ---- many steps at once ----

    def _repeat(self) -> None:
        """Let everybody decode until something may change."""
        v, num_running, block_size = self.v, len(self.running), self.block_size
        steps = self._next_end() - v + 1
        if (steps // block_size + 1) * num_running > self.pool.num_free:
            steps = self._steps_with_room(steps)
            if not steps:
                self._step_without_room()
                return
        start = self.now
        done, end = self.clock(num_running, self.base_sum + num_running * v, steps, start, self._until())
        opened = self._open(done)
        if self.namers:
            self._name_answers(v, v + done)
        if self.policy.account:
            self._account(self.running.values(), done)
        if self.log is not None:
            self.log.window(v, start, done, opened, self.pool)
        self.v = v + done - 1
        self.silent_steps = 0
        self._end_step(end, ())

    def _next_end(self) -> int:
        """The step in which somebody gets the last token, if nothing comes in between."""
        ends = self.ends
        while True:
            step, seat, live = ends[0]
            if live.seat == seat and step == live.max_total_tokens - 2 - live.base:
                return step
            heapq.heappop(ends)

    def _steps_with_room(self, most: int) -> int:
        """For how many of the next `most` steps there are blocks: whole cycles, and then one by one."""
        free, num_running = self.pool.num_free, len(self.running)
        cycles = free // num_running
        steps, free = cycles * self.block_size, free - cycles * num_running
        while steps < most:
            free -= len(self.groups[(self.v + steps) % self.block_size])
            if free < 0:
                return steps
            steps += 1
        return most

    def _until(self) -> int:
        """The time at which the batch may change from outside."""
        until, has_seat = self.next_departure, len(self.running) < self.seats
        if self.policy.account or (has_seat and not (self.line and self.only_head_counts)):
            until = min(until, self.next_arrival)
        if has_seat and self.line and self.policy.changes_at:
            until = min(until, self.policy.changes_at(self.waiting) or NEVER)
        return until

    def _open(self, steps: int) -> list[int]:
        """Hand out the blocks that the next `steps` steps open, in the order of steps and rows."""
        phase = self.v % self.block_size
        if steps < self.block_size:
            return self._deal(phase, steps)
        # Each cycle opens one block for everybody, always in the same order: deal them out by slices.
        cycle = self.two_cycles[phase : phase + self.block_size]
        tables = [table for group in cycle for table in group.values()]
        if not tables:
            return []
        opened = self.pool.take(steps // self.block_size * len(tables))
        for place, table in enumerate(tables):
            table += opened[place :: len(tables)]
        return opened + self._deal(phase, steps % self.block_size)

    def _deal(self, phase: int, steps: int) -> list[int]:
        """As `_open`, for less than a cycle from `phase` on."""
        tables: list[list[int]] = []
        for group in self.two_cycles[phase : phase + steps]:
            if group:
                tables += group.values()
        if not tables:
            return []
        opened = self.pool.take(len(tables))
        for table, block_id in zip(tables, opened, strict=True):
            table.append(block_id)
        return opened

    def _name_answers(self, first: int, end: int) -> None:
        """Register the answers' blocks that steps `first` to before `end` fill, in the order of steps and rows."""
        assert self.cache is not None
        filled = []
        for seat, live in self.namers.items():
            last = min((live.base + end) // self.block_size, len(live.names))
            for index in range(live.num_registered, last):
                filled.append(((index + 1) * self.block_size - live.base - 1, seat, index, live))
        for _, _, index, live in sorted(filled, key=lambda one: one[:3]):
            self.cache.register(live.names[index], live.table[index])
            live.num_registered = index + 1

    def register_named(self, live: Live, num_tokens: int) -> None:
        """Register those blocks of the first `num_tokens` tokens that others may share."""
        assert self.cache is not None
        for index in range(live.num_registered, min(num_tokens // self.block_size, len(live.names))):
            self.cache.register(live.names[index], live.table[index])
            live.num_registered = index + 1

    # ---- one step ----

    def _one_step(self) -> bool:
        """A step that computes prompts. False when nobody can ever run."""
        chunks: list[Chunk] = []
        live = self.prefilling
        num_decoding = len(self.running) - (live is not None)
        budget = self.settings.max_num_batched_tokens - num_decoding
        needed = len(self.groups[self.v % self.block_size])
        if live is not None:
            end = live.num_computed_tokens + min(live.num_known - live.num_computed_tokens, budget)
            needed += max(0, blocks_needed(end, self.block_size) - len(live.table))
        if needed > self.pool.num_free:
            self._step_without_room()
            return True
        opened = self._open(1)
        if self.namers:
            self._name_answers(self.v, self.v + 1)
        if live is not None:
            budget -= self.compute(live, "running", end, (), chunks)
        if budget and self.line and len(self.running) < self.seats:
            self._admit_waiting(budget, chunks)
        if self.policy.account:
            decoding = (one for one in self.running.values() if one.phase != NOT_YET)
            self._account(decoding, 1)
            self._account_chunks(chunks)
        if not (num_decoding or chunks):
            return self._wait()
        end_time = self.now + self._duration(num_decoding, self.base_sum + num_decoding * self.v, chunks)
        if self.log is not None:
            self.log.step(self.v, self.now, end_time, opened, chunks, self.pool)
        return self._end_step(end_time, chunks, samples=num_decoding > 0)

    def compute(self, live: Live, kind: Kind, end: int, hits: Sequence[int], chunks: list[Chunk]) -> int:
        """Give a request room for its first `end` tokens and a row. Returns the row's tokens."""
        start = live.num_computed_tokens
        new_blocks: Sequence[int] = ()
        num_new = blocks_needed(end, self.block_size) - len(live.table)
        if num_new > 0:
            new_blocks = self.pool.take(num_new)
            live.table += new_blocks
        if live.names:
            self.register_named(live, end)
        live.num_computed_tokens = end
        if start < live.max_reached:
            live.num_recomputed_tokens += min(end, live.max_reached) - start
        self.prefilling = live if end < live.num_known else None
        chunks.append((live, kind, end - start, start, end == live.num_known, hits, new_blocks))
        return end - start

    def _admit_waiting(self, budget: int, chunks: list[Chunk]) -> None:
        """Admit from the head of the queue while there are budget, seats and blocks."""
        running, chunked = self.running, self.settings.enable_chunked_prefill
        self.is_shut = False
        if self.policy.arrange:
            self.policy.arrange(self.waiting, self.now, self.hits)
        for live in self.candidates(self.waiting):
            if budget <= 0 or len(running) >= self.seats:
                return
            hits = self.hits(live)
            start = len(hits) * self.block_size
            gap = live.num_known - start
            end = start + min(gap, budget)
            if (chunked or gap <= budget) and self._fits(live, hits, end):
                self._take_out(live)
                budget -= self._admit(live, hits, end, chunks)
        # Where prompts took some of this step's budget, the next step has more.
        self.is_shut = bool(self.line) and (chunked or not chunks) and self._stays_shut()

    def _take_out(self, live: Live) -> None:
        if live is self.waiting.head():
            self.waiting.pop()
        else:
            self.waiting.remove(live)

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
        """As `KVCache.fits`."""
        if self.settings.scheduler_reserve_full_isl:
            end = live.num_known
        cost = blocks_needed(end, self.block_size) - len(hits)
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
        if self.policy.account or (self.policy.arrange and not self.policy.changes_at):
            return False
        return self.cache is None or (self.settings.scheduler_reserve_full_isl and not self.namers)

    def _account(self, decoding: Iterable[Live], steps: int) -> None:
        for live in decoding:
            self.policy.account(self.waiting, live, 0, steps)

    def _account_chunks(self, chunks: Iterable[Chunk]) -> None:
        for live, kind, _, _, completes, _, _ in chunks:
            self.policy.account(self.waiting, live, live.num_prompt_tokens if kind == "new" else 0, int(completes))

    def _admit(self, live: Live, hits: Sequence[int], end: int, chunks: list[Chunk]) -> int:
        if hits:
            assert self.cache is not None
            self.cache.share(hits)
        live.table = list(hits)
        live.num_registered = len(hits)
        live.num_computed_tokens = len(hits) * self.block_size
        kind: Kind = "resumed" if live.num_preemptions else "new"
        if kind == "new":
            live.admitted = self.now
            live.num_cached_tokens = live.num_computed_tokens
        self.num_seated += 1
        live.seat = self.num_seated
        self.running[live.seat] = live
        return self.compute(live, kind, end, hits, chunks)

    def _duration(self, num_decodes: int, kv_tokens: int, chunks: Iterable[Chunk]) -> int:
        prefill_tokens = 0
        for live, _, num_tokens, start, completes, _, _ in chunks:
            kv_tokens += start
            if num_tokens == 1 and completes and start >= live.num_prompt_tokens:
                num_decodes += 1
            else:
                prefill_tokens += num_tokens
        return self.cost(prefill_tokens, num_decodes, kv_tokens)

    # ---- the end of a step ----

    def _end_step(self, end: int, chunks: Iterable[Chunk], samples: bool = True) -> bool:
        """Let time pass until the step's end, and hand over its tokens. False if all go in circles."""
        if self.next_arrival < end or self.next_departure < end:
            self.in_step = True
            self._happen_until(end)
            self.in_step = False
        if self.missed:
            self._hold_back()
        self.now = end
        v = self.v
        self.v = v + 1
        ends = self.ends
        while ends and ends[0][0] <= v:
            step, seat, live = heapq.heappop(ends)
            if live.seat == seat and step == live.max_total_tokens - 2 - live.base:
                self._stop_decoding(live)
                live.num_computed_tokens = live.max_total_tokens - 1
                self._finish(live)
        for live, _, _, _, completes, _, _ in chunks:
            if completes and live.seat >= 0:
                samples = True
                self._hand_over(live)
        self.silent_steps = 0 if samples else self.silent_steps + 1
        return not self._goes_in_circles()

    def _hand_over(self, live: Live) -> None:
        """A token to whoever's prompt is computed: the first one, or the next after a preemption."""
        live.num_known += 1
        if live.first_token == NOT_YET:
            live.first_token = self.now
            if self.log is not None:
                self.log.append(FirstToken(self.now, live.id, self.v - 1))
        if live.num_known >= live.max_total_tokens:
            self._finish(live)
        else:
            self._decode(live, live.num_computed_tokens - self.v)

    def _decode(self, live: Live, base: int) -> None:
        """From here on it merely decodes."""
        live.base = base
        self.base_sum += base
        live.phase = -base % self.block_size
        self.groups[live.phase][live.seat] = live.table
        heapq.heappush(self.ends, (live.max_total_tokens - 2 - base, live.seat, live))
        if len(live.names) > live.num_registered:
            self.namers[live.seat] = live
            self.is_shut = False

    def _stop_decoding(self, live: Live) -> None:
        del self.groups[live.phase][live.seat]
        live.phase = NOT_YET
        self.base_sum -= live.base
        if self.namers:
            self.namers.pop(live.seat, None)

    def _finish(self, live: Live) -> None:
        self._leave(live)
        num_output_tokens = live.max_total_tokens - live.num_prompt_tokens
        self.outcomes.add(live, self.now, "finished", num_output_tokens)
        if self.log is not None:
            self.log.append(Finished(self.now, live.id, "length", num_output_tokens, self.v - 1))

    def _leave(self, live: Live) -> None:
        """Free its blocks and its seat."""
        del self.running[live.seat]
        live.seat = GONE
        sealed = live.num_computed_tokens // self.block_size if self.cache is not None else 0
        self.pool.release(live.table, live.num_registered, sealed)
        self.is_shut = False
        if self.limits.doors:
            self.crowd.leave(live)

    # ---- a step in which somebody may have to give way ----

    def _step_without_room(self) -> None:
        """One step by the rules, row by row."""
        step = ShortStep(self)
        step.run()
        kv_tokens = sum(start for _, start, _ in step.rows)
        chunks = [step.chunk] if step.chunk else []
        end = self.now + self._duration(len(step.rows), kv_tokens, chunks)
        if self.policy.account:
            self._account((live for live, _, _ in step.rows), 1)
            self._account_chunks(chunks)
        if self.log is not None:
            self.log.short_step(self.v, self.now, end, step.rows, chunks, step.preempted, self.pool)
        self.missed = step.missed
        self._end_step(end, chunks, samples=bool(step.rows))

    def _hold_back(self) -> None:
        """Who missed the step stands where it stood, while the counter goes on."""
        for live in self.missed:
            if live.phase != NOT_YET:
                self._stop_decoding(live)
                self._decode(live, live.base - 1)
                group = self.groups[live.phase]
                in_order = sorted(group.items())
                group.clear()
                group.update(in_order)
        self.missed = ()

    def preempt(self, live: Live) -> None:
        """Free all its blocks and let it wait again."""
        if live.phase != NOT_YET:
            live.num_computed_tokens = live.base + self.v
            live.num_known = live.num_computed_tokens + 1
            self._stop_decoding(live)
        if live is self.prefilling:
            self.prefilling = None
        sealed = 0
        if self.cache is not None:
            sealed = live.num_computed_tokens // self.block_size
            self._keep_for_itself(self.cache, live, sealed)
        self.pool.release(live.table, live.num_registered, sealed)
        del self.running[live.seat]
        live.seat = WAITS
        live.table = []
        live.num_preemptions += 1
        live.max_reached = max(live.max_reached, live.num_computed_tokens)
        live.num_computed_tokens = 0
        self.is_shut = False
        self.waiting.put_back(live)

    def _keep_for_itself(self, cache: CachingPool, live: Live, sealed: int) -> None:
        """Register its own blocks too: from here on somebody may look for them, namely itself."""
        for index in range(sealed, live.num_registered):
            cache.unregister(live.table[index])
        for index in range(live.num_registered, sealed):
            cache.register((live.number, index), live.table[index])
        live.num_registered = sealed

    # ---- arrivals and departures ----

    def _fetch(self) -> None:
        self.next = next(self.coming, None)
        self.next_arrival = self.next[1].at if self.next else NEVER

    def _happen_until(self, time: int) -> None:
        """All arrivals and departures before `time`, each at its own time; an arrival first where they tie."""
        while True:
            if self.next_arrival <= self.next_departure:
                if self.next_arrival >= time:
                    return
                self._arrive()
            elif self.next_departure < time:
                self._depart()
            else:
                return

    def _arrive(self) -> None:
        assert self.next is not None
        number, arrival = self.next
        self._fetch()
        names = self.names.of(arrival) if self.cache is not None and arrival.beginning else ()
        live: Any = Live(arrival, number, self.settings.max_model_len, names)
        if self.log is not None:
            salt, most = arrival.cache_salt, arrival.num_output_tokens
            at, prompt = arrival.at, arrival.num_prompt_tokens
            self.log.append(Arrived(at, arrival.id, prompt, most, arrival.priority, salt, arrival.tenant))
        why = self._refusal(live)
        if why is not None:
            live.seat = GONE
            self.outcomes.add(live, arrival.at, "rejected", 0)
            if self.log is not None:
                self.log.append(Rejected(arrival.at, arrival.id, why))
            return
        self.num_let_in += 1
        live.order = self.num_let_in
        self.waiting.add(live)
        if not self.only_head_counts:
            self.is_shut = False
        if self.limits.doors:
            self.crowd.enter(live)
        if arrival.cancel_at is not None or self.limits is not NO_LIMITS:
            self._note_departures(live, arrival)

    def _refusal(self, live: Any) -> str | None:
        if self.limits.doors:
            self.crowd.num_waiting = len(self.waiting)
            why = self.limits.refusal(live, self.crowd)
            if why is not None:
                return why
        return refusal(self.settings, live)

    def _note_departures(self, live: Live, arrival: Arrival) -> None:
        for kind, at in (
            (CLIENT_LEFT, arrival.cancel_at),
            (WAITED_TOO_LONG, self.limits.max_wait and arrival.at + self.limits.max_wait),
            (TOOK_TOO_LONG, self.limits.timeout and arrival.at + self.limits.timeout),
        ):
            if at is not None:
                heapq.heappush(self.departures, (at, kind, live.order, live))
        self.next_departure = self.departures[0][0] if self.departures else NEVER

    def _depart(self) -> None:
        """Give a request up, unless it has ended already (or started, if only its waiting was limited)."""
        at, kind, _, live = heapq.heappop(self.departures)
        self.next_departure = self.departures[0][0] if self.departures else NEVER
        if live.seat == GONE or (kind == WAITED_TOO_LONG and live.admitted != NOT_YET):
            return
        if live.phase != NOT_YET:
            live.num_known = live.base + self.v + 1
            live.num_computed_tokens = live.base + self.v + (self.in_step and live not in self.missed)
            self._stop_decoding(live)
        if live is self.prefilling:
            self.prefilling = None
        if live.seat == WAITS:
            self.waiting.remove(live)
            live.seat = GONE
            self.is_shut = False
            if self.limits.doors:
                self.crowd.leave(live)
        else:
            self._leave(live)
        num_output_tokens = live.num_known - live.num_prompt_tokens
        self.outcomes.add(live, at, "cancelled" if kind == CLIENT_LEFT else "timed_out", num_output_tokens)
        if self.log is not None:
            record = Cancelled if kind == CLIENT_LEFT else TimedOut
            self.log.append(record(at, live.id, num_output_tokens, self.v + self.in_step))

    # ---- nothing to do ----

    def _wait(self) -> bool:
        """Go to the next arrival or departure. False if there is none, and nothing happens any more."""
        time = self.next_arrival
        if self.waiting or self.running:
            time = min(time, self.next_departure)
        if time < NEVER:
            self.now = max(self.now, time)
            return True
        if self.waiting or self.running:
            self._stall()
        return False

    def _goes_in_circles(self) -> bool:
        """As `StepByStep` has it."""
        if self.silent_steps <= self.settings.max_model_len + 1:
            return False
        self._stall()
        return True

    def _stall(self) -> None:
        if self.log is not None:
            here = sorted([*self.waiting, *self.running.values()], key=lambda live: live.order)
            self.log.append(Stalled(self.now, tuple(live.id for live in here)))


class ShortStep:
    """The first phase of a step, row by row as the scheduler does it: blocks may not suffice for all."""

    def __init__(self, run: FastForward) -> None:
        self.run_of = run
        self.order = list(run.running.values())
        self.budget = run.settings.max_num_batched_tokens
        self.index = 0
        self.rows: list[tuple[Live, int, Sequence[int]]] = []
        """Who decodes, its computed tokens before, and its new blocks."""
        self.chunk: Chunk | None = None
        self.preempted: list[Live] = []

    @property
    def missed(self) -> tuple[Live, ...]:
        """Those who still run and have no row."""
        return tuple(self.order[self.index :])

    def run(self) -> None:
        """Give everybody a row, until all have one or somebody has to give way to itself."""
        run = self.run_of
        while self.index < len(self.order):
            live = self.order[self.index]
            if live is run.prefilling:
                start = live.num_computed_tokens
                end = start + min(live.num_known - start, self.budget)
            else:
                start = live.base + run.v
                end = start + 1
            if not self._make_room(live, blocks_needed(end, run.block_size) - len(live.table)):
                return
            if live is run.prefilling:
                chunks: list[Chunk] = []
                run.compute(live, "running", end, (), chunks)
                self.chunk = chunks[0]
            else:
                self._decode(live, start)
            self.budget -= end - start
            self.index += 1

    def _decode(self, live: Live, start: int) -> None:
        run = self.run_of
        new_blocks: Sequence[int] = ()
        if start == len(live.table) * run.block_size:
            new_blocks = run.pool.take(1)
            live.table += new_blocks
        if live.seat in run.namers:
            run.register_named(live, start + 1)
        self.rows.append((live, start, new_blocks))

    def _make_room(self, live: Live, num_blocks: int) -> bool:
        """Preempt one victim after another. False if `live` fell victim itself."""
        run = self.run_of
        while num_blocks > run.pool.num_free:
            place = run.policy.victim(self.order)
            victim = self.order.pop(place)
            if place < self.index:
                self.index -= 1
                row = next(row for row in self.rows if row[0] is victim)
                self.rows.remove(row)
                self.budget += 1
            run.preempt(victim)
            self.preempted.append(victim)
            if victim is live:
                return False
        return True
