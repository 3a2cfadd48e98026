"""Replay: a workload goes in, step by step, and what the engine did comes out as an outcome.

One step is: take the arrivals and aborts, plan, sample one made-up token for every row whose prefill is
complete, commit. In asynchronous mode the tokens of step s are committed after step s + 1 is planned. The
loop, the clock that skips to the next arrival, and the end of a stall after three idle steps are those of
the records in the parity folder, so that outcomes can be compared byte by byte.

Pure functions: nothing here reads a file or a clock.
"""

from collections import deque
from typing import Any, Final

from engine.asynchronous import scheduler_for
from engine.plan import Plan
from engine.replay_format import Spec, Workload, output_token, workload_from_json
from engine.request import Request

ENGINE: Final = "inside-the-batch"
"""Who made an outcome."""
VLLM_VERSION: Final = "0.32.0"
"""The release whose decisions this engine makes."""

IDLE_STEPS_OF_A_STALL: Final = 3
"""After how many steps in which nothing moved, and nothing will, a replay ends."""
LARGEST_LISTED_POOL: Final = 256
"""Up to how many blocks an outcome lists the free queue and the hashed blocks."""


def replay_trace(trace: Any, *, correct: bool = False) -> dict[str, Any]:
    """The outcome of a parsed trace file. `correct` leaves vLLM's known defect out.

    Raises `FieldError` for a bad trace, with the path inside it.
    """
    return replay(workload_from_json(trace), correct=correct)


def replay(workload: Workload, *, correct: bool = False) -> dict[str, Any]:
    """The outcome of `workload`, in the shape that `engine.outcome` writes."""
    run = _Run(workload, correct)
    status = run.to_the_end()
    return {
        "trace": workload.name,
        "about": workload.about,
        "engine": ENGINE,
        "vllm_version": VLLM_VERSION,
        "config": workload.config,
        "seconds": 0,
        "status": status,
        "steps": run.steps,
        "requests": run.per_request,
    }


class _Flight:
    """A plan whose tokens aren't delivered yet, and those tokens."""

    def __init__(self, plan: Plan, step: int, token_ids: list[int | None]) -> None:
        self.plan = plan
        self.step = step
        self.token_ids = token_ids


