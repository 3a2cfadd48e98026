"""Which of the compressed copies beside a file a browser may be sent."""

import re
from collections.abc import Container
from typing import Final

ENCODINGS: Final = {"br": ".br", "gzip": ".gz"}
"""In order of preference, each with its copy's suffix: brotli is smaller wherever a browser takes it."""


def choose_encoding(accepted: str, present: Container[str]) -> str | None:
    """The best encoding that is both at hand and accepted; one with weight nought is refused."""
    weights: dict[str, float] = {}
    for part in accepted.lower().split(","):
        name, _, parameter = part.strip().partition(";")
        weight = re.fullmatch(r"\s*q=([01](?:\.[0-9]*)?)\s*", parameter or "q=1")
        weights[name.strip()] = float(weight[1]) if weight else 0.0
    return next((name for name in ENCODINGS if name in present and weights.get(name, 0) > 0), None)
