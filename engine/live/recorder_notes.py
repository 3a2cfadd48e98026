"""What the recorder writes down at each call of vLLM's scheduler. It reads vLLM's objects and changes none.

Nothing of vLLM is imported here: `engine.live.recorder` puts these notes into its scheduler.
"""

import time
from collections import deque
from collections.abc import Callable, Iterable
from typing import Any

from engine.live.recorder_link import RecorderLink
from engine.live.recorder_wire import OWN_ID

ENDS = {"STOP": "stop", "LENGTH": "length"}
"""vLLM's finish reasons that are ends of an answer. All others are failures."""

OWN_NAME = f"cmpl-{OWN_ID}"
"""How vLLM's name for a bridge's request begins."""


class Notes:
    """Notes of one scheduler. `spent` is the time that they took since the last step was done, in nanoseconds.

    With `keeps_prompts`, the prompts of a bridge's own requests are told in plain.
    """

    def __init__(
        self,
        link: RecorderLink,
        block_size: int,
        clock: Callable[[], int] = time.monotonic_ns,
        *,
        keeps_prompts: bool = False,
    ) -> None:
        self._link, self._block_size, self._clock = link, block_size, clock
        self._keeps_prompts = keeps_prompts
        self._last = 0
        self._number = 0
        self._out: deque[tuple[int, Any]] = deque()
        self._told: dict[str, int] = {}
        self.preempted: list[str] = []
        self.evicted: list[int] = []
        self.spent = 0

    def now(self) -> int:
        """The time, later than any told before: so that times are an order, too."""
        self._last = max(self._clock(), self._last + 1)
        return self._last

    def added(self, request: Any, scheduler: Any) -> None:
        """A request reached the scheduler."""
        at = self._begin()
        if self._link.is_on:
            if self._link.state_wanted:
                self._tell_state(at, scheduler, leaving_out=request.request_id)
                at = self.now()
            # Only a reference is queued: it costs the same, however long the prompt is.
            if self._keeps_prompts and request.request_id.startswith(OWN_NAME) and request.prompt_token_ids:
                self._link.tell(("prompt", request.request_id, request.prompt_token_ids))
            self._link.tell(("add", at, *self._who(request)))
        self._end(at)

    def left(self, requests: Iterable[Any]) -> None:
        """Requests were given up."""
        at = self._begin()
        gone = tuple((request.request_id, request.num_output_tokens) for request in requests)
        for name, _ in gone:
            self._told.pop(name, None)
        if gone and self._link.is_on:
            self._link.tell(("leave", at, gone))
        self._end(at)

    def before_plan(self, scheduler: Any) -> int:
        """A step is about to be decided. Returns when."""
        at = self._begin()
        if self._link.is_on and self._link.state_wanted:
            self._tell_state(at, scheduler)
        self.spent += self._clock() - at
        return self.now()

    def planned(self, at: int, output: Any, requests: Any) -> None:
        """A step was decided, at the time that `before_plan` gave."""
        began = self._clock()
        self._number += 1
        self._out.append((self._number, output))
        if self._link.is_on:
            rows = self._rows(output, requests)
            self._link.tell(("plan", at, self._number, rows, tuple(self.preempted), tuple(self.evicted)))
        # Not before a plan: a reset of the prefix cache preempts between two of them, and that is told, too.
        self.preempted.clear()
        self.evicted.clear()
        self._end(began)

    def done(self, output: Any, results: Any, requests: Any) -> None:
        """A step's tokens were taken in; `results` are what goes to the clients."""
        at = self._begin()
        number = self._number_of(output)
        rows = []
        if self._link.is_on:
            rows = [self._token(one, requests) for batch in results.values() for one in batch.outputs]
        spent = self.spent + self._clock() - at
        self.spent = 0
        if self._link.is_on:
            self._link.tell(("done", at, number, rows, spent))
        self._link.since = 0

    def _begin(self) -> int:
        self._link.since = self._clock()
        return self.now()

    def _end(self, began: int) -> None:
        self.spent += self._clock() - began
        self._link.since = 0

    def _number_of(self, output: Any) -> int:
        """Steps are done in the order of their plans; one that is never done is passed over."""
        while self._out:
            number, other = self._out.popleft()
            if other is output:
                return number
        return 0

    def _rows(self, output: Any, requests: Any) -> list[tuple[Any, ...]]:
        new = {one.req_id: one for one in output.scheduled_new_reqs}
        cached = output.scheduled_cached_reqs
        place = {name: index for index, name in enumerate(cached.req_ids)}
        rows: list[tuple[Any, ...]] = []
        for name, count in output.num_scheduled_tokens.items():
            if name in new:
                computed, blocks = new[name].num_computed_tokens, new[name].block_ids[0]
                # The newer model runner is told of a resumed request as of a new one.
                kind = 2 if requests[name].num_preemptions else 1
            else:
                index = place[name]
                computed, given = cached.num_computed_tokens[index], cached.new_block_ids[index]
                blocks = given[0] if given else ()
                kind = 2 if name in cached.resumed_req_ids else 0
            hits = computed // self._block_size if kind else 0
            rows.append((name, count, computed, kind, tuple(blocks[hits:]), tuple(blocks[:hits])))
        return rows

    def _token(self, result: Any, requests: Any) -> tuple[Any, ...]:
        name, reason, names = result.request_id, result.finish_reason, ()
        if reason is not None:
            self._told.pop(name, None)
            # What the last token fills is never computed, so its name is of no use to anybody.
            return name, len(result.new_token_ids), ENDS.get(reason.name, reason.name.lower()), names
        hashes = requests[name].block_hashes if name in requests else ()
        told = self._told.get(name, len(hashes))
        if len(hashes) > told:
            names = tuple(hashes[told:])
        self._told[name] = len(hashes)
        return name, len(result.new_token_ids), None, names

    def _who(self, request: Any) -> tuple[Any, ...]:
        hashes = tuple(request.block_hashes)
        self._told[request.request_id] = len(hashes)
        return request.request_id, request.num_prompt_tokens, request.max_tokens, request.priority, hashes

    def _tell_state(self, at: int, scheduler: Any, leaving_out: str = "") -> None:
        self._link.state_wanted = False
        here = [request for name, request in scheduler.requests.items() if name != leaving_out]
        self._told.clear()
        self._link.tell(("state", at, self._number == 0, [self._who(request) for request in here]))
