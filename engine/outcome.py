"""Outcomes: what an engine did with a workload, step by step, in the shape that replays compare."""

import json
from collections.abc import Iterable, Mapping
from hashlib import sha256
from typing import Any, Final

from engine.codec import Missing, brief

LISTED: Final = ("requests", "steps")
"""The parts of an outcome that get a line for each entry."""

NOT_COMPARED: Final = ("engine", "seconds")
"""What may differ between two outcomes of one workload: who made it, and in what time."""


def dumps(outcome: Mapping[str, Any]) -> str:
    """`outcome` as JSON with one step and one request a line: easy to read and to compare."""
    head = "".join(f"{json.dumps(key)}: {json.dumps(value)},\n" for key, value in outcome.items() if key not in LISTED)
    requests = ",\n".join(f"  {json.dumps(key)}: {json.dumps(value)}" for key, value in outcome["requests"].items())
    steps = ",\n".join("  " + json.dumps(step) for step in outcome["steps"])
    return f'{{\n{head}"requests": {{\n{requests}\n}},\n"steps": [\n{steps}\n]\n}}\n'


def digest(outcomes: Iterable[Mapping[str, Any]]) -> str:
    """One SHA-256 over the bytes of several outcomes: equal wherever an engine made the same decisions."""
    total = sha256()
    for outcome in outcomes:
        total.update(dumps(outcome).encode("ascii"))
    return total.hexdigest()


class NotAnOutcome(ValueError):
    """A value that isn't an outcome; the message says where and what was expected."""


def check_shape(value: Any) -> None:
    """Raise `NotAnOutcome` unless `value` has the parts that a comparison looks at."""
    if not isinstance(value, dict):
        raise NotAnOutcome(f"got {brief(value)}, expected an object with steps and requests")
    for key, kind, words in (("steps", list, "an array of steps"), ("requests", dict, "an object")):
        if not isinstance(value.get(key), kind):
            raise NotAnOutcome(f"{key}: got {brief(value.get(key, Missing()))}, expected {words}")
    for index, step in enumerate(value["steps"]):
        if not isinstance(step, dict) or not isinstance(step.get("step"), int):
            raise NotAnOutcome(f"steps[{index}]: got {brief(step)}, expected an object with its step")
        rows = step.get("scheduled", [])
        if not isinstance(rows, list) or not all(isinstance(row, dict) and "id" in row for row in rows):
            raise NotAnOutcome(f"steps[{index}].scheduled: got {brief(rows)}, expected rows with ids")


def first_difference(a: Mapping[str, Any], b: Mapping[str, Any]) -> str | None:
    """Where two outcomes part first, in words, or None if they are the same.

    The settings are looked at first, then step by step, then the rest: a later difference is most often
    only what followed from the first one.
    """
    return (
        _differing("", {"config": a.get("config")}, {"config": b.get("config")})
        or _differing_steps(a["steps"], b["steps"])
        or _differing("", _rest(a), _rest(b))
    )


def _rest(outcome: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in outcome.items() if key not in (*NOT_COMPARED, "steps")}


def _differing_steps(a: list[dict[str, Any]], b: list[dict[str, Any]]) -> str | None:
    for index, (ours, theirs) in enumerate(zip(a, b, strict=False)):
        if ours != theirs:
            where = f"step {ours['step']}"
            if ours["step"] != theirs["step"]:
                return f"record {index} is of {where} in A and of step {theirs['step']} in B"
            return _differing_rows(where, ours, theirs) or _differing(where, ours, theirs)
    if len(a) != len(b):
        longer, rest, shorter = ("A", a, "B") if len(a) > len(b) else ("B", b, "A")
        return f"{longer} goes on with step {rest[min(len(a), len(b))]['step']}, where {shorter} has ended"
    return None


def _differing_rows(where: str, a: Mapping[str, Any], b: Mapping[str, Any]) -> str | None:
    """The first row that differs, if the step arrived at its rows in the same way."""
    before = ("arrived", "refused", "aborted")
    if any(a.get(key) != b.get(key) for key in before):
        return None
    ours, theirs = a.get("scheduled", []), b.get("scheduled", [])
    for place, (mine, other) in enumerate(zip(ours, theirs, strict=False)):
        if mine["id"] != other["id"]:
            return f"{where}: row {place} is of {mine['id']!r} in A and of {other['id']!r} in B"
        if mine != other:
            return _differing(f"{where}: the row of {mine['id']!r}", mine, other)
    if len(ours) != len(theirs):
        longer, row = ("A", ours[len(theirs)]) if len(ours) > len(theirs) else ("B", theirs[len(ours)])
        return f"{where}: only {longer} has a row of {row['id']!r}"
    return None


def _differing(where: str, a: Mapping[str, Any], b: Mapping[str, Any]) -> str | None:
    """The first key whose values differ, down to the value itself."""
    for key in (*a, *(key for key in b if key not in a)):
        ours, theirs = a.get(key, Missing()), b.get(key, Missing())
        if type(ours) is type(theirs) and ours == theirs:
            continue
        place = f"{where}: {key}" if where else key
        if isinstance(ours, dict) and isinstance(theirs, dict):
            # Equal values in another order are a difference of bytes, not of decisions.
            inner = _differing(place, ours, theirs)
            if inner:
                return inner
            continue
        if isinstance(ours, Missing) or isinstance(theirs, Missing):
            here, value = ("A", ours) if isinstance(theirs, Missing) else ("B", theirs)
            return f"{place} is {brief(value)} in {here} and isn't there in the other"
        return f"{place} is {brief(ours)} in A and {brief(theirs)} in B"
    return None
