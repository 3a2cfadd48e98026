"""One right answer among several, each with its own feedback.

- [x] The right answer
  > Why it is right.
- [ ] A tempting wrong one
  > What it overlooks.
"""

from __future__ import annotations

import html
from string import ascii_lowercase

from coursekit.checks.draft import Draft, Option
from coursekit.checks.kinds.base import Answers, Bench, Kind
from coursekit.problems import Spot


def compile_choice(draft: Draft, bench: Bench) -> Answers:
    """Radio buttons and their feedback. Faults: not exactly one right option, silent or equal options."""
    _validate(draft, bench)
    options = list(zip(ascii_lowercase, draft.options, strict=False))
    parts = [_option(letter, option, bench) for letter, option in options]
    seen = [f"{option.label.html()}|{option.ticked}" for _, option in options]
    return Answers("\n".join(parts), "\n".join(seen))


def _validate(draft: Draft, bench: Bench) -> None:
    right = [option for option in draft.options if option.ticked]
    if len(draft.options) < 2:
        bench.fault(Spot(1), "a choice needs at least two options", "write each as a line `- [ ] …`")
    elif len(draft.options) > len(ascii_lowercase):
        bench.fault(Spot(1), f"{len(draft.options)} options are too many to read", "keep a handful")
    elif not right:
        bench.fault(draft.options[0].spot, "no option is right", "tick one: `- [x]`")
    for extra in right[1:]:
        bench.fault(extra.spot, "a second option is ticked", "a choice has one: untick the others")
    first_with: dict[str, Option] = {}
    for option in draft.options:
        if not option.feedback.tokens:
            bench.fault(option.spot, "an option has no feedback", "add an indented line `> why` below it")
        if first_with.setdefault(option.label.text(), option) is not option:
            bench.fault(option.spot, "two options read the same", "reword or remove one")


def _option(letter: str, option: Option, bench: Bench) -> str:
    name = html.escape(bench.id)
    right = "true" if option.ticked else "false"
    return (
        f'<div class="check-option" data-value="{letter}" data-correct="{right}">\n'
        f'<label><input type="radio" name="{name}" value="{letter}"> '
        f"<span>{option.label.html(bench.resolve)}</span></label>\n"
        f'<div class="check-feedback" hidden>{option.feedback.html(bench.resolve)}</div>\n'
        "</div>"
    )


KIND = Kind(frozenset({"shuffle"}), compile_choice)
