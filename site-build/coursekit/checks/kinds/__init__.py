"""The kinds of check: one file a kind, one line here, one fixture in the tests."""

from __future__ import annotations

from coursekit.checks.kinds import choice, number
from coursekit.checks.kinds.base import Answers, Bench, Kind

KINDS: dict[str, Kind] = {
    "choice": choice.KIND,
    "number": number.KIND,
}

__all__ = ["KINDS", "Answers", "Bench", "Kind"]
