"""The measures as a table for a spreadsheet: CSV, one row a check."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence

from coursekit.analysis.measures import LEVELS, Measures

COLUMNS = (
    *("id", "title", "kind", "answered", "right_first", "unknown", "difficulty", "discrimination"),
    *("wrong_answers", *(f"{level}_{part}" for level in LEVELS for part in ("answered", "right"))),
    *("median_seconds", "tries_until_right", "versions", "small_class"),
)


def as_csv(measures: Sequence[Measures]) -> str:
    """The table. Texts that a spreadsheet would run as a formula are quoted for it."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for one in measures:
        levels = [count for level in one.confidence for count in (level.answered, level.right)]
        drew = "; ".join(f"{answer}: {count}" for answer, count in one.drew)
        writer.writerow(
            [
                *map(_harmless, (one.id, one.title, one.kind)),
                *(one.answered, one.right, one.unknown, f"{one.difficulty:.2f}", _rounded(one.discrimination)),
                *(_harmless(drew), *levels),
                *(_rounded(one.median_seconds), _rounded(one.tries_until_right), len(one.hashes)),
                "yes" if one.small else "no",
            ]
        )
    return out.getvalue()


def _rounded(value: float | None) -> str:
    return "" if value is None else f"{value:.2f}"


def _harmless(text: str) -> str:
    return f"'{text}" if text.startswith(("=", "+", "-", "@", "\t")) else text
