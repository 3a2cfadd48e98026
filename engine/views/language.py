"""Small pieces of English that sentences about numbers need."""

from collections.abc import Sequence


def article(noun: str) -> str:
    """`a` or `an`, as it stands before `noun`."""
    return "an" if noun[0].lower() in "aeiou" else "a"


def count(number: int, noun: str) -> str:
    """`1 step`, `2 steps`, `1,024 steps`."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def listing(items: Sequence[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    *most, last = items
    return f"{', '.join(most)} and {last}" if most else last
