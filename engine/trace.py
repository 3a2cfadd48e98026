"""The trace: one record of what a serving engine did, whoever made it and whoever draws it.

A trace is a header and a list of small records in the order of their time. The simulator, a recording of
a real server and a live one all make traces, and every view reads one. This file is the schema.

On disk a trace is JSON Lines, `NAME.trace.jsonl`: the header on the first line, one record a line after
it. A field that holds its default is left out (`engine.codec`), so the same trace has the same bytes.

Time. `at` is a whole number in the header's `unit`: steps done, or nanoseconds since the run began. A
step that starts at `at` and lasts `duration` hands over its tokens at `at + duration`. `step` is the
index of a step, from 0; prose counts steps done, which is one more.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, TypeAlias, TypeVar

from engine.codec import FieldError, Missing, Scalar, decode_object, encode_object

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

_R = TypeVar("_R", Arrived, Admitted, Step, FirstToken, Tokens, Finished, TimedOut, Rejected, Cancelled, Stalled)

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

_NAMES = {kind: name for name, kind in EVENTS.items()}
_ENDS = (Finished, TimedOut, Rejected, Cancelled)


class TraceError(ValueError):
    """A trace that can't be read: the file, the line, the field and what was expected there."""


@dataclass(frozen=True)
class Trace:
    """What an engine did: a `Header` and records in the order of their time."""

    header: Header
    records: tuple[Record, ...]

    def of(self, kind: type[_R]) -> Iterator[_R]:
        """The records of one kind, in order: `trace.of(Step)`."""
        return (record for record in self.records if isinstance(record, kind))

    def steps(self) -> tuple[Step, ...]:
        """The steps, in order."""
        return tuple(self.of(Step))

    def requests(self) -> dict[str, Arrived]:
        """Every request by its id, in the order of arrival."""
        return {record.id: record for record in self.of(Arrived)}

    def finish_steps(self) -> dict[str, int]:
        """How many steps were done when each request finished, in the order of arrival.

        Only finished requests are in it, and only those whose trace knows steps.
        """
        done = {record.id: record.step + 1 for record in self.of(Finished) if record.step is not None}
        return {name: done[name] for name in self.requests() if name in done}

    def to_jsonl(self) -> str:
        """The trace as JSON Lines; `from_jsonl` gives it back, and this again the same bytes."""
        head = header_object(self.header)
        lines = [head, *map(record_object, self.records)]
        return "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines)

    @classmethod
    def from_jsonl(cls, text: str, file: str = "trace") -> "Trace":
        """The trace that `text` holds; `file` is its name in errors.

        Raises `TraceError` for anything that isn't a trace of this schema: the line, the field, what
        was expected.
        """
        lines = text.removesuffix("\n").split("\n")
        header = _reading(file, 1, _read_header, lines[0])
        records = [_reading(file, number, _read_record, line) for number, line in enumerate(lines[1:], 2)]
        trace = cls(header, tuple(records))
        for index, problem in problems_of(trace.records):
            raise TraceError(f"{file}:{index + 2}: {problem}")
        return trace

    def check(self) -> None:
        """Raise `TraceError` unless the records tell a story that can have happened.

        Time doesn't run backwards, step indices count up, no request does anything before it arrived,
        arrives twice, or does anything after it ended.
        """
        for index, problem in problems_of(self.records):
            raise TraceError(f"record {index}: {problem}")

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, Any]:
        # What a notebook shows. Imported here and nowhere else in this file, because views read traces and
        # a trace needs no view to exist; the contract in pyproject.toml names this one exception.
        from engine.views import notebook_bundle

        return notebook_bundle(self)


def header_object(header: Header) -> dict[str, Any]:
    """What the first line of a trace says."""
    return {"format": FORMAT, "schema": SCHEMA, **encode_object(header)}


def record_object(record: Record) -> dict[str, Any]:
    """What the line of a record says."""
    return {"event": _NAMES[type(record)], **encode_object(record)}


def _reading(file: str, number: int, read: Any, line: str) -> Any:
    try:
        return read(_object(line))
    except FieldError as error:
        raise TraceError(f"{file}:{number}: {error}") from None


def _object(line: str) -> dict[str, Any]:
    try:
        value = json.loads(line, parse_constant=_no_constant)
    except (ValueError, RecursionError):
        raise FieldError("", line, "a JSON object on one line") from None
    if not isinstance(value, dict):
        raise FieldError("", value, "a JSON object on one line")
    return value


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON")


def _read_header(value: dict[str, Any]) -> Any:
    mark = value.pop("format", Missing())
    if mark != FORMAT:
        raise FieldError("format", mark, f"{FORMAT!r}, which the first line of a trace says")
    schema = value.pop("schema", Missing())
    if type(schema) is not int or schema != SCHEMA:
        raise FieldError("schema", schema, f"{SCHEMA}, the version that this engine reads")
    return decode_object(Header, value)


def _read_record(value: dict[str, Any]) -> Any:
    event = value.pop("event", Missing())
    if not isinstance(event, str) or event not in EVENTS:
        raise FieldError("event", event, "one of " + ", ".join(EVENTS))
    return decode_object(EVENTS[event], value)


def problems_of(records: Iterable[Record]) -> Iterator[tuple[int, str]]:
    """Where the story of these records breaks: the index of the record, and what is wrong with it."""
    now = 0
    next_step: dict[str, int] = {}
    alive: dict[str, bool] = {}
    for index, record in enumerate(records):
        if record.at < now:
            yield index, f"at: got {record.at}, expected {now} or later: time doesn't run backwards"
        now = record.at
        if isinstance(record, Step):
            expected = next_step.get(record.lane, 0)
            if record.step < expected:
                yield index, f"step: got {record.step}, expected {expected} or later: steps count up"
            next_step[record.lane] = record.step + 1
        if isinstance(record, Arrived):
            if record.id in alive:
                yield index, f"id: got {record.id!r}, which arrived before; expected an id of its own"
            alive[record.id] = True
        for name in _named(record):
            if not alive.get(name):
                yield index, _stranger(name, alive)
        if isinstance(record, _ENDS):
            alive[record.id] = False


def _named(record: Record) -> tuple[str, ...]:
    """The requests that a record speaks of."""
    if isinstance(record, Step):
        return *(row.id for row in record.rows), *record.preempted
    return record.ids if isinstance(record, Stalled) else (record.id,)


def _stranger(name: str, alive: Mapping[str, bool]) -> str:
    past = "has ended" if name in alive else "never arrived"
    return f"id: got {name!r}, which {past}; expected a request that is here"
