"""Small words that every lab's sentences are made of."""

from collections.abc import Sequence

_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")


def count(number: int, noun: str) -> str:
    """`1 step`, `3 steps`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def listing(names: Sequence[str]) -> str:
    """`a`, `a and b`, `a, b and c`; `nobody` where there is none."""
    if not names:
        return "nobody"
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))


def ordinal(index: int) -> str:
    """The place of an index in words: 0 is `first`. Prose counts from one, code from zero."""
    return _ORDINALS[index] if index < len(_ORDINALS) else f"number {index + 1}"


def letter(index: int) -> str:
    """The name of the request with this index: `a`, `b`, …; after `z` comes `r26`."""
    return chr(ord("a") + index) if index < 26 else f"r{index}"
