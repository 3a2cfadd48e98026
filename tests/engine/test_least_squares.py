"""Least squares: exact where it can be, never negative, and not led astray by one wild value."""

import pytest

from engine.calibrate.least_squares import never_negative, normal_equations, residuals, robust_fit, solve

ROWS = [[1.0, float(x)] for x in range(10)]


def test_a_system_is_solved_even_where_a_pivot_is_missing() -> None:
    assert solve([[0.0, 2.0], [4.0, 0.0]], [6.0, 8.0]) == [2.0, 3.0]
    with pytest.raises(ValueError, match="no solution"):
        solve([[1.0, 1.0], [1.0, 1.0]], [1.0, 2.0])


def test_a_line_is_found_exactly() -> None:
    values = [3 + 2 * x for _, x in ROWS]
    found = robust_fit(ROWS, values, ridge=0.0, tolerance=1.0)
    assert found == pytest.approx([3, 2])
    assert residuals(ROWS, values, found) == pytest.approx([0] * 10, abs=1e-9)


def test_a_coefficient_that_would_be_negative_is_0_and_the_others_make_the_best_of_it() -> None:
    matrix, right = normal_equations(ROWS, [9 - x for _, x in ROWS], [1.0] * 10)
    assert never_negative(matrix, right, [0.0, 0.0]) == pytest.approx([4.5, 0.0])


def test_a_column_that_never_says_anything_is_0() -> None:
    rows = [[1.0, 0.0]] * 3
    assert robust_fit(rows, [2.0, 2.0, 2.0], ridge=0.0, tolerance=1.0) == [2.0, 0.0]


def test_one_wild_value_moves_little() -> None:
    values = [3 + 2 * x for _, x in ROWS]
    values[4] += 1_000
    plain = robust_fit(ROWS, values, ridge=0.0, tolerance=1e9)
    robust = robust_fit(ROWS, values, ridge=0.0, tolerance=0.1)
    assert abs(plain[0] - 3) > 50
    assert robust == pytest.approx([3, 2], abs=0.6)


def test_two_that_cannot_be_told_apart_share_by_the_ridge_unless_one_is_free() -> None:
    rows = [[1.0, 1.0]] * 5
    assert robust_fit(rows, [2.0] * 5, ridge=1e-6, tolerance=1.0) == pytest.approx([1, 1], rel=1e-3)
    assert robust_fit(rows, [2.0] * 5, ridge=1e-6, tolerance=1.0, free=(0,)) == pytest.approx([2, 0], abs=1e-3)


def test_a_row_counts_as_often_as_it_was_drawn() -> None:
    found = robust_fit([[1.0], [1.0]], [1.0, 4.0], ridge=0.0, tolerance=9.0, counts=[2, 1])
    assert found == pytest.approx([2.0])
