"""A question runs those of a page's statements that it needs, and no others."""

import pytest

from coursekit.evaluate import Evaluator, ExpressionError
from coursekit.evaluate.needed import needed

GIVEN = ["a = 1", "def b():\n    return a", "from math import pi as c\nimport os.path", "d = [x for x in (1, 2)]"]


@pytest.mark.parametrize(
    ("source", "places"),
    [
        ("1 + 1", []),
        ("a", [0]),
        ("b()", [0, 1]),
        ("c", [2]),
        ("os.getcwd()", [2]),
        ("len(\n  d\n)", [3]),
        ("e = d\nb()", [0, 1, 3]),
        ("not python(", [0, 1, 2, 3]),
    ],
)
def test_what_a_question_needs(source: str, places: list[int]) -> None:
    assert needed(GIVEN, source) == [GIVEN[place] for place in places]


def test_a_slow_figure_costs_only_the_numbers_that_are_about_it() -> None:
    engine = Evaluator(time_limit_seconds=3)
    try:
        given = ["slow = [0]\nwhile slow: pass", "quick = 2"]
        assert engine.value("quick + 1", given) == 3
        with pytest.raises(ExpressionError, match="no answer within 3 seconds"):
            engine.value("slow", given)
    finally:
        engine.close()
