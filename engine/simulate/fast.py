"""The same simulation, without touching whoever merely decodes and without doing a step twice.

Between an arrival, an end and a shortage of memory a batch that decodes repeats itself. So nothing is written
into a decoding request (`engine.simulate.decoding`): a counter of steps `v` is common to all. What changes the
batch is done one step at a time; what only repeats it is done at once, but for the clock.

Why that is exact. (1) A decoding request takes one token a step, for the budget covers all seats. Only whoever
was admitted last can be in mid-prompt. (2) While nobody leaves, free blocks only fall, so a queue whose head
doesn't fit stays shut. The exceptions are in `Admitting._stays_shut`. (3) `Decoding` knows exactly how many blocks the
next steps open, and for whom, in the order of the rows. (4) The clock is added up step by step in whole
nanoseconds. `tests/engine/test_fast_forward.py` holds it to `engine.simulate.step_by_step`, bit for bit.
"""

from collections.abc import Iterable

from engine.admission import NO_LIMITS, Candidates, ServerLimits, strict
from engine.blocks import blocks_needed
from engine.cost import StepCost, decode_clock
from engine.policies import POLICIES, Policy, last_admitted
from engine.settings import Settings
from engine.simulate.admitting import Admitting
from engine.simulate.doorstep import NEVER
from engine.simulate.live import GONE, NOT_YET, WAITS, Live
from engine.simulate.pools import CachingPool
from engine.simulate.short_step import ShortStep, TailStep
from engine.simulate.windows import Chunk, WindowLog
from engine.trace import Finished, FirstToken, Stalled
from engine.workload.records import Arrival


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


