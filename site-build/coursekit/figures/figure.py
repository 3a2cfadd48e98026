"""A figure that the engine draws, or a chart: its picture, its words, and the settings that repeat it."""

from __future__ import annotations

import html
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from coursekit.checks.block import Block
from coursekit.checks.header import ID
from coursekit.checks.prose import Prose, Resolve, computed, parse
from coursekit.evaluate import ExpressionError
from coursekit.figures.chart import chart_svg, is_chart
from coursekit.figures.code import split_body, without_shown
from coursekit.highlighting import highlight
from coursekit.problems import Fault, Spot
from coursekit.stated import contradiction
from engine.views.charts import chart_table, chart_words

Show = Callable[[str, Sequence[str]], list[Any]]
Value = Callable[[str, Sequence[str]], Any]

_TRACE = '{"format":"inside-the-batch.trace"'
"""How the text of a trace begins (`engine.trace`)."""

PLACES = ("views", "moment", "choice")
"""What a figure with a trace may say of where its player opens, as the element's attributes have it."""


def compile_figure(
    options: dict[str, str],
    body: str,
    given: Sequence[str],
    show: Show,
    value: Value,
    resolve: Resolve = str,
    kind: str = "figure",
) -> Block:
    """Compile the body of a `figure` or `chart` fence, whose first line has the `options`.

    Every bare expression in its Python is shown: a text that begins with `<svg` as a picture, one that
    begins with `<table` as a table, any other as words; a Vega-Lite specification as a picture with its words and
    its table. A trace (`trace.to_jsonl()`) goes along with the pictures, and a `<trace-player>` shows it, a second one
    beside it, where the pictures stood; with `keep="pictures"` they stay above it, and with `moves="batch"` a
    `<course-batch>` moves them. `given` is what earlier figures set.
    """
    python, caption, above = split_body(body)
    name, title = options.get("id", ""), options.get("title", "")
    faults = list(_option_faults(kind, options))
    shown = _shown(kind, title, python, given, show, faults)
    tokens = parse(caption)
    known = [*given, without_shown(python)]
    for stated in computed(tokens, caption):
        denied = contradiction(stated.stated, stated.expression, lambda e: value(e, known), "the caption")
        if denied:
            spot = Spot(stated.spot.line + above, stated.spot.column)
            faults.append(Fault(spot, denied.what, denied.mend))
    page = _figure_html(kind, options, shown, Prose(tuple(tokens)).html(resolve), python)
    return Block(kind, name, title, page, tuple(faults))


def _option_faults(kind: str, options: dict[str, str]) -> Iterator[Fault]:
    name, title = options.get("id", ""), options.get("title", "")
    for unknown in sorted(options.keys() - {"id", "title", "moves", "keep", *PLACES}):
        mend = f"it may have id, title, moves, keep, {', '.join(PLACES)}"
        yield Fault(Spot(0), f"a {kind} has no option {unknown}", mend)
    if not ID.fullmatch(name):
        mend = f'begin with ```{kind} id="my-{kind}" title="What it shows"'
        yield Fault(Spot(0), f'the {kind}\'s id is "{name}"', mend)
    if not title:
        yield Fault(Spot(0), f"the {kind} has no title", 'add title="What it shows" to its first line')


def _shown(kind: str, title: str, python: str, given: Sequence[str], show: Show, faults: list[Fault]) -> list[str]:
    try:
        values = [part for shown in show(python, given) for part in _parts(shown, title)]
    except ExpressionError as error:
        faults.append(Fault(Spot(error.line or 1), f"the {kind} fails: {error}", "mend its Python"))
        return []
    except ValueError as error:
        faults.append(Fault(Spot(1), f"the {kind} can't be drawn: {error}", "mend its specification"))
        return []
    if not any(value.startswith("<svg") for value in values):
        view = "a chart, like `load_chart(points)`" if kind == "chart" else "a view, like `schedule_svg(trace)`"
        faults.append(Fault(Spot(1), f"the {kind} shows no picture", f"end with {view}"))
    if all(value.startswith(("<svg", _TRACE)) for value in values) and values:
        mend = "add a view for who can't see it, like `schedule_words(trace)`"
        faults.append(Fault(Spot(1), f"the {kind} has no words and no table", mend))
    return values


def _parts(shown: Any, title: str) -> list[str]:
    """What one expression shows; a chart is a picture, words and a table at once."""
    return [chart_svg(shown, title), chart_words(shown), chart_table(shown)] if is_chart(shown) else [str(shown)]


# Pictures, words and settings are not searched: who looks for a term wants prose, and each page loads the index.


def _figure_html(kind: str, options: dict[str, str], shown: Sequence[str], caption: str, python: str) -> str:
    name, title = options.get("id", ""), options.get("title", "")
    words = [_words(part) for part in shown if not part.startswith(("<svg", _TRACE))]
    return "\n".join(
        [
            f'<figure class="course-figure" id="{kind}-{html.escape(name)}">',
            _pictures(shown, options),
            "<figcaption>",
            f'<p class="figure-title">{html.escape(title)}</p>',
            caption,
            '<details class="figure-words" data-search-exclude><summary>The same in words</summary>'
            f"{''.join(words)}</details>",
            f'<details class="figure-settings" data-search-exclude><summary>Settings of this {kind}</summary>'
            f"{highlight(python.strip(), 'python')}</details>",
            "</figcaption>",
            "</figure>",
        ]
    )


def _pictures(shown: Sequence[str], options: dict[str, str]) -> str:
    pictures = "".join(part for part in shown if part.startswith("<svg"))
    traces = "".join(f"<template>{html.escape(part)}</template>" for part in shown if part.startswith(_TRACE))
    still = f'<div class="figure-pictures" data-search-exclude>{pictures}</div>'
    if not traces:
        return still
    name = "course-batch" if options.get("moves") == "batch" else "trace-player"
    places = "".join(f' {place}="{html.escape(options[place])}"' for place in PLACES if place in options)
    before, inside = (still, "") if options.get("keep") == "pictures" else ("", still)
    return f"{before}<{name}{places} data-search-exclude>{inside}{traces}</{name}>"


def _words(part: str) -> str:
    if part.startswith("<table"):
        # Wider than a phone, it scrolls; the keyboard has to reach what scrolls.
        return f'<div class="figure-table" tabindex="0" role="group" aria-label="As a table">{part}</div>'
    return "".join(f"<p>{html.escape(line)}</p>" for line in part.splitlines() if line.strip())
