"""Words that sentences about workloads need, besides those of `engine.views.language`."""

from collections.abc import Sequence

from engine.views.language import listing

_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")


def names(requests: Sequence[str]) -> str:
    """`a`, `a and b`, each set as code; `nobody` where there is none."""
    return listing([f"`{request}`" for request in requests]) if requests else "nobody"


def ordinal(index: int) -> str:
    """The place of an index in words: 0 is `first`. Prose counts from one, code from zero."""
    return _ORDINALS[index] if index < len(_ORDINALS) else f"number {index + 1}"


def letter(index: int) -> str:
    """The name of the request with this index: `a`, `b`, …; after `z` comes `r26`."""
    return chr(ord("a") + index) if index < 26 else f"r{index}"
