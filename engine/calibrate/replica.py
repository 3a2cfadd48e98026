"""One engine by counts: the scheduler's decisions without token ids, block ids or rows.

Fitting runs a recording hundreds of times, so a run must be cheap. Where no prompts are shared and requests are
served first come, first served, counts are enough: a test sees that the result equals that of
`engine.scheduler` and `engine.asynchronous`, step for step. As in the study of fast-forward, nothing of a request
changes while it decodes: what it has computed follows from the number of the step.
"""

from collections import deque
from typing import NamedTuple

from engine.blocks import blocks_needed
from engine.calibrate.free_blocks import FreeBlocks
from engine.settings import Settings


class Work(NamedTuple):
    """What is in a step: the three counts that a cost model takes."""

    num_prefill_tokens: int = 0
    num_decode_seqs: int = 0
    num_kv_tokens: int = 0


class Job:
    """A request at a replica."""

    __slots__ = (
        "admitted",
        "first_row",
        "first_token",
        "last_row",
        "num_computed",
        "num_known",
        "num_output",
        "num_prompt",
        "number",
    )

    def __init__(self, number: int, num_prompt: int, num_output: int) -> None:
        self.number = number
        self.num_prompt = num_prompt
        self.num_output = num_output
        self.num_known = num_prompt
        """Tokens to compute before it samples its next one: the prompt, or more after a preemption."""
        self.num_computed = 0
        """Tokens computed, as long as it hasn't begun to decode."""
        self.first_row = -1
        """The step of its first decoding row since its admission, or -1 before it decodes."""
        self.last_row = -1
        """The step that samples its last token, once it decodes."""
        self.admitted = -1
        """The step of its first admission."""
        self.first_token = -1
        """The step that samples its first token."""

    def computed_before(self, step: int) -> int:
        """Tokens computed by the rows of all steps before `step`."""
        if self.first_row < 0:
            return self.num_computed
        return self.num_known + min(step - 1, self.last_row) - self.first_row + 1


