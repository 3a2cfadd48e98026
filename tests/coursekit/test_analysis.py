"""A class's results as a report: what is counted, what is refused, and what is said with care."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from coursekit.analysis.measures import correlation, measure
from coursekit.analysis.page import as_html
from coursekit.analysis.read import UnreadableResults, read_results
from coursekit.analysis.table import as_csv
from coursekit.analysis.wording import worded
from coursekit.commands.analyse import main


def one(correct: bool, answer: str = "a", **more: Any) -> dict[str, Any]:
    return {"correct": correct, "hash": "h", "answer": answer, **more}


def student(folder: Path, name: str, course: str = "other", **tries: list[dict[str, Any]]) -> Path:
    """Write a results file."""
    checks = [{"id": check, "kind": "choice", "title": check.upper(), "tries": done} for check, done in tries.items()]
    path = folder / f"{name}.json"
    data = {"format": "course-results", "version": 1, "course": course, "name": name, "about": [], "checks": checks}
    path.write_text(json.dumps(data))
    return path


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    """Four students: x tells them apart, y does the reverse, z all have right."""
    good, bad = one(True), one(False, "b", confidence="sure", seconds=30)
    late = [bad, one(False, "c"), one(True)]
    return [
        student(tmp_path, "ada", x=[good], y=[one(False, "c")], z=[good]),
        student(tmp_path, "ben", x=[good], y=[one(False, "", unknown=True)], z=[good]),
        student(tmp_path, "cleo", x=late, y=[good], z=[good]),
        student(tmp_path, "dan", x=[bad], y=[good], z=[good]),
    ]


def test_only_first_tries_are_counted(files: list[Path]) -> None:
    x, y, z = measure([read_results(path) for path in files])
    assert (x.answered, x.right, x.difficulty, x.drew) == (4, 2, 0.5, (("b", 2),))
    assert (y.unknown, y.drew) == (1, (("c", 1),))
    assert [(level.level, level.answered, level.right) for level in x.confidence][2] == ("sure", 2, 0)
    assert (x.median_seconds, x.tries_until_right, y.median_seconds) == (30, 5 / 3, None)
    assert x.discrimination == pytest.approx(-1)
    assert z.discrimination is None
    assert x.small


def test_correlation_is_that_of_the_textbook() -> None:
    assert correlation([(1, 1), (2, 3), (3, 2), (4, 4)]) == pytest.approx(0.8)
    assert correlation([(1, 1), (2, 2)]) is None
    assert correlation([(1, 1), (1, 2), (1, 3)]) is None


def test_a_large_class_isnt_called_small(tmp_path: Path) -> None:
    students = [read_results(student(tmp_path, f"s{n}", x=[one(n % 2 == 0)])) for n in range(10)]
    [x] = measure(students)
    assert not x.small
    assert "small class" not in as_html("c", students, [x]).lower()


def test_the_report_says_what_is_small_and_escapes_what_students_wrote(tmp_path: Path) -> None:
    path = student(tmp_path, "eve", x=[one(False, "<script>alert(1)</script>")], y=[one(False, "=cmd()")])
    students = [read_results(path)]
    measures = measure(students)
    page = as_html("c", students, measures)
    assert "A small class" in page
    assert "<script" not in page
    assert "&lt;script&gt;" in page
    rows = list(csv.DictReader(as_csv(measures).splitlines()))
    assert rows[1]["wrong_answers"] == "'=cmd(): 1"
    assert (rows[0]["answered"], rows[0]["difficulty"], rows[0]["small_class"]) == ("1", "0.00", "yes")


def test_options_are_told_in_words_while_the_question_is_the_same(files: list[Path]) -> None:
    measures = measure([read_results(path) for path in files])
    options = [{"value": "b", "text": "Makes a step faster"}]
    [x, *_] = worded(measures, {"x": {"hashes": ["h"], "options": options}})
    assert x.drew == (("Makes a step faster", 2),)
    [x, *_] = worded(measures, {"x": {"hashes": ["newer"], "options": options}})
    assert x.drew == (("b", 2),)
    [x, *_] = worded(measures, {"x": {"hashes": ["h"], "items": ["first", "second"]}})
    assert x.drew == (("second", 2),)


def test_the_command_writes_both_files_and_leaves_out_what_it_cant_read(
    files: list[Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "report"
    assert main([*map(str, files), "--out", str(out)]) == 0
    assert "4 students, 3 checks" in capsys.readouterr().out
    assert out.with_suffix(".html").is_file()
    assert out.with_suffix(".csv").is_file()
    broken = tmp_path / "broken.json"
    broken.write_text("{half")
    assert main([str(files[0]), str(broken), "--out", str(out)]) == 1
    assert "broken.json: is no JSON: ask for the file that the Progress page saves" in capsys.readouterr().err
    assert main([str(broken), "--out", str(out)]) == 2
    other = student(tmp_path, "fay", course="another", x=[one(True)])
    assert main([str(files[0]), str(other), "--out", str(out)]) == 2
    assert "several courses: another, other" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("[]", "holds no results"),
        ('{"format": "inside-the-batch"}', "holds no results"),
        ('{"format": "course-results", "version": 2}', "has version 2"),
        ('{"format": "course-results", "version": 1}', "is damaged: KeyError"),
        ('{"format": "course-results", "version": 1, "course": "c", "checks": [{"id": "x", "tries": [1]}]}', "damaged"),
    ],
)
def test_a_file_that_holds_no_results_says_why(tmp_path: Path, text: str, why: str) -> None:
    path = tmp_path / "a.json"
    path.write_text(text)
    with pytest.raises(UnreadableResults, match=why):
        read_results(path)