class _Run:
    """One replay under way."""

    def __init__(self, workload: Workload, correct: bool) -> None:
        specs = workload.specs
        self._workload = workload
        self._scheduler = scheduler_for(workload.settings(correct=correct))
        self._index = {spec.id: index for index, spec in enumerate(specs)}
        self._arrivals = deque(sorted(range(len(specs)), key=lambda index: specs[index].arrival_step))
        leaving = [(spec.abort_step, spec.id) for spec in specs if spec.abort_step is not None]
        self._aborts = deque(sorted(leaving, key=lambda pair: pair[0]))
        self._in_flight: deque[_Flight] = deque()
        self.steps: list[dict[str, Any]] = []
        self.per_request = {spec.id: _nothing_yet(spec) for spec in specs}

    # ---- the loop ----

    def to_the_end(self) -> str:
        """Step until everybody is done, nothing can move any more, or `max_steps` is reached."""
        step = num_idle = 0
        while step < self._workload.max_steps:
            record = self._arrive_and_leave(step)
            if not self._scheduler.requests and not self._in_flight:
                if record["arrived"] or record["refused"] or record["aborted"]:
                    self.steps.append({**record, "idle": True})
                if not self._arrivals:
                    return "done"
                step = max(step + 1, self._workload.specs[self._arrivals[0]].arrival_step)
                continue
            num_idle = num_idle + 1 if self._one_step(step, record) else 0
            if num_idle >= IDLE_STEPS_OF_A_STALL:
                return "stalled"
            step += 1
        return "max_steps"

    def _arrive_and_leave(self, step: int) -> dict[str, Any]:
        record: dict[str, Any] = {"step": step, "arrived": [], "refused": [], "aborted": []}
        specs = self._workload.specs
        while self._arrivals and specs[self._arrivals[0]].arrival_step <= step:
            self._arrive(specs[self._arrivals.popleft()], record)
        while self._aborts and self._aborts[0][0] <= step:
            _, request_id = self._aborts.popleft()
            if self._scheduler.abort(request_id):
                record["aborted"].append(request_id)
                self.per_request[request_id].update(finish_step=step, finish_reason="abort")
        return record

    def _arrive(self, spec: Spec, record: dict[str, Any]) -> None:
        request = Request(
            spec.id,
            spec.prompt_token_ids,
            spec.max_tokens,
            priority=spec.priority,
            cache_salt=spec.cache_salt,
            eos_token_id=spec.eos_token_id,
            stop_token_ids=spec.stop_token_ids or (),
            arrival_time=spec.arrival_step,
        )
        why = self._scheduler.add_request(request)
        if why is None:
            record["arrived"].append(spec.id)
        else:
            self.per_request[spec.id]["refused"] = why
            record["refused"].append({"id": spec.id, "why": why})

    def _one_step(self, step: int, record: dict[str, Any]) -> bool:
        """Plan, deliver what is due, and write the record. True if the step was idle and will stay so."""
        scheduler = self._scheduler
        plan = scheduler.plan(step)
        self._describe(plan, step, record)
        if plan.entries:
            self._in_flight.append(_Flight(plan, step, self._sample(plan)))
        due = self._due(plan)
        if due:
            record["applied_step"] = due.step
        record["sampled"] = self._deliver(due) if due else {}
        record["finished"] = self._finish(due) if due else []
        if not plan.entries:
            scheduler.commit(plan, [])
        self._describe_end(record, with_stats=due is not None or scheduler.max_uncommitted == 1)
        self.steps.append(record)
        idle = not plan.entries and not record["finished"] and not self._in_flight
        return idle and not self._arrivals and not self._aborts

    # ---- tokens ----

    def _sample(self, plan: Plan) -> list[int | None]:
        """The model's turn: for each row its request's next answer token, or None in mid-prefill.

        Tokens in flight count: with one on its way this row samples the one after it.
        """
        token_ids: list[int | None] = []
        for request, kind, *_, samples, _, _ in plan.entries:
            # A plan has counted the row's own placeholder already.
            in_flight = request.num_placeholders - 1 if request.num_placeholders and kind == "running" else 0
            index = self._index[request.id]
            count = request.num_output_tokens + in_flight
            spec = self._workload.specs[index]
            token_ids.append(output_token(index, spec, count) if samples else None)
        return token_ids

    def _due(self, latest: Plan) -> _Flight | None:
        """The oldest plan in flight, if its tokens are due: when as many are out as may be, or when the
        latest plan is empty, so that there is nothing else to wait for."""
        full = len(self._in_flight) >= self._scheduler.max_uncommitted
        return self._in_flight.popleft() if self._in_flight and (full or not latest.entries) else None

    def _deliver(self, flight: _Flight) -> dict[str, list[int]]:
        """The tokens of a plan that reach somebody: requests that were aborted since get none."""
        delivered = {}
        for entry, token_id in zip(flight.plan.entries, flight.token_ids, strict=True):
            request = entry[0]
            if token_id is not None and request.finish_reason is None:
                delivered[request.id] = [token_id]
                state = self.per_request[request.id]
                state["num_output_tokens"] += 1
                if state["first_token_step"] is None:
                    state["first_token_step"] = flight.step
        return delivered

    def _finish(self, flight: _Flight) -> list[dict[str, str]]:
        finished = []
        for request in self._scheduler.commit(flight.plan, flight.token_ids):
            reason = str(request.finish_reason)
            finished.append({"id": request.id, "reason": reason})
            self.per_request[request.id].update(finish_step=flight.step, finish_reason=reason)
        return finished

    # ---- the record of a step ----

    def _describe(self, plan: Plan, step: int, record: dict[str, Any]) -> None:
        scheduler = self._scheduler
        record["scheduled"] = _rows(plan)
        record["preempted"] = list(plan.preempted)
        record["evicted_block_ids"] = list(plan.evicted)
        record["total_tokens"] = plan.num_scheduled_tokens
        for row in record["scheduled"]:
            state = self.per_request[row["id"]]
            if state["first_scheduled_step"] is None:
                state["first_scheduled_step"] = step
                state["hit_tokens_first"] = row["hit_tokens"]
        for request_id in plan.preempted:
            self.per_request[request_id]["preemptions"] += 1
        record["running"] = [request.id for request in scheduler.running]
        record["waiting"] = [request.id for request in scheduler.waiting]
        record["free_blocks_after_schedule"] = scheduler.kv_cache.pool.num_free_blocks
        record["num_computed_tokens"] = {request.id: request.num_computed_tokens for request in scheduler.running}

    def _describe_end(self, record: dict[str, Any], *, with_stats: bool) -> None:
        """What is left after the step; the statistics only where vLLM would have reported them."""
        pool = self._scheduler.kv_cache.pool
        if with_stats:
            stats = self._scheduler.take_prefix_stats()
            record["prefix"] = {
                "requests": stats.requests,
                "queries": stats.queries,
                "hits": stats.hits,
                "preempted_requests": stats.preempted_requests,
                "preempted_queries": stats.preempted_queries,
                "preempted_hits": stats.preempted_hits,
            }
            record["kv_cache_usage"] = round(pool.usage(), 6)
        record["free_blocks"] = pool.num_free_blocks
        if pool.num_blocks <= LARGEST_LISTED_POOL:
            record["free_queue"] = pool.free_queue()
            record["cached_block_ids"] = [block_id for block_id, name in enumerate(pool.block_hash) if name is not None]


def _nothing_yet(spec: Spec) -> dict[str, Any]:
    return {
        "arrival_step": spec.arrival_step,
        "refused": None,
        "first_scheduled_step": None,
        "first_token_step": None,
        "finish_step": None,
        "finish_reason": None,
        "num_output_tokens": 0,
        "preemptions": 0,
        "hit_tokens_first": None,
    }


def _rows(plan: Plan) -> list[dict[str, Any]]:
    """The rows of a plan under the names of an outcome."""
    rows = []
    for request, kind, num_tokens, computed, samples, hit_blocks, new_blocks in plan.entries:
        row: dict[str, Any] = {
            "id": request.id,
            "kind": kind,
            "num_tokens": num_tokens,
            "num_computed_before": computed,
            "prefill_chunk": not samples,
        }
        if kind != "running":
            row["hit_tokens"] = computed
            row["hit_block_ids"] = list(hit_blocks)
        row["new_block_ids"] = list(new_blocks)
        rows.append(row)
    return rows
