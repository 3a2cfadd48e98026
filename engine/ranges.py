"""What a value may be, for values that files and options give by name; and what to give where one can't be."""

from collections.abc import Callable, Collection
from math import inf
from typing import Any, Final, TypeAlias

Range: TypeAlias = Callable[[Any], str]
"""What to give instead of a value; an empty text for one that may be."""


def whole(least: int, most: int | None = None) -> Range:
    """A whole number from `least` to `most`."""

    def instead(value: Any) -> str:
        # `type`, not `isinstance`: True is no whole number here.
        if type(value) is not int or value < least:
            return f"a whole number of {least:,} or more"
        return "" if most is None or value <= most else f"{most:,} or less"

    return instead


def number(least: float, most: float = inf, *, above: bool = False) -> Range:
    """A number from `least` (or only above it, with `above`) to `most`."""

    def instead(value: Any) -> str:
        if type(value) in (int, float) and (value > least if above else value >= least):
            return "" if value <= most and value != inf else f"{most:g} or less"
        return f"a number above {least:g}" if above else f"a number of {least:g} or more"

    return instead


def below(least: float, most: float) -> Range:
    """A number from `least` on that doesn't reach `most`."""
    return lambda value: (
        "" if type(value) in (int, float) and least <= value < most else f"a number from {least:g} to below {most:g}"
    )


def one_of(names: Collection[str]) -> Range:
    """One of these texts."""
    return lambda value: "" if isinstance(value, str) and value in names else " or ".join(map(repr, names))


def maybe(inner: Range) -> Range:
    """None, too."""
    return lambda value: "" if value is None or not (mend := inner(value)) else f"{mend}, or None"


def _made_of(kind: type, words: str) -> Range:
    return lambda value: "" if isinstance(value, kind) else words


FLAG: Final = _made_of(bool, "True or False")
"""True or False."""
TEXT: Final = _made_of(str, "a text")
"""Any text."""
OBJECT: Final = _made_of(dict, "an object, { … }")
"""An object of a JSON file."""
LIST: Final = _made_of(list, "an array, [ … ]")
"""An array of a JSON file."""
SECONDS: Final = number(1e-9, 1e9)
"""A time that is waited, in seconds: from a nanosecond to thirty years."""
