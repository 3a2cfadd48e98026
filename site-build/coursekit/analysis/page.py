"""The measures as a page that opens anywhere: one file, no script, nothing from elsewhere."""

from __future__ import annotations

import html
from collections.abc import Sequence

from coursekit.analysis.measures import SMALL, Level, Measures, confidence
from coursekit.analysis.read import Student
from engine.views.numbers import percent

_STYLE = """
body { margin: 2rem auto; max-width: 60rem; padding: 0 1rem; font: 1rem/1.5 system-ui, sans-serif; }
table { border-collapse: collapse; margin: 1rem 0; }
th, td { border: 1px solid #8888; padding: 0.25rem 0.6rem; text-align: left; vertical-align: top; }
.scroll { overflow-x: auto; }
.small { font-weight: bold; }
:root { color-scheme: light dark; }
"""
_SURE = {"guess": "A guess", "fair": "Fairly sure", "sure": "Certain"}


def as_html(course: str, students: Sequence[Student], measures: Sequence[Measures]) -> str:
    """The report."""
    firsts = [tries[0] for student in students for tries in student.tries.values()]
    parts = [
        f"<h1>Results: {html.escape(course)}</h1>",
        f"<p>{len(students)} students, {len(measures)} checks, {len(firsts)} first tries. {_caution(students)}</p>",
        "<p>Only first tries count, except where it says otherwise: later ones were made with the feedback in view."
        " <b>Difficulty</b> is the share that was right: 1 is easy. <b>Discrimination</b> is how being right here goes"
        " with being right elsewhere, from −1 to 1: near 0, or below it, read the question again.</p>",
        "<h2>Checks</h2>",
        _table(measures),
        "<h2>Confidence against correctness, all checks</h2>",
        _confidence(confidence(firsts)),
        "<h2>What each wrong answer drew</h2>",
        *(_wrong(one) for one in measures),
    ]
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f"<title>Results: {html.escape(course)}</title><style>{_STYLE}</style></head>\n<body><main>\n"
        + "\n".join(parts)
        + "\n</main></body></html>\n"
    )


def _caution(students: Sequence[Student]) -> str:
    if len(students) >= SMALL:
        return ""
    return f'<span class="small">A small class: below {SMALL} students, one answer moves a share a lot.</span>'


def _table(measures: Sequence[Measures]) -> str:
    head = ("Check", "Kind", "Answered", "Difficulty", "Discrimination", "Don't know", "Tries until right", "Time")
    rows = [
        (
            f"{html.escape(one.title)}{_mark(one)}",
            html.escape(one.kind),
            str(one.answered),
            f"{one.difficulty:.2f}",
            _number(one.discrimination),
            str(one.unknown),
            _number(one.tries_until_right),
            "–" if one.median_seconds is None else f"{one.median_seconds:.0f} s",
        )
        for one in measures
    ]
    return _html_table(head, rows)


def _mark(one: Measures) -> str:
    mixed = f" <small>({len(one.hashes)} versions or variants)</small>" if len(one.hashes) > 1 else ""
    return mixed + (f' <small class="small">(small: {one.answered})</small>' if one.small else "")


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}".replace("-", "−")


def _confidence(levels: Sequence[Level]) -> str:
    rows = [(_SURE[one.level], str(one.answered), _right(one) if one.answered else "–") for one in levels]
    return _html_table(("How sure", "Answered", "Right"), rows)


def _right(one: Level) -> str:
    return f"{one.right} ({percent(one.right / one.answered, 0)})"


def _wrong(one: Measures) -> str:
    title = f"<h3>{html.escape(one.title)}</h3>"
    if not one.drew:
        return f"{title}<p>No wrong answer is known.</p>"
    rows = [(html.escape(answer), str(count), percent(count / one.answered, 0)) for answer, count in one.drew]
    sure = _confidence(one.confidence) if any(level.answered for level in one.confidence) else ""
    return title + _html_table(("Wrong answer", "Students", "Share"), rows) + sure


def _html_table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table whose first column names its rows. Cells are HTML."""
    top = "".join(f'<th scope="col">{name}</th>' for name in head)
    body = "".join(
        f'<tr><th scope="row">{row[0]}</th>{"".join(f"<td>{cell}</td>" for cell in row[1:])}</tr>' for row in rows
    )
    return f'<div class="scroll" tabindex="0"><table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table></div>'
