"""Numbers as people read them, each with its unit: 45.6 ms, 7.6 %, +3.1 %."""

from typing import Final

UNITS: Final = (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6), ("ns", 1e-9))
"""Units of time, and how many seconds each is."""


def seconds(value: float) -> str:
    """A time in the unit in which it reads well: 1.23 s, 45.6 ms, 7.89 µs."""
    unit, size = unit_of(value)
    return f"{short(value / size)} {unit}"


def unit_of(value: float) -> tuple[str, float]:
    """The unit in which a time in seconds reads well, and how many seconds it is."""
    return next((unit for unit in UNITS if abs(value) >= unit[1]), UNITS[-1]) if value else UNITS[0]


def short(value: float) -> str:
    """Three digits, or all that stand before the point: 0.0312, 31.2, 3,120."""
    return f"{value:,.0f}" if abs(value) >= 999.5 else f"{value:.3g}"


def percent(share: float, decimals: int = 1) -> str:
    """A share of a whole: 7.6 %."""
    return f"{100 * share:.{decimals}f} %"


def change(share: float) -> str:
    """By how much something is more or less: +3.1 %, -0.4 %, and 0.0 % where it is neither."""
    told = f"{100 * share:+.1f} %"
    return told[1:] if told[1:] == percent(0) else told
