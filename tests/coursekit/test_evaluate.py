"""Expressions are asked of the engine in a process that may hang or die without harm."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from coursekit.evaluate import Evaluator, ExpressionError
from coursekit.kept import KeptAnswers


@pytest.fixture(scope="module")
def engine() -> Iterator[Evaluator]:
    evaluator = Evaluator()
    yield evaluator
    evaluator.close()


def test_a_value_is_the_engines(engine: Evaluator) -> None:
    assert engine.value("sum(reserved_slots(n, 16) for n in (17, 31, 33))") == 112
    assert engine.value("engine.blocks.internal_waste(31, 16)") == 1
    assert engine.value('("a", [1, 2.5, True, None])') == ["a", [1, 2.5, True, None]]


def test_given_statements_come_first(engine: Evaluator) -> None:
    assert engine.value("run.finish_steps()['c']", ["run = continuous_batch({'c': 3}, 1)"]) == 3


def test_given_statements_leave_nothing_behind(engine: Evaluator) -> None:
    engine.value("x", ["x = 1"])
    with pytest.raises(ExpressionError, match="name 'x' is not defined"):
        engine.value("x + 0")


def test_bare_expressions_are_shown_in_order(engine: Evaluator) -> None:
    assert engine.shown("x = 2\nx + 1\nprint('unseen')\ny = x\ny") == [3, None, 2]


@pytest.mark.parametrize(
    ("expression", "message"),
    [
        ("1 +", "it isn't Python: invalid syntax"),
        ("x = 1", "it isn't Python"),
        ("1 / 0", "ZeroDivisionError: division by zero"),
        ("blocks_needed", "it gives a function"),
        ("''.join(('a', 1))", "TypeError"),
    ],
)
def test_what_gives_no_value_says_why(engine: Evaluator, expression: str, message: str) -> None:
    with pytest.raises(ExpressionError, match=message):
        engine.value(expression)


def test_the_line_of_an_error_is_that_of_the_source(engine: Evaluator) -> None:
    with pytest.raises(ExpressionError) as caught:
        engine.shown("x = 1\n\nx / 0\n")
    assert caught.value.line == 3


def test_a_hang_ends_and_the_next_question_is_answered() -> None:
    evaluator = Evaluator(time_limit_seconds=0.5)
    with pytest.raises(ExpressionError, match=r"no answer within 0\.5 seconds"):
        evaluator.value("sum(1 for _ in iter(int, 1))")
    assert evaluator.value("1 + 1") == 2
    evaluator.close()


def test_what_is_late_without_much_work_is_an_answer_unless_it_never_comes(monkeypatch: pytest.MonkeyPatch) -> None:
    """So is one on a machine that is busy with something else."""
    evaluator = Evaluator(time_limit_seconds=0.3)
    assert evaluator.value("__import__('time').sleep(1) or 2") == 2
    monkeypatch.setattr("coursekit.evaluate.PATIENCE_SECONDS", 1)
    with pytest.raises(ExpressionError, match="no answer"):
        evaluator.value("__import__('time').sleep(60)")
    evaluator.close()


def test_an_expression_that_ends_the_process_is_told(engine: Evaluator) -> None:
    with pytest.raises(ExpressionError, match="no answer"):
        engine.value("__import__('os')._exit(0)")
    assert engine.value("2 + 2") == 4


def test_what_was_answered_once_starts_no_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "answers.jsonl"
    first = Evaluator(kept=KeptAnswers(path))
    assert first.value("7 * 16") == 112
    with pytest.raises(ExpressionError, match="ZeroDivisionError"):
        first.value("1 / 0")
    first.close()
    with path.open("a", encoding="utf-8") as stream:
        stream.write('["half a li')
    monkeypatch.setattr("subprocess.Popen", None)
    second = Evaluator(kept=KeptAnswers(path))
    assert second.value("7 * 16") == 112
    with pytest.raises(ExpressionError, match="ZeroDivisionError"):
        second.value("1 / 0")


def test_a_hang_is_not_kept(tmp_path: Path) -> None:
    """A busy machine may be slow once; the next build asks again."""
    path = tmp_path / "answers.jsonl"
    evaluator = Evaluator(time_limit_seconds=0.2, kept=KeptAnswers(path))
    with pytest.raises(ExpressionError, match="no answer"):
        evaluator.value("sum(1 for _ in iter(int, 1))")
    evaluator.close()
    assert KeptAnswers(path).known == {}
