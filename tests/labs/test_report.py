"""What a student sees: the same in words, as HTML and as a picture, and nothing that runs."""

from functools import cache
from xml.etree import ElementTree

import pytest

from labs.kit.hand_in import SEED
from labs.kit.picture import Cell, Picture, Row, to_svg, to_text, width
from labs.kit.predict import predict
from labs.kit.report import Report, in_html, in_words
from labs.kit.result import Finding, Result, Violation
from labs.kit.task import grade
from submissions import Submission, run_cell, submissions, tasks

TASKS = {task.id: task for task in tasks("founding")}
ALL = [pytest.param(each, id=each.name) for each in submissions("founding")]


@cache
def graded(submission: Submission) -> Result:
    task = TASKS[submission.task]
    return grade(task, run_cell(submission.source, task.class_name), SEED)


TWO_STEPS = Picture(
    "Two steps",
    (
        Row("a", (Cell("1", "a"), Cell("2", "a"))),
        Row("b & c", (Cell("wait", hatched=True, marked=True), Cell("", gap=True))),
    ),
    "a is served, b & c wait.",
    ("a",),
    ("1", "2"),
)
FAILED = Result(
    lab="lab",
    task="task",
    title="A task",
    seed=3,
    num_workloads=7,
    held=(),
    finding=Finding(
        workload="`step()` & more",
        violation=Violation("rule", "It holds.", "It <didn't>."),
        hint_id="hint",
        hint="Look at `<`, and *not* at `2 * n * m`.",
        picture=TWO_STEPS,
        printed="<b>\n",
    ),
    picture=None,
    lab_version="v",
    engine_version="e",
)


def test_a_failure_in_words() -> None:
    assert (
        in_words(FAILED)
        == """\
✗ A task: not yet. This is the smallest workload that goes wrong.

Workload: `step()` & more

What has to hold: It holds.

What happened: It <didn't>.

Two steps
         1     2
a        1     2
b & c  [wait]    ·

Your code printed:
<b>

Hint: Look at `<`, and *not* at `2 * n * m`.

Lab v, engine e, seed 3."""
    )


def test_a_failure_as_html_is_escaped_and_sets_code_as_code() -> None:
    html = in_html(FAILED)
    assert "<code>step()</code> &amp; more" in html
    assert "It &lt;didn&#x27;t&gt;." in html
    assert "<pre>&lt;b&gt;</pre>" in html
    assert "<details><summary>Hint</summary><p>Look at <code>&lt;</code>, and <em>not</em> at" in html
    assert "<code>2 * n * m</code>" in html


@pytest.mark.parametrize("submission", ALL)
def test_a_report_is_well_formed_and_has_nothing_that_runs_or_asks(submission: Submission) -> None:
    html = in_html(graded(submission))
    elements = list(ElementTree.fromstring(html).iter())
    assert {element.tag.rsplit("}")[-1] for element in elements} <= ALLOWED
    attributes = {name for element in elements for name in element.attrib}
    assert not [name for name in attributes if name.startswith("on") or name in ("href", "src", "id")]


ALLOWED = set(
    "div p strong em small ul li code figure figcaption details summary svg title desc text rect path g".split()
)


@pytest.mark.parametrize("submission", ALL)
def test_the_picture_is_named_and_told_and_marks_what_went_wrong(submission: Submission) -> None:
    result = graded(submission)
    picture = result.finding.picture if result.finding else result.picture
    assert picture is not None
    svg = ElementTree.fromstring(to_svg(picture))
    assert svg.attrib["role"] == "img"
    assert [child.text for child in svg[:2]] == [picture.title, picture.words]
    marked = any(cell.marked for row in picture.rows for cell in row.cells)
    assert marked != result.passed


def test_a_marked_cell_is_outlined_and_a_hatched_one_has_lines() -> None:
    svg = to_svg(TWO_STEPS)
    assert svg.count('stroke-width="3"') == 1
    assert svg.count("<path") == 1
    assert f'width="{width(TWO_STEPS):g}"' in svg


def test_no_text_is_wider_than_its_cell() -> None:
    narrow, wide = (Picture("", (Row("", (Cell(text),)),), "", ()) for text in ("a", "a+b+c+free"))
    assert width(wide) - width(narrow) > 7 * 9 - 34


def test_a_report_shows_itself_in_a_notebook_and_in_a_terminal() -> None:
    report = Report(FAILED)
    assert report._repr_mimebundle_() == {"text/html": in_html(FAILED), "text/plain": in_words(FAILED)}
    assert repr(report) == in_words(FAILED)


def test_a_picture_in_letters_marks_with_brackets() -> None:
    assert "[wait]" in to_text(TWO_STEPS)


def test_a_guess_comes_before_the_answer() -> None:
    assert "3" not in repr(predict(None, 3, "It is 3."))
    assert repr(predict(3, 3, "So it is.")) == "✓ 3, as you said. So it is."
    assert repr(predict(5, 3, "See why.")) == "You said 5; it is 3. See why."
