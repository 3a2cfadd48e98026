"""The workload that a page asks for: read strictly, and held to the limits before anything is sent."""

from typing import Any, Final

import msgspec

from engine.codec import FieldError, Missing, brief, decode_object
from engine.live.bridge.limits import Limits
from engine.live.bridge.problems import Problem
from engine.readers.own import WORKLOAD_FORMAT, WORKLOAD_SCHEMA
from engine.workload.records import Arrival, Workload, WorkloadError

MOST_NAME: Final = 120
"""Characters of a name or an id: they come back in every line of a trace."""

MOST_NUMBER: Final = 2**63
"""A number that no limit bounds is bound by this: a longer one takes an age to calculate with."""

MEND: Final = "see the live link's reference for what a workload takes"
"""What every refusal of a workload says to do."""


def read_workload(body: bytes, limits: Limits) -> Workload:
    """The workload in the body of `POST /api/runs`.

    Raises `Problem`: 400 for a body that is no JSON, 422 for anything else that can't be run.
    """
    try:
        # Strictly: Python's own reader takes NaN, and halves of characters that no answer could hold.
        value = msgspec.json.decode(body)
    except (ValueError, RecursionError):
        raise Problem(400, "the body is no JSON", 'send { "workload": { … } }', "body") from None
    try:
        inner = _only(value, ("workload",))["workload"]
        fields = _only(inner, ("format", "schema", "name", "requests", "seed", "about"))
        _check_head(fields)
        arrivals = _arrivals(fields["requests"], limits)
    except FieldError as error:
        words, where = f"got {brief(error.got)}, expected {error.expected}", error.field[:MOST_NAME] or "body"
        raise Problem(422, words, MEND, where) from None
    workload = Workload(fields["name"], arrivals, fields.get("seed"), fields.get("about", "")[:1_000])
    try:
        workload.check()
    except WorkloadError as error:
        raise Problem(422, str(error)[:400], MEND, "workload") from None
    _check_sums(workload, limits)
    return workload


def _only(value: Any, names: tuple[str, ...]) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise FieldError("", value, "an object")
    for name in value:
        if name not in names:
            raise FieldError(name, value[name], f"none but {', '.join(names)}")
    if names[0] not in value:
        raise FieldError(names[0], Missing(), "a value for this field")
    return value


def _check_head(fields: dict[str, Any]) -> None:
    for name, expected in (("format", WORKLOAD_FORMAT), ("schema", WORKLOAD_SCHEMA)):
        if fields.get(name, Missing) != expected or isinstance(fields[name], bool):
            raise FieldError(f"workload.{name}", fields.get(name, Missing()), repr(expected))
    name, requests = fields.get("name", Missing()), fields.get("requests", Missing())
    if not isinstance(name, str) or not 1 <= len(name) <= MOST_NAME:
        raise FieldError("workload.name", name, f"a text of 1 to {MOST_NAME} characters")
    if not isinstance(requests, list) or not requests:
        raise FieldError("workload.requests", requests, "an array of one request or more")
    if not isinstance(fields.get("about", ""), str):
        raise FieldError("workload.about", fields["about"], "a text")
    seed = fields.get("seed")
    if seed is not None and (type(seed) is not int or abs(seed) >= MOST_NUMBER):
        raise FieldError("workload.seed", seed, "a whole number of 63 bits")


def _arrivals(values: list[Any], limits: Limits) -> tuple[Arrival, ...]:
    if len(values) > limits.max_requests:
        raise FieldError("workload.requests", f"{len(values)} requests", f"at most {limits.max_requests}")
    return tuple(_arrival(value, f"workload.requests[{place}]", limits) for place, value in enumerate(values))


def _arrival(value: Any, where: str, limits: Limits) -> Arrival:
    if not isinstance(value, dict):
        raise FieldError(where, value, "an object")
    if "num_output_tokens" in value:
        raise FieldError(f"{where}.num_output_tokens", value["num_output_tokens"], "max_tokens in its place")
    try:
        renamed = {("num_output_tokens" if name == "max_tokens" else name): item for name, item in value.items()}
        arrival: Arrival = decode_object(Arrival, renamed)
    except FieldError as error:
        field = error.field.replace("num_output_tokens", "max_tokens")
        expected = error.expected.replace("num_output_tokens", "max_tokens")
        raise FieldError(field, error.got, expected).inside(where) from None
    bounds = {
        "num_prompt_tokens": (1, limits.max_prompt_tokens),
        "max_tokens": (1, limits.max_output_tokens),
        "at": (0, limits.max_seconds * 10**9),
        "priority": (-(2**31), 2**31),
        "cancel_at": (0, MOST_NUMBER),
        "deadline": (0, MOST_NUMBER),
        "predicted_output_tokens": (0, MOST_NUMBER),
    }
    for name, (least, most) in bounds.items():
        got = getattr(arrival, "num_output_tokens" if name == "max_tokens" else name)
        if got is not None and not least <= got <= most:
            raise FieldError(f"{where}.{name}", got, f"a whole number from {least} to {most}")
    for name, text in (("id", arrival.id), ("tenant", arrival.tenant), ("cache_salt", arrival.cache_salt or "")):
        if len(text) > MOST_NAME or (name == "id" and not text) or not text.isprintable():
            raise FieldError(f"{where}.{name}", text, f"at most {MOST_NAME} printable characters")
    return arrival


def _check_sums(workload: Workload, limits: Limits) -> None:
    total = sum(arrival.num_prompt_tokens + arrival.num_output_tokens for arrival in workload)
    if total > limits.max_total_tokens:
        raise Problem(
            422,
            f"the workload has {total} tokens, and {limits.max_total_tokens} is the most here",
            "make it shorter",
            "workload.requests",
        )
