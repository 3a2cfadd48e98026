"""One right answer among several, each with its own feedback.

- [x] The right answer
  > Why it is right.
- [ ] A tempting wrong one
  > What it overlooks.
"""

from __future__ import annotations

import html
from string import ascii_lowercase
from typing import Any

from coursekit.checks.draft import Draft, Option
from coursekit.checks.keys import Keys, yes_or_no
from coursekit.checks.kinds.base import Answers, Bench, Kind, require_different, require_feedback
from coursekit.checks.order_words import require_pinned
from coursekit.problems import Spot

SHUFFLE: Keys = {"shuffle": yes_or_no("May the options change places? `no` pins them.")}


def compile_choice(draft: Draft, bench: Bench) -> Answers:
    """Radio buttons and their feedback. Faults: not exactly one right option, silent or equal options."""
    right = [option for option in draft.options if option.ticked]
    require_options(draft, bench)
    for extra in right[1:]:
        bench.fault(extra.spot, "a second option is ticked", "a choice has one: untick the others")
    require_feedback(draft.options, "an option", bench)
    parts = [option_html("radio", letter, option, bench) for letter, option in lettered(draft)]
    return Answers("\n".join(parts), seen(draft), facts=option_facts(draft))


def lettered(draft: Draft) -> list[tuple[str, Option]]:
    """Each option with the letter that its answer is kept as."""
    return list(zip(ascii_lowercase, draft.options, strict=False))


def require_options(draft: Draft, bench: Bench) -> None:
    """Enough options, not too many, one of them right, no two alike, pinned where their order says something."""
    if len(draft.options) < 2:
        bench.fault(Spot(1), "a choice needs at least two options", "write each as a line `- [ ] …`")
    elif len(draft.options) > len(ascii_lowercase):
        bench.fault(Spot(1), f"{len(draft.options)} options are too many to read", "keep a handful")
    elif not any(option.ticked for option in draft.options):
        bench.fault(draft.options[0].spot, "no option is right", "tick one: `- [x]`")
    require_different(draft.options, bench)
    if draft.header.text("shuffle", "yes").lower() in ("yes", "true"):
        require_pinned(draft.options, bench)


def seen(draft: Draft) -> str:
    """What the student sees of the options, and the key."""
    return "\n".join(f"{option.label.html()}|{option.ticked}" for option in draft.options)


def option_facts(draft: Draft) -> dict[str, Any]:
    """The options as words, for whoever looks at a lesson or exports it."""
    return {
        "options": [
            {"value": letter, "text": option.label.text(), "correct": option.ticked, "feedback": option.feedback.text()}
            for letter, option in lettered(draft)
        ]
    }


def option_html(control: str, letter: str, option: Option, bench: Bench, more: str = "") -> str:
    """One option: a native control, its label, and its feedback; `more` stands after that."""
    name = html.escape(bench.id)
    right = "true" if option.ticked else "false"
    return (
        f'<div class="check-option" data-value="{letter}" data-correct="{right}">\n'
        f'<label><input type="{control}" name="{name}" value="{letter}"> '
        f"<span>{option.label.html(bench.resolve)}</span></label>\n"
        f'<div class="check-feedback" hidden>{option.feedback.html(bench.resolve)}</div>\n'
        f"{more}</div>"
    )


KIND = Kind(SHUFFLE, compile_choice)