class FastForward(Admitting):
    """One simulation under way. `run` it, then look at `outcomes`, and at `log` if one was given.

    Raises `ValueError` for what `cannot_fast_forward`.
    """

    __slots__ = ("clock", "cost", "in_step", "missed", "silent_steps", "v")

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
        super().__init__(settings, arrivals, limits, policy, candidates, log)
        self.cost = cost
        self.clock = decode_clock(cost)
        self.v = 0
        """Steps done, which is the index of the next step."""
        self.in_step = False
        """Whether a step is planned and not done."""
        self.missed: tuple[Live, ...] = ()
        """Those who run and have no row in the step that is planned."""
        self.silent_steps = 0
        """Steps since one last sampled a token, or anybody left."""

    def run(self) -> "FastForward":
        """Serve everybody."""
        running, line, seats = self.running, self.line, self.seats
        while True:
            # One step or many, or the way to where the next one can be.
            if self.next_event <= self.now:
                self.happen_until(self.now + 1)
            if self.is_shut and self.changes_at:
                self.is_shut = (self.changes_at(self.waiting) or NEVER) > self.now
            if self.is_shut and self.head_stays:
                self.is_shut = self.waiting.head() is self.shut_head
            if running and self.prefilling is None and (not line or self.is_shut or len(running) >= seats):
                self._repeat()
            elif running or line:
                if not self._one_step():
                    return self
            elif not self._wait():
                return self

    # ---- many steps at once ----

    def _repeat(self) -> None:
        """Let everybody decode until something may change."""
        v, start, num_running, decoding = self.v, self.now, len(self.running), self.decoding
        steps = decoding.steady_steps(v, num_running)
        if not steps:
            self._step_without_room()
            return
        if self.line and self.head_stays and num_running < self.seats:
            steps = min(steps, self.head_stays(self.waiting, decoding.by_tenant))
        # Mostly nobody waits, and whoever comes finds a seat.
        until = self._until() if self.line or num_running >= self.seats else self.next_event
        clock = self.clock
        done, end = clock(num_running, decoding.base_sum + num_running * v, steps, start, until)
        opened = decoding.open(v, done)
        if self.account:
            self.account_decodes(done)
        if self.log is not None:
            self.log.window(v, start, done, opened, self.pool)
        self.v = v + done - 1
        self.silent_steps = 0
        self._end_step(end, ())

    def _until(self) -> int:
        """The time at which the batch may change from outside."""
        until, has_seat = self.next_departure, len(self.running) < self.seats
        if (has_seat and not (self.line and self.only_head_counts)) or self.account:
            until = self.next_arrival if self.next_arrival < until else until
        if self.changes_at and has_seat and self.line:
            until = min(until, self.changes_at(self.waiting) or NEVER)
        return until

    # ---- one step ----

    def _one_step(self) -> bool:
        """A step that computes prompts. False when nobody can ever run."""
        chunks: list[Chunk] = []
        live = self.prefilling
        v, decoding = self.v, self.decoding
        num_decoding = len(self.running) - (live is not None)
        budget = self.settings.max_num_batched_tokens - num_decoding
        needed = len(decoding.groups[v % self.block_size])
        if live is not None:
            end = live.num_computed_tokens + min(live.num_known - live.num_computed_tokens, budget)
            needed += max(0, blocks_needed(end, self.block_size) - len(live.table))
        if needed > self.pool.num_free:
            self._step_without_room()
            return True
        opened = decoding.open(v, 1) if needed or decoding.namers else []
        if live is not None:
            budget -= self.compute(live, "running", end, (), chunks)
        if budget and self.line and len(self.running) < self.seats:
            self.admit_waiting(budget, chunks)
        if self.account:
            self.account_decodes(1)
            self.account_chunks(chunks)
        if not (num_decoding or chunks):
            return self._wait()
        end_time = self.now + self._duration(num_decoding, decoding.base_sum + num_decoding * v, chunks)
        if self.log is not None:
            self.log.step(v, self.now, end_time, opened, chunks, self.pool)
        return self._end_step(end_time, chunks, samples=num_decoding > 0)

    def _duration(self, num_decodes: int, kv_tokens: int, chunks: Iterable[Chunk]) -> int:
        prefill_tokens = 0
        for live, _, num_tokens, start, completes, _, _ in chunks:
            kv_tokens += start
            if num_tokens == 1 and completes and start >= live.num_prompt_tokens:
                num_decodes += 1
            else:
                prefill_tokens += num_tokens
        cost = self.cost
        return cost(prefill_tokens, num_decodes, kv_tokens)

    # ---- the end of a step ----

    def _end_step(self, end: int, chunks: Iterable[Chunk], samples: bool = True) -> bool:
        """Let time pass until the step's end, and hand over its tokens. False if all go in circles."""
        if self.next_event < end:
            self.in_step = True
            self.happen_until(end)
            self.in_step = False
        if self.missed:
            self._hold_back()
        self.now = end
        v = self.v
        self.v = v + 1
        ends = self.decoding.ends
        while ends and ends[0][0] <= v:
            ended = self.decoding.take_first()
            if ended is not None:
                ended.num_computed_tokens = ended.max_total_tokens - 1
                self._finish(ended)
        for live, _, _, _, completes, _, _ in chunks:
            if completes:
                samples = True
                if live.seat >= 0:
                    self._hand_over(live)
        if samples:
            self.silent_steps = 0
            return True
        self.silent_steps += 1
        return not self._goes_in_circles()

    def _hold_back(self) -> None:
        for live in self.missed:
            if live.phase != NOT_YET:
                self.decoding.hold_back(live)
        self.missed = ()

    def _hand_over(self, live: Live) -> None:
        """A token to whoever's prompt is computed: the first one, or the next after a preemption."""
        live.num_known += 1
        if live.first_token == NOT_YET:
            live.first_token = self.now
            if self.log is not None:
                self.log.append(FirstToken(self.now, live.id, self.v - 1))
        if live.num_known >= live.max_total_tokens:
            self._finish(live)
            return
        self.decoding.join(live, live.num_computed_tokens - self.v)
        if self.decoding.namers:
            self.is_shut = False

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
        if self.has_doors:
            self.crowd.leave(live)

    # ---- a step in which somebody may have to give way ----

    def _step_without_room(self) -> None:
        """One step by the rules, row by row. Nobody is admitted in it."""
        step = TailStep(self) if self.policy.victim is last_admitted else ShortStep(self)
        step.run()
        num_decodes, kv_tokens = step.work
        end = self.now + self._duration(num_decodes, kv_tokens, step.chunks)
        if self.account:
            self.account_each((live for live, _, _ in step.rows), 1)
            self.account_chunks(step.chunks)
        if self.log is not None:
            self.log.short_step(self.v, self.now, end, step.rows, step.chunks, step.preempted, self.pool)
        self.missed = step.missed
        self._end_step(end, step.chunks, samples=num_decodes > 0)

    def preempt(self, live: Live) -> None:
        """Free all its blocks and let it wait again."""
        if live.phase != NOT_YET:
            live.num_computed_tokens = live.base + self.v
            live.num_known = live.num_computed_tokens + 1
            self.decoding.leave(live)
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

    # ---- what the doorstep asks for ----

    def next_step(self) -> int:
        """The index of the next step that can still be planned."""
        return self.v + self.in_step

    def give_up(self, live: Live) -> None:
        """Let a request go, waiting or running."""
        self.silent_steps = 0
        if live.phase != NOT_YET:
            live.num_known = live.base + self.v + 1
            live.num_computed_tokens = live.base + self.v + (self.in_step and live not in self.missed)
            self.decoding.leave(live)
        if live is self.prefilling:
            self.prefilling = None
        if live.seat == WAITS:
            self.waiting.remove(live)
            live.seat = GONE
            self.is_shut = False
            if self.has_doors:
                self.crowd.leave(live)
        else:
            self._leave(live)

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
