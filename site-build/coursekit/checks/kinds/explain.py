"""Explain in your own words: the student writes, then compares with a model answer, point by point.

## Model answer
Pages are lent to one request at a time …

## Rubric
- says that each request rounds up alone
- gives the number of pages
"""

from __future__ import annotations

import html
from string import ascii_lowercase

from coursekit.checks.draft import Draft
from coursekit.checks.kinds.base import Answers, Bench, Kind
from coursekit.checks.prose import list_items
from coursekit.problems import Spot

MODEL, RUBRIC = "model answer", "rubric"


def compile_explain(draft: Draft, bench: Bench) -> Answers:
    """A field, a model answer, and the points that the student ticks. Faults: either of them missing."""
    model = draft.section(MODEL)
    points = [point for part in draft.section(RUBRIC) for point in list_items(part)]
    if not model:
        bench.fault(Spot(1), "there is no model answer", "add a heading Model answer and a text below it")
    if not points:
        bench.fault(Spot(1), "there is no rubric", "add a heading Rubric and a list: the points of a good answer")
    for option in draft.options:
        bench.fault(option.spot, "an explanation has no options", "list the points under a heading Rubric")
    name = html.escape(bench.id)
    shown = "".join(part.html(bench.resolve) for part in model)
    ticks = "\n".join(
        f'<label><input type="checkbox" value="{letter}"> <span>{point.html(bench.resolve)}</span></label>'
        for letter, point in zip(ascii_lowercase, points, strict=False)
    )
    page = (
        f'<label class="check-explain" for="check-{name}-words">Your answer</label>\n'
        f'<textarea id="check-{name}-words" class="course-field" rows="4" maxlength="4000"></textarea>\n'
        f'<div class="check-model" hidden><p class="check-model-name">A model answer</p>{shown}</div>\n'
        f'<fieldset class="check-rubric" hidden><legend>Tick what your answer says</legend>\n{ticks}\n</fieldset>'
    )
    seen = "\n".join(point.html() for point in points)
    return Answers(page, seen, facts={"points": [point.text() for point in points]})


KIND = Kind({}, compile_explain, frozenset({MODEL, RUBRIC}))
