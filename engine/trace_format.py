"""The schema of a trace: its header, and every kind of record.

Time. `at` is a whole number in the header's `unit`: steps done, or nanoseconds since the run began. A
step that starts at `at` and lasts `duration` hands over its tokens at `at + duration`. `step` is the
index of a step, from 0; prose counts steps done, which is one more.
"""

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple, TypeAlias

from engine.codec import Scalar

FORMAT = "inside-the-batch.trace"
"""What the first line of every trace file says, so that a file is known by its content."""

SCHEMA = 1
"""The version of this schema. A reader refuses every other."""


class Header(NamedTuple):
    """Who made a trace, of what, with which settings and in which unit of time."""

    name: str
    source: Literal["simulated", "recorded", "live"]
    unit: Literal["step", "ns"] = "step"
    settings: Mapping[str, Scalar] = {}
    """The engine's settings under vLLM's names, as far as they are known."""
    seed: int | None = None
    """The seed of whatever was drawn at random; None where nothing was."""
    about: str = ""
    """One sentence for people."""
    holds_prompts: bool = False
    """Whether requests arrive with their prompts in plain. Whoever has the trace can read them then."""


class Arrived(NamedTuple):
    """A request reached the server."""

    at: int
    id: str
    num_prompt_tokens: int
    max_tokens: int
    """The most tokens that the answer may have."""
    priority: int = 0
    """A lower number is served sooner, where the policy looks at it."""
    cache_salt: str | None = None
    """Requests share cached blocks only with requests of the same salt."""
    tenant: str = ""
    """Who sent it, where fairness between several is looked at."""
    block_names: tuple[int, ...] = ()
    """Of a recording: a number for each full block of the prompt. Equal numbers, equal tokens from the very
    start on; so prefix hits can be replayed without the text."""
    lane: str = ""
    """The replica that it reached, where several stand behind one router and that is known."""
    prompt_token_ids: tuple[int, ...] = ()
    """The prompt itself, where the header says `holds_prompts`: only a recording of a server that was asked to keep
    prompts has it."""


class Admitted(NamedTuple):
    """A request left the waiting queue for the first time."""

    at: int
    id: str
    step: int | None = None
    num_cached_tokens: int = 0
    """Prompt tokens that the prefix cache already held."""
    lane: str = ""
    """The replica that admitted it, where several stand behind one router."""


class Row(NamedTuple):
    """What one request got in one step."""

    id: str
    num_scheduled_tokens: int
    num_computed_tokens: int
    """Computed before this step, prefix hits included."""
    kind: Literal["running", "new", "resumed"] = "running"
    new_blocks: tuple[int, ...] = ()
    hit_blocks: tuple[int, ...] = ()
    """Cached blocks that the request joined, at admission or after a preemption."""


class Reason(NamedTuple):
    """Which rule of the engine decided something about a request in a step, and on what facts."""

    rule: str
    id: str
    facts: Mapping[str, Scalar] = {}


class Filled(NamedTuple):
    """A token of an answer filled a block; `block_name` is one of those that `Arrived` has."""

    id: str
    block_name: int


class Step(NamedTuple):
    """One step of the engine: one batch that went through the model."""

    step: int
    """Its index, from 0."""
    at: int
    duration: int = 1
    rows: tuple[Row, ...] = ()
    preempted: tuple[str, ...] = ()
    """Requests that lost their blocks in this step, in the order in which they lost them."""
    evicted: tuple[int, ...] = ()
    """Cached blocks that lost their content because they were handed out anew."""
    why: tuple[Reason, ...] = ()
    """Recorded only where it was asked for."""
    planned: int | None = None
    """When it was decided, where a real server decided it before the step before it had ended."""
    filled: tuple[Filled, ...] = ()
    """Of a recording: the blocks that this step's tokens filled."""
    lane: str = ""
    """The replica that took it, where several stand behind one router."""


class FirstToken(NamedTuple):
    """A request's first token was handed over."""

    at: int
    id: str
    step: int | None = None


class Tokens(NamedTuple):
    """More tokens of a request were handed over: one or several at once, none of them its first.

    For traces that know when tokens came and not in which steps, as a client's recording does. Where a trace
    has steps, their rows say it already.
    """

    at: int
    id: str
    num_tokens: int = 1


class Finished(NamedTuple):
    """A request got its whole answer."""

    at: int
    id: str
    reason: Literal["length", "stop"]
    """`length`: a limit was reached. `stop`: the model ended, or a stop token came."""
    num_output_tokens: int
    step: int | None = None


class TimedOut(NamedTuple):
    """The server gave a request up because it took too long."""

    at: int
    id: str
    num_output_tokens: int = 0
    step: int | None = None


class Rejected(NamedTuple):
    """The server refused a request; `reason` says why, and never the client's text."""

    at: int
    id: str
    reason: str


class Cancelled(NamedTuple):
    """The client gave a request up, waiting or running."""

    at: int
    id: str
    num_output_tokens: int = 0
    step: int | None = None


class Stalled(NamedTuple):
    """Nothing will ever run again, though somebody waits: none of them can get the blocks that it needs."""

    at: int
    ids: tuple[str, ...]
    """Who waits, next one first."""


Record: TypeAlias = (
    Arrived | Admitted | Step | FirstToken | Tokens | Finished | TimedOut | Rejected | Cancelled | Stalled
)
"""Anything that a line of a trace can say."""

EVENTS: dict[str, Any] = {
    "arrived": Arrived,
    "admitted": Admitted,
    "step": Step,
    "first_token": FirstToken,
    "tokens": Tokens,
    "finished": Finished,
    "timed_out": TimedOut,
    "rejected": Rejected,
    "cancelled": Cancelled,
    "stalled": Stalled,
}
"""The name that each kind of record has in a file."""
