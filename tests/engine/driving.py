"""Drive a scheduler through a workload, and hold it to its promises after every single step."""

from collections import deque

from engine.asynchronous import scheduler_for
from engine.plan import Plan
from engine.request import Request
from memory import Memory, Work, work_of
from workloads import Workload, sample


class Drive:
    """One run. `run` raises `AssertionError` at the first step that breaks a promise."""

    def __init__(self, workload: Workload) -> None:
        self.settings = workload.settings
        self.scheduler = scheduler_for(workload.settings)
        self.coming = deque(workload.coming)
        self.cancel_at = workload.cancel_at
        self.memory = Memory(workload.settings.block_size)
        self.known: dict[str, Request] = {}
        self.refused: set[str] = set()
        self.out: deque[tuple[Plan, Work]] = deque()
        self.plans: list[Plan] = []
        self.step = 0

    def run(self, most_steps: int = 2000) -> "Drive":
        """Serve everybody."""
        while self.coming or self.scheduler.requests or self.out:
            assert self.step < most_steps, f"not done after {most_steps} steps: {self.scheduler.requests}"
            self.one_step()
        self._check_nothing_is_left()
        return self

    def one_step(self) -> None:
        """Arrivals and cancellations, one plan, and the tokens that are due."""
        self._arrivals()
        plan = self.scheduler.plan(self.step)
        self._check_plan(plan)
        self.scheduler.check()
        self.out.append((plan, work_of(plan)))
        self.plans.append(plan)
        while len(self.out) == self.scheduler.max_uncommitted or (self.out and not plan.entries):
            self._commit()
        self.step += 1

    def _arrivals(self) -> None:
        while self.coming and self.coming[0].arrival_step <= self.step:
            one = self.coming.popleft()
            request = one.request()
            if self.scheduler.add_request(request):
                self.refused.add(one.id)
            else:
                self.known[one.id] = request
        for name, when in self.cancel_at.items():
            if when == self.step:
                self.scheduler.abort(name)
        self.scheduler.check()

    def _commit(self) -> None:
        plan, work = self.out.popleft()
        self.memory.run(work)
        tokens = [sample(entry[0]) if entry[4] else None for entry in plan.entries]
        for request in self.scheduler.commit(plan, tokens):
            assert request.id not in self.scheduler.requests, f"{request.id} ended and is still there"
        self.scheduler.check()
        self._check_limits()

    def _check_plan(self, plan: Plan) -> None:
        """What holds for any plan, whatever the settings."""
        rows = plan.rows
        names = [row.id for row in rows]
        assert len(set(names)) == len(names), f"step {self.step}: somebody has two rows: {names}"
        spent = sum(row.num_scheduled_tokens for row in rows)
        budget = self.settings.max_num_batched_tokens
        assert spent == plan.num_scheduled_tokens <= budget, f"step {self.step}: {spent} of {budget} tokens"
        assert all(row.num_scheduled_tokens > 0 for row in rows), f"step {self.step}: an empty row"
        assert not set(names) & set(plan.preempted), f"step {self.step}: a row of a preempted request"
        admitted = [row.id for row in rows if row.kind != "running"]
        assert not (admitted and plan.preempted), f"step {self.step}: admitted {admitted} beside a preemption"

    def _check_limits(self) -> None:
        for request in self.known.values():
            most = self.settings.max_model_len
            if request.max_tokens is not None:
                most = min(most, request.num_prompt_tokens + request.max_tokens)
            assert request.num_tokens <= most, f"{request!r} has more than {most} tokens"

    def _check_nothing_is_left(self) -> None:
        free, lendable = self.scheduler.kv_cache.pool.num_free_blocks, self.settings.num_lendable_blocks
        assert free == lendable, f"all are gone, and {free} of {lendable} blocks are free"
        for request in self.known.values():
            assert request.finish_reason is not None, f"{request!r} is gone without an end"
