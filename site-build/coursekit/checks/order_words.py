"""Options whose order says something, and so mustn't be shuffled."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from coursekit.checks.draft import Option

if TYPE_CHECKING:
    from coursekit.checks.kinds.base import Bench

_POINTS_AT_OTHERS = re.compile(
    r"\b(all|none|both|neither|any|each) of (the|these|those|them)\b|\bthe (above|below|others?|first two|last two)\b"
    r"|\b(options?|answers?) [A-D1-4]\b",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"^[-\u2212]?\d[\d,]*(\.\d+)?")
_ENOUGH = 3
"""Two numbers are in some order anyway."""


def require_pinned(options: tuple[Option, ...], bench: Bench) -> None:
    """Options that point at others, or climb or fall as numbers, need `shuffle: no`."""
    mend = "write `shuffle: no` in the header"
    for option in options:
        if _POINTS_AT_OTHERS.search(option.label.text()):
            bench.fault(option.spot, "an option points at others, and options are shuffled", mend)
    numbers = [found for option in options if (found := _NUMBER.match(option.label.text()))]
    values = [float(found[0].replace(",", "").replace("\u2212", "-")) for found in numbers]
    sorted_ways = (sorted(values), sorted(values, reverse=True))
    if not bench.later and len(values) == len(options) >= _ENOUGH and values in sorted_ways:
        bench.fault(options[0].spot, "the options are numbers in order, and options are shuffled", mend)
