"""Values as vLLM's command line writes them: `8k` is 8,000, `8K` is 8,192, `True` and `yes` aren't the same."""

import re
from typing import Any, Final

_DECIMAL: Final = {"k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12}
_BINARY: Final = {"K": 2**10, "M": 2**20, "G": 2**30, "T": 2**40}
_HUMAN = re.compile(r"(\d{1,12}(?:\.\d{1,6})?)([kKmMgGtT])")
_WHOLE = re.compile(r"[+-]?\d{1,18}")


def whole(value: Any) -> int | None:
    """A whole number, with a suffix or without: `k` counts thousands, `K` 1,024s. None for no number."""
    if type(value) is int:
        return value
    if not isinstance(value, str):
        return None
    text = value.strip().replace("_", "")
    if _WHOLE.fullmatch(text):
        return int(text)
    found = _HUMAN.fullmatch(text)
    if found is None:
        return None
    number, suffix = found.groups()
    if suffix in _DECIMAL:
        return int(float(number) * _DECIMAL[suffix])
    return None if "." in number else int(number) * _BINARY[suffix]


def real(value: Any) -> float | None:
    """A number, or None."""
    if type(value) in (int, float):
        return float(value)
    try:
        return float(value) if isinstance(value, str) and len(value) < 40 else None
    except ValueError:
        return None


def is_true(value: Any) -> bool:
    """Whether an option that stands for a wish was given as one."""
    return value is True or (isinstance(value, str) and value.lower() in ("true", "1"))
