"""What may stand in a check's header: each key with its meaning and the shape of its value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Key:
    """A header key: what it means, and the JSON Schema of its value, which is always a text."""

    meaning: str
    shape: Mapping[str, Any]


Keys = Mapping[str, Key]

ID_PATTERN = "[a-z][a-z0-9]*(-[a-z0-9]+)*"


def text(meaning: str, **shape: Any) -> Key:
    """A key whose value is any text, or one that meets a pattern or is one of a few."""
    return Key(meaning, {"type": "string", **shape})


def yes_or_no(meaning: str) -> Key:
    """A key whose value is yes or no."""
    return text(meaning, pattern="^([Yy]es|[Nn]o|[Tt]rue|[Ff]alse)$")


COMMON: Keys = {
    "id": text("What the student's answer is kept under. Needed.", pattern=f"^{ID_PATTERN}$"),
    "kind": text("Which kind of check this is; without it, choice."),
    "title": text("Its name in My notebook and in progress; without it, the question's first words."),
    "alias": text("The id that this check had before: answers kept under it are found.", pattern=f"^{ID_PATTERN}$"),
    "confidence": yes_or_no("Whether the student is asked how sure they are before they see what is right."),
    "draw": text("Parameters of a computed check: `n = 17 from range(5, 41); page = 16 from (8, 16)`."),
    "where": text("A condition on the parameters, as an expression."),
    "seed": text("A whole number from which the variants are drawn; without it, 1.", pattern=r"^\d+$"),
    "variants": text("How many variants there are; without it, 6.", pattern=r"^\d+$"),
}
"""The keys that every kind reads."""
