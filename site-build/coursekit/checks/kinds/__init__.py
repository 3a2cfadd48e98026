"""The kinds of check: one file a kind, one line here, one fixture in the tests."""

from __future__ import annotations

from coursekit.checks.kinds import choice, explain, grid, multi, number, order, predict, text
from coursekit.checks.kinds.base import Answers, Bench, Kind

KINDS: dict[str, Kind] = {
    "choice": choice.KIND,
    "multi": multi.KIND,
    "number": number.KIND,
    "order": order.KIND,
    "grid": grid.KIND,
    "text": text.KIND,
    "explain": explain.KIND,
    "predict": predict.KIND,
}

__all__ = ["KINDS", "Answers", "Bench", "Kind"]
