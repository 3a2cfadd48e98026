"""Least squares for a handful of coefficients: never negative, robust, and gently held where data are silent.

Plain arithmetic in a fixed order, so that every machine finds the same bits.
"""

from collections.abc import Sequence
from math import fsum
from typing import Final, TypeAlias

Matrix: TypeAlias = list[list[float]]
"""Rows of a matrix."""

ROUNDS: Final = 6
"""Rounds of reweighting: the weights hardly move after that."""


def solve(matrix: Sequence[Sequence[float]], right: Sequence[float]) -> list[float]:
    """The solution of a system of linear equations, by elimination with pivots.

    Raises `ValueError` for equations that don't have exactly one.
    """
    size = len(right)
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    for place in range(size):
        pivot = max(range(place, size), key=lambda index: abs(rows[index][place]))
        if not rows[pivot][place]:
            raise ValueError("the equations have no solution, or many")
        rows[place], rows[pivot] = rows[pivot], rows[place]
        for below in rows[place + 1 :]:
            factor = below[place] / rows[place][place]
            for column in range(place, size + 1):
                below[column] -= factor * rows[place][column]
    solution = [0.0] * size
    for place in reversed(range(size)):
        known = fsum(rows[place][column] * solution[column] for column in range(place + 1, size))
        solution[place] = (rows[place][size] - known) / rows[place][place]
    return solution


def normal_equations(
    rows: Sequence[Sequence[float]], values: Sequence[float], weights: Sequence[float]
) -> tuple[Matrix, list[float]]:
    """The matrix and the right side of the weighted normal equations."""
    size = len(rows[0])
    weighted = [[weight * item for item in row] for row, weight in zip(rows, weights, strict=True)]
    columns, others = list(zip(*rows, strict=True)), list(zip(*weighted, strict=True))
    matrix = [[fsum(map(_times, columns[first], others[second])) for second in range(size)] for first in range(size)]
    return matrix, [fsum(map(_times, column, values)) for column in others]


def _times(first: float, second: float) -> float:
    return first * second


def never_negative(matrix: Sequence[Sequence[float]], right: Sequence[float], ridge: Sequence[float]) -> list[float]:
    """The least squares solution without negative coefficients.

    The most negative one is set to 0 and the others are solved again, until none is left. (An active-set method
    that never takes a coefficient back in: with a handful of them and a ridge that was enough.) `ridge` is added to
    the diagonal; a coefficient whose equation is empty is 0.
    """
    active = [place for place in range(len(right)) if matrix[place][place] > 0]
    while active:
        part = [[matrix[a][b] + (ridge[a] if a == b else 0.0) for b in active] for a in active]
        solution = solve(part, [right[a] for a in active])
        if min(solution) >= 0:
            break
        del active[solution.index(min(solution))]
    found = [0.0] * len(right)
    for place, value in zip(active, solution if active else (), strict=True):
        found[place] = value
    return found


def robust_fit(
    rows: Sequence[Sequence[float]],
    values: Sequence[float],
    *,
    ridge: float,
    free: Sequence[int] = (),
    tolerance: float,
    counts: Sequence[int] | None = None,
) -> list[float]:
    """Coefficients, never negative, by which `rows` give `values`; what is further off than `tolerance` counts less.

    Huber's weights. `ridge` holds every coefficient towards 0 in proportion to what it contributes on average, so
    that two which the data can't tell apart share what they explain; those in `free` aren't held. `counts` says how
    often each row counts: a bootstrap's draw.
    """
    often = [1.0] * len(rows) if counts is None else [float(count) for count in counts]
    total = fsum(often)
    scale = [fsum(map(_times, often, map(abs, column))) / total for column in zip(*rows, strict=True)]
    held = [0.0 if place in free else ridge * total * size * size for place, size in enumerate(scale)]
    weights = often
    found: list[float] = []
    for _ in range(ROUNDS):
        matrix, right = normal_equations(rows, values, weights)
        found = never_negative(matrix, right, held)
        errors = residuals(rows, values, found)
        weights = [count / max(1.0, abs(error) / tolerance) for count, error in zip(often, errors, strict=True)]
    return found


def residuals(rows: Sequence[Sequence[float]], values: Sequence[float], coefficients: Sequence[float]) -> list[float]:
    """By how much each row misses its value."""
    return [fsum(map(_times, row, coefficients)) - value for row, value in zip(rows, values, strict=True)]