class Replica:
    """A scheduler with its pool. Call `plan` for each step in turn, and `commit` for each in turn.

    Asynchronously `plan(s + 1)` comes before `commit(s)`, and otherwise after it. Raises `ValueError` for settings
    under which counts aren't enough.
    """

    def __init__(self, settings: Settings, *, appends_everything: bool = False) -> None:
        if settings.policy != "fcfs" or settings.long_prefill_token_threshold:
            raise ValueError("counts are enough for policy='fcfs' without a long_prefill_token_threshold only")
        self.settings = settings
        self.waiting: deque[Job] = deque()
        self.running: dict[int, Job] = {}
        """By number, in the order of admission."""
        self.num_preemptions = 0
        self._free = FreeBlocks(settings.num_lendable_blocks, appends_everything=appends_everything)
        self._watermark = int(settings.watermark * settings.num_blocks)
        self._num_decoding = 0
        self._kv_base = 0
        """The cached tokens that decoding rows read in step s are this and s for each of them."""
        self._opening = [0] * settings.block_size
        """How many of those who decode open a block in the steps of each phase."""
        self._ends: dict[int, list[Job]] = {}
        self._stops: dict[int, list[Job]] = {}

    @property
    def is_busy(self) -> bool:
        """Whether anybody runs or waits."""
        return bool(self.running or self.waiting)

    @property
    def num_free_blocks(self) -> int:
        """Blocks that nobody holds."""
        return self._free.num_free

    # ---- planning ----

    def plan(self, step: int) -> Work:
        """Decide step `step`: who gets what, who loses what, who is admitted."""
        for job in self._stops.pop(step, ()):
            if job.last_row == step - 1:
                self._leave_decoding(job)
        preempted = self._open_blocks(step)
        decodes = self._num_decoding
        kv_tokens = self._kv_base + step * decodes
        draft = _Draft(self.settings.max_num_batched_tokens - decodes, decodes, kv_tokens)
        preempted = self._continue_chunk(step, draft) or preempted
        if not preempted:
            while draft.budget > 0 and self.waiting and len(self.running) < self.settings.num_seats:
                if not self._admit(step, draft):
                    break
        return Work(draft.prefill_tokens, draft.decodes, draft.kv_tokens)

    def _open_blocks(self, step: int) -> bool:
        """Give a block to everybody who decodes and needs one; whether anybody was preempted for it."""
        count = self._opening[step % self.settings.block_size]
        if count <= self._free.num_free:
            self._free.take(count)
            return False
        for job in list(self.running.values()):
            if job.number not in self.running:
                break
            decodes = job.first_row >= 0 and step <= job.last_row
            if decodes and job.computed_before(step) % self.settings.block_size == 0:
                while not self._free.num_free:
                    victim = self.running[next(reversed(self.running))]
                    self._preempt(victim, step)
                    if victim is job:
                        return True
                self._free.take(1)
        return True

    def _continue_chunk(self, step: int, draft: "_Draft") -> bool:
        """Go on with the prompt that is under way: only the last one admitted can be. Whether it was preempted."""
        job = self.running[next(reversed(self.running))] if self.running else None
        if job is None or job.first_row >= 0:
            return False
        chunk = min(job.num_known - job.num_computed, draft.budget)
        if chunk <= 0:
            return False
        held = blocks_needed(job.num_computed, self.settings.block_size)
        count = blocks_needed(job.num_computed + chunk, self.settings.block_size) - held
        if count > self._free.num_free:
            self._preempt(job, step)
            return True
        self._free.take(count)
        self._compute(job, chunk, step, draft)
        return False

    def _admit(self, step: int, draft: "_Draft") -> bool:
        """Admit the head of the queue, if it fits."""
        job, size = self.waiting[0], self.settings.block_size
        hits = min(self._free.num_hits(job.number), (job.num_known - 1) // size)
        gap = job.num_known - hits * size
        if gap > draft.budget and not self.settings.enable_chunked_prefill:
            return False
        chunk = min(gap, draft.budget)
        end = hits * size + chunk
        whole = job.num_known if self.settings.scheduler_reserve_full_isl else end
        watermark = self._watermark if self.running else 0
        if blocks_needed(whole, size) + watermark > self._free.num_free:
            return False
        self._free.rejoin(job.number, hits)
        self._free.take(blocks_needed(end, size) - hits)
        self.waiting.popleft()
        self.running[job.number] = job
        job.num_computed = hits * size
        if job.admitted < 0:
            job.admitted = step
        self._compute(job, chunk, step, draft)
        return True

    def _compute(self, job: Job, chunk: int, step: int, draft: "_Draft") -> None:
        """Give a job a row of `chunk` tokens, and let it decode from the next step on if that completes it."""
        is_decode = chunk == 1 and job.num_computed >= job.num_prompt and job.num_computed + 1 == job.num_known
        draft.add(chunk, job.num_computed, is_decode=is_decode)
        job.num_computed += chunk
        if job.num_computed == job.num_known:
            self._begin_to_decode(job, step)

    def _begin_to_decode(self, job: Job, step: int) -> None:
        if job.first_token < 0:
            job.first_token = step
        num_before = job.num_known - job.num_prompt
        job.first_row, job.last_row = step + 1, step + job.num_output - num_before - 1
        self._ends.setdefault(job.last_row, []).append(job)
        if job.last_row > step:
            self._stops.setdefault(job.last_row + 1, []).append(job)
            self._num_decoding += 1
            self._kv_base += job.num_known - job.first_row
            self._opening[(job.first_row - job.num_known) % self.settings.block_size] += 1

    def _leave_decoding(self, job: Job) -> None:
        self._num_decoding -= 1
        self._kv_base -= job.num_known - job.first_row
        self._opening[(job.first_row - job.num_known) % self.settings.block_size] -= 1

    def _preempt(self, job: Job, step: int) -> None:
        """Free its blocks and let it wait at the head; the token in flight is still delivered."""
        self.num_preemptions += 1
        computed = job.computed_before(step)
        # Asynchronously a token is hashed when it is delivered, and the last one is in flight.
        in_flight = self.settings.async_scheduling and job.first_row >= 0 and computed > job.num_known
        self._release(job, computed, computed - in_flight)
        del self.running[job.number]
        if job.first_row >= 0 and job.last_row >= step:
            self._leave_decoding(job)
            job.num_known = computed + 1
            job.last_row = -1
        job.first_row = -1
        job.num_computed = 0
        self.waiting.appendleft(job)

    def _release(self, job: Job, num_computed: int, num_hashed: int) -> None:
        size = self.settings.block_size
        num_sealed = num_hashed // size if self.settings.enable_prefix_caching else 0
        self._free.release(job.number, blocks_needed(num_computed, size), num_sealed)

    # ---- committing ----

    def commit(self, step: int) -> list[Job]:
        """Let the tokens of step `step` arrive. Returns who got its last one."""
        ended = [job for job in self._ends.pop(step, ()) if job.last_row == step]
        for job in ended:
            if job.number in self.running:
                del self.running[job.number]
                computed = job.computed_before(step + 1)
                self._release(job, computed, computed)
            else:
                self.waiting.remove(job)
        return ended


class _Draft:
    """A step in the making: what is left of its budget, and what is in it."""

    __slots__ = ("budget", "decodes", "kv_tokens", "prefill_tokens")

    def __init__(self, budget: int, decodes: int, kv_tokens: int) -> None:
        self.budget = budget
        self.decodes = decodes
        self.kv_tokens = kv_tokens
        self.prefill_tokens = 0

    def add(self, num_tokens: int, num_computed: int, *, is_decode: bool) -> None:
        """One more row of a prompt."""
        self.budget -= num_tokens
        self.kv_tokens += num_computed
        if is_decode:
            self.decodes += 1
        else:
            self.prefill_tokens += num_tokens
