"""One request: what it asks for, and how far it has come."""

from collections.abc import Iterable, Sequence
from typing import Literal, TypeAlias

from engine.prefix import BlockHash

Status: TypeAlias = Literal["new", "waiting", "running", "preempted", "finished"]
"""Where a request stands. `new`: not added yet. `preempted`: it waits again and lost its blocks."""

FinishReason: TypeAlias = Literal["stop", "length", "abort"]
"""`stop`: an end or stop token came. `length`: a limit was reached. `abort`: the client gave it up."""


class Request:
    """A prompt, its limits, and the state that the scheduler keeps with it.

    There is no prefill and no decode here: a request has `num_tokens` (prompt and answer so far) and
    `num_computed_tokens`, and each step closes a part of the gap. `max_tokens` left out means all that
    `max_model_len` allows.

    Raises `ValueError` for a `max_tokens` below 1.
    """

    # Slots, not a dict for each request: the scheduler reads these fields for every row of every step.
    __slots__ = (
        "_max_total_tokens",
        "_stop_token_ids",
        "arrival_time",
        "block_hashes",
        "block_table",
        "cache_salt",
        "deadline",
        "finish_reason",
        "id",
        "max_tokens",
        "num_computed_tokens",
        "num_known_tokens",
        "num_placeholders",
        "num_preemptions",
        "num_prompt_tokens",
        "num_sealed_blocks",
        "num_slots",
        "order",
        "predicted_output_tokens",
        "priority",
        "status",
        "tenant",
        "token_ids",
    )

    def __init__(
        self,
        request_id: str,
        prompt_token_ids: Sequence[int],
        max_tokens: int | None = None,
        *,
        priority: int = 0,
        cache_salt: str | None = None,
        eos_token_id: int | None = None,
        stop_token_ids: Iterable[int] = (),
        arrival_time: int = 0,
        tenant: str = "",
        deadline: int | None = None,
        predicted_output_tokens: int | None = None,
    ) -> None:
        if max_tokens is not None and max_tokens < 1:
            raise ValueError(f"request {request_id!r}: max_tokens is {max_tokens}; give 1 or more, or None")
        self.id = request_id
        self.token_ids = list(prompt_token_ids)
        """The prompt and the answer so far."""
        self.num_prompt_tokens = len(self.token_ids)
        self.max_tokens = max_tokens
        """The most tokens of the answer."""
        self.priority = priority
        """A lower number is served sooner, under the priority policy."""
        self.cache_salt = cache_salt
        """Blocks are shared only between requests of one salt."""
        self.arrival_time = arrival_time
        """When it came, in the clock's own unit: a tie between priorities goes to the earlier one."""
        self.tenant = tenant
        """Who sent it, for policies and limits that look at it."""
        self.deadline = deadline
        """By when its whole answer is wanted, for policies that look at it."""
        self.predicted_output_tokens = predicted_output_tokens
        """Somebody's guess at the length of its answer, for policies that look at it."""
        stops = set(stop_token_ids)
        if eos_token_id is not None:
            stops.add(eos_token_id)
        self._stop_token_ids = frozenset(stops)
        self._max_total_tokens = 0

        self.status: Status = "new"
        self.finish_reason: FinishReason | None = None
        self.order = 0
        """Its place in the order of arrival, given by the scheduler: the last word in every tie."""
        self.num_computed_tokens = 0
        """Tokens whose keys and values are stored, those of planned rows included."""
        self.num_known_tokens = self.num_prompt_tokens
        """Up to where its next row may compute: `num_tokens`, and asynchronously the token in flight."""
        self.num_placeholders = 0
        """Tokens in flight: planned to be sampled and not delivered yet (asynchronous mode only)."""
        self.num_preemptions = 0

        self.block_table: list[int] = []
        """The ids of its blocks, in the order of its tokens."""
        self.num_slots = 0
        """Token slots in these blocks."""
        self.block_hashes: list[BlockHash] = []
        """The hash chain of its full blocks, as far as anybody asked for it."""
        self.num_sealed_blocks = 0
        """How many blocks of its table are registered under their hash."""

    @property
    def num_tokens(self) -> int:
        """Prompt tokens and answer tokens so far."""
        return len(self.token_ids)

    @property
    def num_output_tokens(self) -> int:
        """Answer tokens so far."""
        return len(self.token_ids) - self.num_prompt_tokens

    @property
    def max_total_tokens(self) -> int:
        """At how many tokens it ends at the latest: the lower one of its own limit and the model's."""
        return self._max_total_tokens

    def enter(self, max_model_len: int, order: int) -> None:
        """Start to wait, as the `order`-th arrival at an engine whose sequences end at `max_model_len`."""
        own = max_model_len if self.max_tokens is None else self.num_prompt_tokens + self.max_tokens
        self._max_total_tokens = min(own, max_model_len)
        self.order = order
        self.status = "waiting"

    def append(self, token_id: int) -> FinishReason | None:
        """Add one token to the answer, and say why it is the last one if it is.

        Looked at in vLLM's order: end and stop tokens first, then `max_model_len` and `max_tokens`.
        """
        self.token_ids.append(token_id)
        self.num_known_tokens = len(self.token_ids)
        if token_id in self._stop_token_ids:  # rule: finished_stop
            return "stop"
        if self.num_known_tokens >= self._max_total_tokens:  # rule: finished_length
            return "length"
        return None

    def __repr__(self) -> str:
        return f"<Request {self.id!r} {self.status} {self.num_computed_tokens}/{self.num_tokens} tokens>"
