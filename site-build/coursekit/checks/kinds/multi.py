"""Several right answers, each with feedback for who chose it and for who missed it.

- [x] A right answer
  > Why it is right.
  >
  > Missed: what was overlooked.
- [ ] A tempting wrong one
  > What it overlooks.
"""

from __future__ import annotations

from coursekit.checks.draft import Draft, Option
from coursekit.checks.kinds.base import Answers, Bench, Kind, hidden, require_feedback
from coursekit.checks.kinds.choice import SHUFFLE, lettered, option_facts, option_html, require_options, seen
from coursekit.checks.prose import Prose, without_first_words

MISSED = "Missed:"


def compile_multi(draft: Draft, bench: Bench) -> Answers:
    """Tick boxes. Faults: as a choice has them, and a right option that says nothing to who missed it."""
    require_options(draft, bench)
    require_feedback(draft.options, "an option", bench)
    if draft.options and all(option.ticked for option in draft.options):
        bench.fault(draft.options[0].spot, "every option is right", "add a tempting wrong one")
    parts = [_option(letter, option, bench) for letter, option in lettered(draft)]
    return Answers("\n".join(parts), seen(draft), facts=option_facts(draft))


def _option(letter: str, option: Option, bench: Bench) -> str:
    chosen, missed = _split(option.feedback)
    if option.ticked and option.feedback.tokens and not missed.tokens:
        mend = f"add a paragraph `> {MISSED} …` to its feedback"
        bench.fault(option.spot, "a right option says nothing to who missed it", mend)
    if missed.tokens and not option.ticked:
        bench.fault(option.spot, "a wrong option can't be missed", f"drop its paragraph `> {MISSED} …`")
    more = hidden("check-missed", "", missed, bench) + "\n" if missed.tokens else ""
    said = Option(option.ticked, option.label, chosen, option.spot)
    return option_html("checkbox", letter, said, bench, more)


def _split(feedback: Prose) -> tuple[Prose, Prose]:
    """What is said to who chose the option, and to who missed it."""
    for at, token in enumerate(feedback.tokens):
        if token.type == "inline" and token.content.startswith(MISSED):
            words = token.content[len(MISSED) :].lstrip()
            first = without_first_words(token, len(token.content) - len(words))
            opening = feedback.tokens[at - 1]
            return Prose(feedback.tokens[: at - 1]), Prose((opening, first, *feedback.tokens[at + 1 :]))
    return feedback, Prose(())


KIND = Kind(SHUFFLE, compile_multi)
