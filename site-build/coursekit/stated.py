"""A figure in prose against the value that the engine gives for it."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from coursekit.evaluate import ExpressionError

ASSERTION = re.compile(r"(?P<stated>[^\s{}()|\"“”*_]*)\{=(?P<expression>.+?)=\}", re.DOTALL)
"""`112{= expression =}`: the stated figure, directly followed by the expression that must give it."""

UNCLOSED = re.compile(r"\{=(?!\})")
"""Where an expression begins, in a text without those that end."""

NEVER_CLOSED = ("an expression is never closed", "end it with `=}`")
"""What is wrong there, and the mend."""

STATED_AT_END = re.compile(r"[^\s{}()|\"“”*_]+$")
"""The figure at the end of the text before the expression."""

_NUMBER_WORDS = (
    *("zero", "one", "two", "three", "four", "five", "six"),
    *("seven", "eight", "nine", "ten", "eleven", "twelve"),
)
_NUMBER = re.compile(r"-?\d[\d,]*(\.\d+)?")


def agrees(stated: str, value: Any) -> bool:
    """Whether a figure as written states the value.

    Whole numbers are exact, with or without thousands commas, or in words up to twelve. A fraction is
    compared at the digits that are written. Anything else has to be the value's own text.
    """
    if isinstance(value, bool) or not isinstance(value, int | float):
        return stated == str(value)
    if stated.lower() in _NUMBER_WORDS:
        return value == _NUMBER_WORDS.index(stated.lower())
    written = stated.replace("\u2212", "-").removesuffix("%")
    if not _NUMBER.fullmatch(written):
        return False
    digits = written.replace(",", "")
    if isinstance(value, int):
        return "." not in digits and int(digits) == value
    places = len(digits.partition(".")[2])
    return float(digits) == round(value, places)


def shown(value: Any) -> str:
    """A value as a page shows it, where an author left it to the engine."""
    if isinstance(value, list):
        return ", ".join(map(shown, value))
    if isinstance(value, float) and not value.is_integer():
        return f"{value:.10g}"
    return str(int(value)) if isinstance(value, float) else str(value)


@dataclass(frozen=True)
class Contradiction:
    """What the engine says against a stated figure, and how to mend it."""

    what: str
    mend: str

    def __str__(self) -> str:
        return f"{self.what}; {self.mend}"


def contradiction(
    stated: str, expression: str, evaluate: Callable[[str], Any], subject: str = "the text"
) -> Contradiction | None:
    """Ask the engine about a figure. None where it agrees. `subject` is what states it, in the message."""
    shown = " ".join(expression.split())
    try:
        value = evaluate(expression)
    except ExpressionError as error:
        return Contradiction(f"{subject}: `{shown}` gives no value: {error}", "mend the expression")
    if agrees(stated, value):
        return None
    return Contradiction(
        f"{subject} says {stated or 'nothing'}, the engine says {value}", f"write {value}, or mend `{shown}`"
    )
