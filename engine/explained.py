"""A scheduler that also writes down why: which rule decided what in a step, and on what facts.

It decides nothing of its own. It looks on while `engine.scheduler` decides, and notes a `Reason` wherever a rule
held somebody up, cut somebody short, took something away or gave something. Where nobody asks for reasons the plain
scheduler runs, so they cost nothing. The line that a rule stands on carries its name in a comment, `# rule: no_seat`;
`engine.views.why` has a sentence for each. A row that decodes one token needs no reason.
"""

from collections.abc import Callable, Sequence

from engine.admission import Candidates, strict
from engine.blocks import blocks_needed
from engine.codec import Scalar
from engine.plan import Draft, Plan
from engine.policies import Policy, last_admitted
from engine.request import FinishReason, Request
from engine.scheduler import Scheduler
from engine.settings import Settings
from engine.trace import Reason

RecordWhy = Callable[[Reason], None]
"""Takes a reason as it comes: a list's `append` will do."""


class Explained(Scheduler):
    """Decides what `Scheduler` decides, and tells `record_why` the rules."""

    def __init__(
        self,
        settings: Settings,
        policy: Policy | None = None,
        candidates: Candidates = strict,
        *,
        record_why: RecordWhy,
    ) -> None:
        super().__init__(settings, policy, candidates)
        self._record_why = record_why
        self._policy_name = settings.policy if policy is None else "the policy"
        self._needy: Request | None = None
        """For whom room is being made, and how many blocks it lacks a place for."""
        self._needed = 0
        self._held_up: set[str] = set()
        """Who was told in this step why it waits."""

    def _note(self, rule: str, who: str, **facts: Scalar) -> None:
        self._record_why(Reason(rule, who, facts))

    def plan(self, now: int = 0) -> Plan:
        """Decide the next step, and say why."""
        self._held_up.clear()
        plan = super().plan(now)
        self._explain_evictions(plan)
        return plan

    def _finish(self, request: Request, reason: FinishReason) -> None:
        super()._finish(request, reason)
        if reason == "stop":
            self._note("finished_stop", request.id, num_tokens=request.num_output_tokens)
        elif reason == "length":
            own = request.num_output_tokens == request.max_tokens
            limit = "max_tokens" if own else "max_model_len"
            self._note("finished_length", request.id, num_tokens=request.num_output_tokens, limit=limit)

    # ---- phase 1: those who run ----

    def _continue_running(self, draft: Draft) -> None:
        super()._continue_running(draft)
        rows = {entry[0].id: entry for entry in draft.entries}
        for request in self.running:
            row = rows.get(request.id)
            if row is None:
                self._explain_no_row(request, draft)
            elif not row[4]:
                _, _, num_tokens, computed, *_ = row
                rule = "chunk_capped" if num_tokens == draft.cap else "chunk_cut_to_budget"
                gap = request.num_known_tokens - computed
                self._note(rule, request.id, num_tokens=num_tokens, gap=gap, cap=draft.cap)
        if draft.preempted and self.waiting.entries:
            self._hold_up("nobody_after_preemption", waiting=len(self.waiting))

    def _explain_no_row(self, request: Request, draft: Draft) -> None:
        if request.num_known_tokens <= request.num_computed_tokens:
            self._note("last_token_in_flight", request.id)
        elif draft.preempted:
            self._note("behind_a_victim", request.id, victim=draft.preempted[-1])

    def _make_room(self, draft: Draft, request: Request, end: int) -> Sequence[int] | None:
        self._needy = request
        self._needed = blocks_needed(end, self.settings.block_size) - len(request.block_table)
        try:
            return super()._make_room(draft, request, end)
        finally:
            self._needy = None

    def _take_back_row(self, draft: Draft, victim: Request) -> None:
        before = draft.budget
        super()._take_back_row(draft, victim)
        self._note("row_taken_back", victim.id, num_tokens=draft.budget - before)

    def _preempt(self, victim: Request) -> None:
        needy, free = self._needy, self.kv_cache.pool.num_free_blocks
        if needy is not None:
            if victim is needy:
                rule = "preempted_itself"
            else:
                rule = "preempted_tail" if self._policy.victim is last_admitted else "preempted_chosen"
            self._note(rule, victim.id, needy=needy.id, needed=self._needed, free=free, policy=self._policy_name)
        super()._preempt(victim)

    def _displace(self) -> list[str]:
        displaced = super()._displace()
        for name in displaced:
            self._note("displaced", name, policy=self._policy_name)
        return displaced

    # ---- phase 2: those who wait ----

    def _admit_waiting(self, draft: Draft, now: int) -> None:
        super()._admit_waiting(draft, now)
        if self.waiting.entries and draft.budget <= 0:
            self._hold_up("no_budget", waiting=len(self.waiting), budget=self.settings.max_num_batched_tokens)
        elif self.waiting.entries and len(self.running) >= self.settings.num_seats:
            self._hold_up("no_seat", waiting=len(self.waiting), seats=self.settings.num_seats)

    def _hold_up(self, rule: str, **facts: Scalar) -> None:
        """Tell the head of the queue why it waits, and with it everybody; unless it was told another reason."""
        head = self.waiting.head()
        if head.id not in self._held_up:
            self._note(rule, head.id, **facts)

    def _admit(self, request: Request, draft: Draft) -> bool:
        free, budget, resumed = self.kv_cache.pool.num_free_blocks, draft.budget, request.status == "preempted"
        admitted = super()._admit(request, draft)
        if not admitted:
            self._held_up.add(request.id)
            self._explain_refusal(request, draft)
            return False
        _, _, num_tokens, computed, samples, _, new_blocks = draft.entries[-1]
        if resumed:
            again = request.num_tokens - computed
            self._note("resumed", request.id, num_tokens=request.num_tokens, cached=computed, again=again)
        else:
            self._note("admitted", request.id, needed=len(new_blocks), free=free, budget=budget)
        self._explain_hits(request, computed)
        if not samples:
            rule = "first_chunk_capped" if num_tokens == draft.cap else "first_chunk_cut_to_budget"
            gap = request.num_tokens - computed
            self._note(rule, request.id, num_tokens=num_tokens, gap=gap, cap=draft.cap)
        return True

    def _explain_refusal(self, request: Request, draft: Draft) -> None:
        """Which rule kept it out. Nothing has changed since it was tried."""
        kv, hits = self.kv_cache, self.kv_cache.hits(request)
        computed = len(hits) * self.settings.block_size
        chunk = self._first_chunk(request.num_tokens - computed, draft)
        if not chunk:
            gap = min(request.num_tokens - computed, draft.cap)
            self._note("no_budget_for_all", request.id, gap=gap, budget=draft.budget)
            return
        free = kv.pool.num_free_blocks
        watermark = kv.watermark_blocks if self.running else 0
        first = whole = kv.cost(hits, computed + chunk)
        if self.settings.scheduler_reserve_full_isl:
            whole = kv.cost(hits, min(request.num_tokens, self.settings.max_model_len))
        if whole <= free:
            self._note("watermark", request.id, needed=whole, free=free, watermark=watermark)
        elif first + watermark <= free:
            self._note("full_prompt", request.id, needed=whole, free=free, first=first)
        else:
            self._note("no_block", request.id, needed=whole, free=free)

    def _explain_hits(self, request: Request, num_hit_tokens: int) -> None:
        """How much of it was cached, and why not one block more."""
        size, num_tokens = self.settings.block_size, request.num_tokens
        if not self.settings.enable_prefix_caching or num_tokens <= size:
            return
        if num_hit_tokens + size < num_tokens:
            rule = "hit_until_new_content" if num_hit_tokens else "no_hit"
        else:
            rule = "hit_until_last_token" if num_hit_tokens + size == num_tokens else "hit_until_part_block"
        blocks = blocks_needed(num_hit_tokens, size)
        self._note(rule, request.id, num_tokens=num_hit_tokens, blocks=blocks, block_size=size, of=num_tokens)

    def _explain_evictions(self, plan: Plan) -> None:
        """Who took blocks that still held cached content. (Who took them and lost its row again isn't told.)"""
        if not plan.evicted:
            return
        evicted = set(plan.evicted)
        for request, *_, new_blocks in plan.entries:
            taken = [block for block in new_blocks if block in evicted]
            if taken:
                self._note("evicted", request.id, blocks=len(taken), first=taken[0])
