"""A trace in a notebook: the player where the course's lab shows it, a picture and words in any other Jupyter.

A cell's output is a bundle of the same thing in several forms, and a notebook shows the richest that it knows. The
course's lab knows one more than others: `MIME`, a small JSON object whose fields are those of a `<trace-player>`.
"""

from html import escape
from typing import Any, Final

from engine.trace import Step, Trace
from engine.views.language import count
from engine.views.schedule import schedule_svg
from engine.views.words import schedule_table, schedule_words

MIME: Final = "application/vnd.inside-the-batch.trace+json"
"""Under which the course's lab knows a trace and how to show it."""

MOST_CELLS: Final = 20_000
"""A schedule of more cells than this is no picture that anybody could read, and weighs megabytes."""

MOST_ROWS: Final = 100_000
"""A notebook keeps what its cells show: a trace of more rows than this, about 10 MB, stays out of it."""


def notebook_bundle(
    trace: Trace, *, compare: Trace | None = None, moment: str = "", choice: str = "", views: str = ""
) -> dict[str, Any]:
    """`trace` in every form. The rest is as the attributes of a player have it: `step:7`, `r3`, `timeline blocks`."""
    plain = {"text/html": show(trace), "text/plain": schedule_words(trace) if is_small(trace) else size_words(trace)}
    if num_rows(trace) > MOST_ROWS:
        return plain
    return {MIME: player(trace, compare=compare, moment=moment, choice=choice, views=views), **plain}


def player(
    trace: Trace, *, compare: Trace | None = None, moment: str = "", choice: str = "", views: str = ""
) -> dict[str, str]:
    """What the course's lab needs to show `trace` in a player."""
    given = {"trace": trace.to_jsonl(), "moment": moment, "choice": choice, "views": views}
    if compare is not None:
        given["compare"] = compare.to_jsonl()
    return {name: value for name, value in given.items() if value}


def show(trace: Trace) -> str:
    """A trace as HTML: the picture, the words and, folded away, the table; of a large one its size alone."""
    if not is_small(trace):
        return f"<p>{escape(size_words(trace))}</p>"
    caption = f"<figcaption>{escape(schedule_words(trace))}</figcaption>"
    return (
        f'<figure class="course-trace">{schedule_svg(trace)}{caption}'
        f"<details><summary>As a table</summary>{schedule_table(trace)}</details></figure>"
    )


def size_words(trace: Trace) -> str:
    """How large a trace is, and how to look into it."""
    requests, steps = len(trace.requests()), len(trace.steps())
    return (
        f"{trace.header.name}: {count(requests, 'request')}, {count(steps, 'step')}, too large for a picture. "
        "trace.to_jsonl() gives it as text, which the trace player opens."
    )


def num_rows(trace: Trace) -> int:
    """How many rows all steps have together."""
    return sum(len(step.rows) for step in trace.of(Step))


def is_small(trace: Trace) -> bool:
    """Whether a picture of the whole schedule can be read."""
    steps = trace.steps()
    seats = max((len(step.rows) for step in steps), default=0)
    last = steps[-1].step + 1 if steps else 0
    return seats * last <= MOST_CELLS
