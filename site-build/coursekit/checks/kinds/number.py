"""A number, its unit, and the wrong numbers that tell which mistake was made.

    - [x] 112 = `sum(reserved_slots(n, 16) for n in (17, 31, 33))`
      > Every request rounds up by itself.
    - [ ] rounds once at the end: 96 = `reserved_slots(17 + 31 + 33, 16)`
      > That rounds once, at the end.
    - [ ] otherwise
      > Count the pages of one request first.

The engine computes every expression and the stated number has to agree. In a computed check the number
may be left out, and each mistake has a name.
"""

from __future__ import annotations

import html
import re
from dataclasses import dataclass

from coursekit.checks.draft import Draft, Option
from coursekit.checks.keys import Keys, text
from coursekit.checks.kinds.base import Answers, Bench, Kind, attributes, hidden, require_feedback
from coursekit.problems import Spot

_NUMBER = r"[-\u2212]?\d[\d,]*(?:\.\d+)?"
_LABEL = re.compile(
    rf"(?:(?P<name>[^`=:]*[^`=:\s]):\s+)?(?P<stated>{_NUMBER})?(?:\s*=\s*`(?P<expression>[^`]+)`)?",
)
_TOLERANCE = re.compile(r"\d+(?:\.\d+)?%?")
OTHERWISE = "otherwise"

KEYS: Keys = {
    "unit": text("Stands behind the field."),
    "tolerance": text("How far off is still right: `0.5`, or `2%` of the key.", pattern=r"^\d+(\.\d+)?%?$"),
}


@dataclass(frozen=True)
class Answer:
    """A number that a student may give, and what is said to it."""

    value: str
    expression: str
    name: str
    option: Option


def compile_number(draft: Draft, bench: Bench) -> Answers:
    """A field, the key, and the named mistakes. Faults: no key, a key or a mistake the engine denies."""
    answers = [answer for option in draft.options if (answer := _read(option, bench))]
    keys = [answer for answer in answers if answer.option.ticked]
    otherwise = [option for option in draft.options if option.label.text() == OTHERWISE]
    _validate(draft, answers, keys, otherwise, bench)
    if not keys:
        return Answers("", "")
    tolerance = _tolerance(draft, keys[0], bench)
    _refuse_near(answers, keys[0], tolerance, bench)
    unit = draft.header.text("unit")
    mistakes = [answer for answer in answers if not answer.option.ticked]
    parts = [_field(bench.id, unit), _key(keys[0], tolerance, bench)]
    parts += [_mistake(answer, bench) for answer in mistakes]
    parts += [hidden("check-otherwise", "", option.feedback, bench) for option in otherwise]
    facts = {"value": keys[0].value, "tolerance": tolerance, "unit": unit, "mistakes": [m.value for m in mistakes]}
    return Answers("\n".join(parts), f"{unit}|{keys[0].value}|{tolerance:g}", facts=facts)


def _read(option: Option, bench: Bench) -> Answer | None:
    written = option.label.tokens[0].content.strip()
    if written == OTHERWISE:
        return None
    match = _LABEL.fullmatch(written)
    stated = (match["stated"] or "") if match else ""
    expression = (match["expression"] or "") if match else ""
    if match is None or not (stated or (bench.drawn and expression)):
        mend = "write `- [x] 112 = ` and the expression in backquotes, or `- [ ] otherwise`"
        bench.fault(option.spot, f'"{written}" is no number', mend)
        return None
    if expression:
        stated = bench.settle(stated, expression, option.spot, "the key" if option.ticked else "the mistake")
    value = stated.replace(",", "").replace("\u2212", "-")
    if not re.fullmatch(r"-?\d+(\.\d+)?(e-?\d+)?", value):
        if value:
            bench.fault(option.spot, f"`{expression}` gives {value}, which is no number", "mend the expression")
        return None
    return Answer(value, expression, match["name"] or "", option)


def _validate(draft: Draft, answers: list[Answer], keys: list[Answer], otherwise: list[Option], bench: Bench) -> None:
    if not keys:
        bench.fault(Spot(1), "no number is right", "tick one: `- [x] 112 = ` and an expression in backquotes")
    for key in keys:
        if not key.expression:
            mend = "add ` = ` and the expression in backquotes that gives it"
            bench.fault(key.option.spot, f"nothing computes the key {key.value}", mend)
    for extra in keys[1:]:
        bench.fault(extra.option.spot, "a second number is ticked", "keep one key; a range is a tolerance")
    if not otherwise:
        bench.fault(Spot(1), "nothing is said to any other number", "add `- [ ] otherwise` with feedback")
    require_feedback(draft.options, "a number", bench)
    if bench.drawn:
        _require_names(answers, bench)
    seen: set[float] = set()
    for answer in answers:
        if float(answer.value) in seen:
            bench.fault(answer.option.spot, f"{answer.value} stands twice", "keep one of them")
        seen.add(float(answer.value))


def _require_names(answers: list[Answer], bench: Bench) -> None:
    """The numbers of a computed check change; its mistakes are known by name, each by an expression."""
    for answer in answers:
        if not answer.option.ticked and not answer.name:
            mend = "write `- [ ] rounds once at the end: 96 = ` and the expression"
            bench.fault(answer.option.spot, f"the mistake {answer.value} has no name", mend)
        if not answer.option.ticked and not answer.expression:
            mend = "add ` = ` and the expression in backquotes that gives it"
            bench.fault(answer.option.spot, f"nothing computes the mistake {answer.value}", mend)


def _tolerance(draft: Draft, key: Answer, bench: Bench) -> float:
    """How far from the key an answer may be, in the key's unit."""
    written = draft.header.text("tolerance", "0")
    if not _TOLERANCE.fullmatch(written):
        bench.fault(draft.header.spot("tolerance"), f'the tolerance is "{written}"', "write 0.5 or 2%")
        return 0.0
    if written.endswith("%"):
        return abs(float(key.value)) * float(written[:-1]) / 100
    return float(written)


def _refuse_near(answers: list[Answer], key: Answer, tolerance: float, bench: Bench) -> None:
    for answer in answers:
        distance = abs(float(answer.value) - float(key.value))
        if not answer.option.ticked and 0 < distance <= tolerance:
            mend = "narrow the tolerance or drop the mistake"
            bench.fault(answer.option.spot, f"the mistake {answer.value} counts as right", mend)


def _field(name: str, unit: str) -> str:
    shown = f' <span class="check-unit">{html.escape(unit)}</span>' if unit else ""
    return (
        '<label class="check-number">Your answer '
        f'<input inputmode="decimal" autocomplete="off" name="{html.escape(name)}">{shown}</label>'
    )


def _key(key: Answer, tolerance: float, bench: Bench) -> str:
    return hidden(
        "check-answer", f' data-value="{key.value}" data-tolerance="{tolerance:g}"', key.option.feedback, bench
    )


def _mistake(answer: Answer, bench: Bench) -> str:
    data = attributes(value=answer.value, name=answer.name or None)
    return hidden("check-mistake", data, answer.option.feedback, bench)


KIND = Kind(KEYS, compile_number)
