"""Wrong answers in words: a results file names options by letters, the course knows what they say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from coursekit.analysis.measures import Measures

Facts = Mapping[str, Mapping[str, Any]]
"""What the course knows of its checks, by id (`Block.facts`)."""


def worded(measures: Sequence[Measures], facts: Facts) -> list[Measures]:
    """The measures with options in words, where the question is still the one that was answered."""
    return [_worded(one, facts.get(one.id, {})) for one in measures]


def _worded(one: Measures, facts: Mapping[str, Any]) -> Measures:
    if not set(one.hashes) <= set(facts.get("hashes", ())) or len(one.hashes) != 1:
        return one
    if "options" in facts:
        texts = {option["value"]: option["text"] for option in facts["options"]}
        return replace(one, drew=tuple((_join(answer, texts, "; "), count) for answer, count in one.drew))
    if "items" in facts:
        texts = dict(zip("abcdefghijklmnopqrstuvwxyz", facts["items"], strict=False))
        return replace(one, drew=tuple((_join(answer, texts, " → "), count) for answer, count in one.drew))
    return one


def _join(answer: str, texts: Mapping[str, str], between: str) -> str:
    letters = answer.split(",")
    return between.join(texts[letter] for letter in letters) if all(one in texts for one in letters) else answer
