"""The scheduler: which requests run in the next step, and with how many tokens each.

There is no prefill phase and no decode phase. Each step has a budget of tokens. First every running
request gets what closes its gap (one token when it decodes, a chunk of its prompt before); then, if nobody
had to give way, waiting requests are admitted from the head of the queue. The rules are those of vLLM
0.32.0, for text models with one full-attention cache. `plan` decides a step and takes the blocks for it,
`commit` takes in the tokens that the model sampled. Asynchronous scheduling stands in
`engine.asynchronous`.
"""

from collections.abc import Sequence

from engine.admission import Candidates, refusal, strict
from engine.kv_cache import NO_BLOCKS, KVCache
from engine.plan import Draft, Kind, Plan
from engine.policies import POLICIES, Policy
from engine.prefix import PrefixStats
from engine.request import FinishReason, Request
from engine.settings import Settings


class Scheduler:
    """Requests that wait and run on one engine. Use `plan`, run the model, `commit`, and again."""

    max_uncommitted = 1
    """How many plans may be out at once."""

    def __init__(self, settings: Settings, policy: Policy | None = None, candidates: Candidates = strict) -> None:
        """`policy` stands for the one that the settings name; `candidates` says who may be tried for admission."""
        if settings.async_scheduling != (self.max_uncommitted > 1):
            raise ValueError(
                f"async_scheduling is {settings.async_scheduling}, and this is {type(self).__name__}; let "
                "engine.asynchronous.scheduler_for(settings) choose"
            )
        self.settings = settings
        self.kv_cache = KVCache(settings)
        self.requests: dict[str, Request] = {}
        """Everybody who waits or runs, by id. Finished requests are let go."""
        self.running: list[Request] = []
        """In the order of admission."""
        self._policy = policy or POLICIES[settings.policy]
        self._candidates = candidates
        self.waiting = self._policy.queue()
        self.prefix_stats = PrefixStats()
        self._num_arrivals = 0
        self._num_plans = 0
        self._uncommitted: list[Plan] = []

    # ---- arrivals and aborts ----

    def add_request(self, request: Request) -> str | None:
        """Let a request wait. Returns why it is refused, or None if it isn't.

        Raises `ValueError` for a request that was added before, here or elsewhere, and for an id in use.
        """
        if request.status != "new":
            raise ValueError(f"request {request.id!r} is {request.status}; add a new Request instead")
        if request.id in self.requests:
            raise ValueError(f"the id {request.id!r} is in use by a request that isn't finished; give another")
        why = refusal(self.settings, request)
        if why is None:
            self._num_arrivals += 1
            request.enter(self.settings.max_model_len, self._num_arrivals)
            self.requests[request.id] = request
            self.waiting.add(request)
        return why

    def abort(self, request_id: str) -> bool:
        """Give a request up, waiting or running. False if nobody of that id is there (any more)."""
        request = self.requests.get(request_id)
        if request is None:
            return False
        if request.status == "running":
            self.running.remove(request)
        self._finish(request, "abort")
        return True

    # ---- one step ----

    def plan(self, now: int = 0) -> Plan:
        """Decide the next step. Blocks and seats are taken at once; `commit` the plan before the next one.

        `now` is the time at which the step starts, for policies that look at it.
        """
        if len(self._uncommitted) >= self.max_uncommitted:
            raise RuntimeError(f"plan {self._uncommitted[0].step} isn't committed; commit it before the next")
        draft = Draft(self._prefill_cap(), self.settings.max_num_batched_tokens)
        displaced = self._displace()
        self._continue_running(draft)
        if not draft.preempted:  # rule: nobody_after_preemption
            self._admit_waiting(draft, now)
        self._account(draft)
        num_tokens = self.settings.max_num_batched_tokens - draft.budget
        preempted, evicted = displaced + draft.preempted, self.kv_cache.take_evicted()
        plan = Plan(self._num_plans, draft.entries, preempted, evicted, num_tokens)
        self._num_plans += 1
        self._uncommitted.append(plan)
        return plan

    def commit(self, plan: Plan, token_ids: Sequence[int | None]) -> list[Request]:
        """Take in what the model sampled: a token id for each row of `plan`, or None for one in mid-prefill.

        Returns those who are finished by it, in row order. Plans are committed in the order in which they
        were made. A row whose request was aborted since is skipped, and so is a token for a row in
        mid-prefill. Raises `ValueError` for another plan and for tokens that don't match the rows, and
        changes nothing then.
        """
        self._settle(plan, token_ids)
        finished: list[Request] = []
        for (request, _, _, _, samples, _, _), token_id in zip(plan.entries, token_ids, strict=True):
            if samples and token_id is not None and request.finish_reason is None:
                reason = self._deliver(request, token_id)
                if reason is not None:
                    self._finish(request, reason)
                    finished.append(request)
        if finished:
            self.running = [request for request in self.running if request.finish_reason is None]
        return finished

    def is_stalled(self, plan: Plan) -> bool:
        """Whether nothing will ever run again, unless somebody arrives or is aborted.

        So it is when a plan neither ran nor preempted anybody, nothing is in flight, and somebody waits.
        """
        in_flight = any(len(other) for other in self._uncommitted)
        return not (plan.entries or plan.preempted or in_flight) and bool(self.requests)

    def take_prefix_stats(self) -> PrefixStats:
        """What the prefix cache's lookups found since the last call."""
        stats, self.prefix_stats = self.prefix_stats, PrefixStats()
        return stats

    def _settle(self, plan: Plan, token_ids: Sequence[int | None]) -> None:
        """Take `plan` off the list of those that are out, if these are its tokens."""
        if not self._uncommitted or plan is not self._uncommitted[0]:
            raise ValueError(f"plan {plan.step} isn't the next to commit; commit each plan once, in order")
        if len(token_ids) != len(plan.entries):
            raise ValueError(f"{len(token_ids)} tokens for {len(plan.entries)} rows; give one a row, or None")
        if None in token_ids:
            for name, token_id in zip(plan.samples, token_ids, strict=True):
                if name is not None and token_id is None:
                    raise ValueError(f"no token for request {name!r}, whose prefill is complete; sample one")
        del self._uncommitted[0]

    def _deliver(self, request: Request, token_id: int) -> FinishReason | None:
        """Hand a sampled token over. Returns why it is the last one, if it is."""
        return request.append(token_id)

    def _finish(self, request: Request, reason: FinishReason) -> None:
        """Free its blocks and let it go. Who still ran is taken off the running list by the caller."""
        if request.status != "running":
            self.waiting.remove(request)
        self.kv_cache.free(request)
        request.status = "finished"
        request.finish_reason = reason
        del self.requests[request.id]

    # ---- phase 1: those who run ----

    def _prefill_cap(self) -> int:
        """The most tokens that one request gets in this step: the long-prefill cap.

        It exists to leave room for others, so a request that is alone ignores it. In adaptive mode it
        never cuts below a fair share of the budget.
        """
        settings = self.settings
        cap, num_requests = settings.long_prefill_token_threshold, len(self.running) + len(self.waiting)
        if cap == 0 or num_requests <= 1:
            return settings.max_model_len
        if settings.long_prefill_token_threshold_adaptive:
            cap = max(cap, settings.max_num_batched_tokens // num_requests)
        return cap

    def _continue_running(self, draft: Draft) -> None:
        """Give every running request, in the order of admission, what closes its gap.

        This is the loop that every row of every step goes through. So its state is in local names, written
        back to `draft` around the rare `_make_room`; and the test of `num_slots` stands here, so that
        a row that opens or fills no block costs no call.
        """
        running, entries, extend = self.running, draft.entries, self.kv_cache.extend
        budget, cap, index = draft.budget, draft.cap, 0
        while budget > 0 and index < len(running):
            request = running[index]
            computed = request.num_computed_tokens
            num_tokens = request.num_known_tokens - computed
            if num_tokens != 1:
                num_tokens = min(num_tokens, cap, budget)  # rule: chunk_capped, chunk_cut_to_budget
                if num_tokens <= 0:
                    index += 1
                    continue
            end = computed + num_tokens
            new_blocks = NO_BLOCKS
            if end >= request.num_slots:
                room = extend(request, end)
                if room is None:
                    draft.budget, draft.index = budget, index
                    room = self._make_room(draft, request, end)
                    budget, index = draft.budget, draft.index
                    if room is None:
                        break  # rule: behind_a_victim
                new_blocks = room
            request.num_computed_tokens = end
            samples = end == request.num_known_tokens
            entries.append((request, "running", num_tokens, computed, samples, NO_BLOCKS, new_blocks))
            budget -= num_tokens
            index += 1
        draft.budget = budget

    def _make_room(self, draft: Draft, request: Request, end: int) -> Sequence[int] | None:
        """Preempt one victim after another until `request` has room for its first `end` tokens.

        None if `request` fell victim itself: then phase 1 is over, and everyone behind it loses the step.
        """
        new_blocks = None
        while new_blocks is None:
            place = self._policy.victim(self.running)  # rule: preempted_chosen
            victim = self.running.pop(place)
            if place < draft.index:
                draft.index -= 1
                self._take_back_row(draft, victim)
            self._preempt(victim)
            draft.preempted.append(victim.id)
            if victim is request:  # rule: preempted_itself
                return None
            new_blocks = self.kv_cache.extend(request, end)
        return new_blocks

    def _take_back_row(self, draft: Draft, victim: Request) -> None:
        """A victim that already had a row in this step loses it; its tokens return to the budget.

        What the row would have computed was registered in the prefix cache when it got its blocks. It will
        not be computed, so the hashes go too; vLLM 0.32.0 keeps them, which is a defect.
        """
        for place, (request, _, num_tokens, computed, *_) in enumerate(draft.entries):
            if request is victim:
                del draft.entries[place]
                draft.budget += num_tokens  # rule: row_taken_back
                if not self.settings.keep_stale_hashes:
                    self.kv_cache.unseal(victim, computed)
                return

    def _preempt(self, victim: Request) -> None:
        """Free all its blocks and let it wait again: it will be recomputed from what is still cached."""
        self.kv_cache.free(victim)
        victim.num_computed_tokens = 0
        victim.num_preemptions += 1
        victim.status = "preempted"
        self.waiting.put_back(victim)

    # ---- phase 2: those who wait ----

    def _admit_waiting(self, draft: Draft, now: int) -> None:
        """Admit the candidates, in their order, while there are budget, seats and blocks."""
        if not self.waiting.entries:
            return
        if self._policy.arrange is not None:
            self._policy.arrange(self.waiting, now, self.kv_cache.hits)
        seats = self.settings.num_seats
        for request in self._candidates(self.waiting):
            if draft.budget <= 0 or len(self.running) >= seats:  # rule: no_budget, no_seat
                break
            self._admit(request, draft)

    def _admit(self, request: Request, draft: Draft) -> bool:
        """Admit a waiting request if it fits. Returns whether it did."""
        hits = self.kv_cache.hits(request)
        computed = len(hits) * self.settings.block_size
        num_tokens = self._first_chunk(request.num_tokens - computed, draft)
        end = computed + num_tokens
        if not num_tokens or not self.kv_cache.fits(request, hits, end, anyone_runs=bool(self.running)):
            return False
        new_blocks = self.kv_cache.admit(request, hits, end)
        if self.settings.enable_prefix_caching:
            self.prefix_stats.record(request.num_tokens, computed, resumed=request.status == "preempted")
        if request is self.waiting.head():
            self.waiting.pop()
        else:
            self.waiting.remove(request)
        self.running.append(request)  # rule: admitted
        samples = end == request.num_tokens
        kind: Kind = "resumed" if request.status == "preempted" else "new"  # rule: resumed
        draft.entries.append((request, kind, num_tokens, computed, samples, tuple(hits), new_blocks))
        draft.budget -= num_tokens
        request.num_computed_tokens = end
        request.status = "running"
        return True

    def _first_chunk(self, gap: int, draft: Draft) -> int:
        """How many tokens an admission gets: what the cap and the budget allow of its gap.

        None without chunked prefill, unless they allow all of it.
        """
        num_tokens = min(gap, draft.cap)  # rule: first_chunk_capped
        if num_tokens > draft.budget and not self.settings.enable_chunked_prefill:
            return 0  # rule: no_budget_for_all
        return min(num_tokens, draft.budget)  # rule: first_chunk_cut_to_budget

    # ---- what few policies ask for ----

    def _displace(self) -> list[str]:
        """Preempt those who give up their seats for somebody who waits."""
        if self._policy.displaced is None or not self.waiting.entries:
            return []
        displaced = self._policy.displaced(self.waiting, self.running, self.settings.num_seats)  # rule: displaced
        for request in displaced:
            self.running.remove(request)
            self._preempt(request)
        return [request.id for request in displaced]

    def _account(self, draft: Draft) -> None:
        """Tell the policy who is served: a prompt with its first row, an answer token by token."""
        if self._policy.account is not None:
            for request, kind, _, _, samples, _, _ in draft.entries:
                prompt = request.num_prompt_tokens if kind == "new" else 0
                self._policy.account(self.waiting, request, prompt, int(samples))

    # ---- conservation ----

    def check(self) -> None:
        """Raise `AssertionError`, with the numbers, unless all requests and blocks are accounted for."""
        running, waiting = len(self.running), len(self.waiting)
        known = len(self.requests)
        assert running + waiting == known, f"{running} running + {waiting} waiting != {known} known requests"
        assert running <= self.settings.num_seats, f"{running} run on {self.settings.num_seats} seats"
        for request in self.running:
            assert request.status == "running", f"{request!r} is in the running list"
        for request in self.waiting:
            assert request.status in ("waiting", "preempted"), f"{request!r} is in the waiting queue"
            assert not request.block_table, f"{request!r} waits and holds blocks {request.block_table}"
        for request in self.requests.values():
            self._check_limits(request)
        self.kv_cache.check(self.running)

    def _check_limits(self, request: Request) -> None:
        tokens, computed, most = request.num_tokens, request.num_computed_tokens, request.max_total_tokens
        ahead = computed - request.num_placeholders
        assert tokens < most, f"{request!r} ends at {most} tokens and didn't"
        assert ahead <= tokens, f"{request!r} computed {computed} tokens with {request.num_placeholders} in flight"
