"""Grading itself, on a lab of a few lines: what comes back, what is caught, what is let through."""

from typing import Any

import pytest

import engine
from counting import TASK, Counter
from labs.kit.hand_in import hand_in
from labs.kit.result import Finding
from labs.kit.student import MOST_PRINTED
from labs.kit.task import NUM_RANDOM, grade
from submissions import run_cell


def finding(student: Any, seed: int = 1) -> Finding:
    found = grade(TASK, student, seed).finding
    assert found is not None
    return found


def test_a_right_class_passes_and_is_shown_what_held() -> None:
    result = grade(TASK, Counter, seed=4)
    assert result.passed
    assert result.num_workloads == NUM_RANDOM + 1
    assert (result.held, result.seed) == (("The n-th call says n.",), 4)
    assert (result.lab_version, result.engine_version) == ("dev", engine.__version__)
    assert result.picture is not None
    assert [cell.text for cell in result.picture.rows[0].cells] == ["1", "2", "3"]


def test_the_smallest_failing_workload_comes_back() -> None:
    class StopsAtFour(Counter):
        def next(self) -> int:
            return min(super().next(), 4)

    assert finding(StopsAtFour).workload == "`next()` 5 times."
    assert finding(StopsAtFour).violation.words == "Call 5 said 4."
    assert finding(StopsAtFour).hint_id == "any"


def test_a_known_mistake_gets_its_hint() -> None:
    class FromZero(Counter):
        def next(self) -> int:
            return super().next() - 1

    assert (finding(FromZero).hint_id, finding(FromZero).hint) == ("starts-at-zero", "Does it begin at 1?")


def test_an_exception_is_told_with_its_call() -> None:
    class Divides(Counter):
        def next(self) -> int:
            return super().next() // 0

    found = finding(Divides)
    assert found.violation.words == "`next()` raised `ZeroDivisionError: integer division or modulo by zero`."
    assert found.hint_id == "error"


def test_an_exception_in_the_notebook_is_told_with_its_line() -> None:
    cell = "class Counter:\n    def next(self):\n        limit = {}\n        return limit['a']\n"
    assert finding(run_cell(cell, "Counter")).violation.words == (
        "`next()` raised `KeyError: 'a'`, on your line `return limit['a']`."
    )


def test_an_exception_while_the_object_is_made_is_told() -> None:
    class CantBeMade(Counter):
        def __init__(self) -> None:
            raise ValueError("no")

    assert finding(CantBeMade).violation.words == "`Counter()` raised `ValueError: no`."


def test_an_answer_that_cant_be_read_is_shown() -> None:
    class SaysNothing(Counter):
        def next(self) -> int:
            super().next()
            return None  # type: ignore[return-value]

    assert finding(SaysNothing).violation.words == "`next()` is `None`."
    assert finding(SaysNothing).hint_id == "unreadable"


def test_a_long_answer_is_cut() -> None:
    class SaysMuch(Counter):
        def next(self) -> Any:
            return ["x"] * 1_000

    assert len(finding(SaysMuch).violation.words) < 100


def test_an_object_in_place_of_the_class_is_refused_kindly() -> None:
    found = finding(Counter())
    assert found.violation.holds == (
        "Grading takes the class itself, as in `grade.counter(Counter)`: no brackets after its name."
    )
    assert found.picture is None


def test_a_missing_method_is_named() -> None:
    found = finding(type("Counter", (), {}))
    assert (found.hint_id, found.violation.words) == ("methods", "It has no `next`.")


def test_what_the_class_prints_is_kept_for_the_smallest_workload_only(capsys: pytest.CaptureFixture[str]) -> None:
    class Talks(Counter):
        def next(self) -> int:
            print("number is", self.number)
            return min(super().next(), 1)

    assert finding(Talks).printed == "number is 0\nnumber is 1\n"
    assert grade(TASK, type("Quiet", (Counter,), {}), 1).passed
    assert capsys.readouterr().out == ""


def test_a_flood_of_prints_is_cut(capsys: pytest.CaptureFixture[str]) -> None:
    class Floods(Counter):
        def next(self) -> int:
            for _ in range(1_000):
                print("again and again")
            return 0

    assert len(finding(Floods).printed) == MOST_PRINTED
    assert capsys.readouterr().out == ""


def test_stop_goes_through() -> None:
    class Stopped(Counter):
        def next(self) -> int:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        grade(TASK, Stopped, 1)


def test_a_class_that_answers_differently_each_time_still_gets_a_report() -> None:
    calls = iter(range(100_000))

    class Moody(Counter):
        def next(self) -> int:
            return super().next() + (next(calls) % 7 == 6)

    assert finding(Moody).violation.rule == "counts"


def test_the_page_is_told_once_whether_it_passed() -> None:
    told: list[dict[str, Any]] = []
    report = hand_in(TASK, Counter, 5, find=lambda: told.append)
    assert report.result.passed
    expected = {"type": "lab-result", "lab": "counting", "task": "counter", "passed": True, "seed": 5}
    assert told == [expected | {"lab_version": "dev", "engine_version": engine.__version__}]


def test_a_failure_is_told_too() -> None:
    told: list[dict[str, Any]] = []
    hand_in(TASK, type("Counter", (), {}), 5, find=lambda: told.append)
    assert [message["passed"] for message in told] == [False]


def test_without_a_page_nothing_is_told() -> None:
    assert hand_in(TASK, Counter).result.passed
