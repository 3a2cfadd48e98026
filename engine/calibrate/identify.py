"""What the data can tell about each coefficient, and which ones they can't tell apart.

Requests are drawn again with replacement and the coefficients fitted again. Two that rise and fall against one another
in every draw explain the same times: only their sum is known. Requests that share steps aren't independent, so the
spread is a lower bound of the truth.
"""

from itertools import combinations
from math import fsum, sqrt
from typing import Final, NamedTuple

from engine.calibrate.cost import COEFFICIENTS
from engine.calibrate.fit import Fit

ALIKE: Final = 0.8
"""The correlation from which on two coefficients are said not to be told apart."""


class Coefficient(NamedTuple):
    """One coefficient in seconds, and the standard deviation of the draws."""

    name: str
    seconds: float
    spread: float


def coefficients(fitted: Fit) -> list[Coefficient]:
    """All coefficients that the form has."""
    columns = list(zip(*fitted.draws, strict=True))
    return [
        Coefficient(name, value, _spread(column))
        for name, value, column in zip(COEFFICIENTS, fitted.seconds, columns, strict=True)
        if name != "experts" or fitted.form.is_mixture
    ]


def confused(fitted: Fit) -> list[tuple[str, str, float]]:
    """Pairs of coefficients that the data can't tell apart, with their correlation over the draws."""
    columns = dict(zip(COEFFICIENTS, zip(*fitted.draws, strict=True), strict=True))
    pairs = [(a, b, _correlation(columns[a], columns[b])) for a, b in combinations(COEFFICIENTS, 2)]
    return [pair for pair in pairs if abs(pair[2]) >= ALIKE]


def _deviations(values: tuple[float, ...]) -> list[float]:
    mean = fsum(values) / len(values)
    return [value - mean for value in values]


def _spread(values: tuple[float, ...]) -> float:
    return sqrt(fsum(deviation * deviation for deviation in _deviations(values)) / max(len(values) - 1, 1))


def _correlation(first: tuple[float, ...], second: tuple[float, ...]) -> float:
    ones, others = _deviations(first), _deviations(second)
    size = sqrt(fsum(one * one for one in ones) * fsum(other * other for other in others))
    return fsum(one * other for one, other in zip(ones, others, strict=True)) / size if size else 0.0
