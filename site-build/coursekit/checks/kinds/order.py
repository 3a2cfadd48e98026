"""Things to put in their order. The numbered list that ends the question has them in the right one.

    1. Arrival mix
       > Compare what came before you compare how it was served.
    2. Queue time

The quote under an item, if there is one, is what is said when it is the first that stands wrong.
"""

from __future__ import annotations

import html
from string import ascii_lowercase

from coursekit.checks.draft import Draft, Option, items_at_end
from coursekit.checks.keys import Keys, text
from coursekit.checks.kinds.base import Answers, Bench, Kind, require_different
from coursekit.digest import short_hash
from coursekit.problems import Spot
from coursekit.stated import agrees, shown

KEYS: Keys = {"key": text("An expression that gives the items in their order; the engine has to agree.")}


def compile_order(draft: Draft, bench: Bench) -> Answers:
    """A list whose items move by buttons. Faults: too few items, equal ones, an order that the engine denies."""
    question, items = items_at_end(draft, bench.faults)
    if len(items) < 3:
        bench.fault(Spot(1), "an order needs at least three things", "end the question with a list `1. … 2. … 3. …`")
    for option in draft.options:
        bench.fault(option.spot, "an order has no boxes", "write the things as a numbered list, in the right order")
    require_different(items, bench)
    _confirm(draft, items, bench)
    parts = [_item(letter, item, bench) for letter, item in zip(ascii_lowercase, items, strict=False)]
    # Not in the right order, which would be the answer, and the same in every build.
    shuffled = sorted(parts, key=lambda part: short_hash(bench.id, part))
    if shuffled == parts:
        shuffled.reverse()
    page = "\n".join(['<ol class="check-order">', *shuffled, "</ol>"])
    facts = {"items": [item.label.text() for item in items]}
    return Answers(page, "\n".join(item.label.html() for item in items), question, facts=facts)


def _confirm(draft: Draft, items: tuple[Option, ...], bench: Bench) -> None:
    expression = draft.header.text("key")
    if not expression:
        return
    spot = draft.header.spot("key")
    told = bench.asked(expression, spot, "the key")
    if not told:
        return
    [value] = told
    wanted = value if isinstance(value, list) else [value]
    if len(wanted) != len(items) or not all(
        agrees(i.label.text(), want) for i, want in zip(items, wanted, strict=True)
    ):
        mend = f"write them so, or mend `{expression}`"
        bench.fault(
            spot, f"the items are {', '.join(i.label.text() for i in items)}, the engine says {shown(value)}", mend
        )


def _item(letter: str, item: Option, bench: Bench) -> str:
    words = item.feedback.html(bench.resolve)
    said = f'<div class="check-feedback" hidden>{words}</div>' if words else ""
    name = html.escape(item.label.text())
    return (
        f'<li class="check-item" data-value="{letter}" data-name="{name}">'
        f'<span class="check-item-label">{item.label.html(bench.resolve)}</span>{said}</li>'
    )


KIND = Kind(KEYS, compile_order)
