"""Named tuples to JSON values and back, led by their type hints.

The schema of a file is then written once, as the tuples themselves (see `engine.trace`). Two rules keep
files small and stable. A field that holds its default is left out, so a field that a later version adds
changes no byte of an older file. And nothing is guessed: an unknown key, a missing one and a value of the
wrong type are refused with the field and what was expected there.
"""

import types
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, Literal, TypeAlias, Union, get_args, get_origin, get_type_hints

JSON: TypeAlias = Any
"""A value as `json.loads` gives it."""

Decoder: TypeAlias = Callable[[JSON], Any]
"""Turns one JSON value into one Python value, or raises `FieldError`."""

Scalar: TypeAlias = int | float | bool | str | None
"""What a fact or a setting may be."""


class FieldError(ValueError):
    """One value that isn't what its field takes: `field` says where, `expected` what belongs there."""

    def __init__(self, field: str, got: JSON, expected: str) -> None:
        super().__init__(f"{field or 'value'}: got {brief(got)}, expected {expected}")
        self.field, self.got, self.expected = field, got, expected

    def inside(self, outer: str) -> "FieldError":
        """The same error, seen from the record that holds the field."""
        dot = "." if self.field and not self.field.startswith("[") else ""
        return FieldError(outer + dot + self.field, self.got, self.expected)


class Missing:
    """Stands for a value that isn't there, in the words of an error."""

    def __repr__(self) -> str:
        return "nothing"


def brief(value: JSON, limit: int = 60) -> str:
    """`value` in words short enough for an error's line."""
    text = repr(value)
    return text if len(text) <= limit else text[: limit - 1] + "…"


def encode(value: Any) -> JSON:
    """`value` as JSON: a tuple inside a record becomes an array, its defaults at the end left out."""
    if isinstance(value, Mapping):
        return dict(value)
    if not isinstance(value, tuple):
        return value
    return [encode(item) for item in value[: _worth_writing(value)]]


def _worth_writing(value: Any) -> int:
    """How many items of a tuple say more than the defaults at its end would."""
    length = len(value)
    if hasattr(value, "_fields"):
        defaults = value._field_defaults
        while length and value[length - 1] == defaults.get(value._fields[length - 1], Missing):
            length -= 1
    return length


def encode_object(record: Any) -> dict[str, JSON]:
    """The named tuple `record` as a JSON object, in the order of its fields, defaults left out."""
    defaults = record._field_defaults
    return {
        name: encode(value)
        for name, value in zip(record._fields, record, strict=True)
        if not (name in defaults and defaults[name] == value)
    }


def decode_object(kind: Any, value: Mapping[str, JSON]) -> Any:
    """The named tuple `kind` that the JSON object `value` describes.

    Raises `FieldError` for an unknown, a missing or a wrong field.
    """
    decoders = _field_decoders(kind)
    for name in value:
        if name not in decoders:
            raise FieldError(name, value[name], f"none but the fields {', '.join(decoders)}")
    for name in decoders:
        if name not in value and name not in kind._field_defaults:
            raise FieldError(name, Missing(), "a value for this field")
    return kind(**{name: _at(name, decoders[name], item) for name, item in value.items()})


def _at(field: str, decoder: Decoder, value: JSON) -> Any:
    try:
        return decoder(value)
    except FieldError as error:
        raise error.inside(field) from None


@cache
def _field_decoders(kind: Any) -> dict[str, Decoder]:
    return {name: _decoder(hint) for name, hint in get_type_hints(kind).items()}


def _decoder(hint: Any) -> Decoder:
    """The decoder for one type hint; only the hints that a schema uses are known."""
    if hint in _PLAIN:
        return _plain(*_PLAIN[hint])
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Literal:
        return _literal(arguments)
    if origin in (Union, types.UnionType):
        return _union(hint, arguments)
    if origin is tuple:
        return _many(_decoder(arguments[0]))
    if hasattr(hint, "_fields"):
        return _row(hint)
    return _facts


_PLAIN: dict[Any, tuple[tuple[type, ...], str]] = {
    int: ((int,), "a whole number"),
    str: ((str,), "a text"),
    bool: ((bool,), "true or false"),
    float: ((int, float), "a number"),
}


def _plain(accepted: tuple[type, ...], words: str) -> Decoder:
    def decode(value: JSON) -> Any:
        # `type`, not `isinstance`: True is no whole number here.
        if type(value) not in accepted:
            raise FieldError("", value, words)
        return value

    return decode


def _literal(choices: tuple[Any, ...]) -> Decoder:
    def decode(value: JSON) -> Any:
        if not isinstance(value, str) or value not in choices:
            raise FieldError("", value, "one of " + ", ".join(choices))
        return value

    return decode


def _union(hint: Any, arguments: tuple[Any, ...]) -> Decoder:
    """A hint that allows `null` beside one other type."""
    (other,) = [argument for argument in arguments if argument is not type(None)]
    inner = _decoder(other)

    def decode(value: JSON) -> Any:
        return None if value is None else inner(value)

    return decode


def _many(inner: Decoder) -> Decoder:
    def decode(value: JSON) -> tuple[Any, ...]:
        if not isinstance(value, list):
            raise FieldError("", value, "an array")
        try:
            return tuple([inner(item) for item in value])
        except FieldError:
            # Only a value that is wrong pays for finding out where.
            for index, item in enumerate(value):
                _at(f"[{index}]", inner, item)
            raise

    return decode


def _row(kind: Any) -> Decoder:
    """A named tuple inside a record, written as an array."""
    decoders = tuple(_field_decoders(kind).items())
    fewest = len(decoders) - len(kind._field_defaults)

    def decode(value: JSON) -> Any:
        if not isinstance(value, list) or not fewest <= len(value) <= len(decoders):
            raise FieldError("", value, f"an array of {fewest} to {len(decoders)}: {', '.join(kind._fields)}")
        named = zip(decoders, value, strict=False)
        return kind(*[_at(name, decoder, item) for (name, decoder), item in named])

    return decode


def _facts(value: JSON) -> dict[str, Scalar]:
    """A flat JSON object: names and scalars."""
    if not isinstance(value, dict):
        raise FieldError("", value, "an object")
    for name, item in value.items():
        if isinstance(item, (dict, list)):
            raise FieldError(name, item, "a number, a text, true, false or null")
    return value
