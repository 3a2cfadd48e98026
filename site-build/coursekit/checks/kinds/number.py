"""A number, its unit, and the wrong numbers that tell which mistake was made.

    - [x] 112 = `sum(reserved_slots(n, 16) for n in (17, 31, 33))`
      > Every request rounds up by itself.
    - [ ] 96 = `reserved_slots(17 + 31 + 33, 16)`
      > That rounds once, at the end.
    - [ ] otherwise
      > Count the pages of one request first.

The engine computes every expression and the stated number has to agree.
"""

from __future__ import annotations

import html
import re
from dataclasses import dataclass

from coursekit.checks.draft import Draft, Option
from coursekit.checks.kinds.base import Answers, Bench, Kind
from coursekit.problems import Spot

_LABEL = re.compile(r"(?P<stated>[-\u2212]?\d[\d,]*(?:\.\d+)?)(?:\s*=\s*`(?P<expression>[^`]+)`)?")
_TOLERANCE = re.compile(r"\d+(?:\.\d+)?%?")
_OTHERWISE = "otherwise"


@dataclass(frozen=True)
class Answer:
    """A number that a student may give, and what is said to it."""

    value: str
    expression: str
    option: Option


def compile_number(draft: Draft, bench: Bench) -> Answers:
    """A field, the key, and the named mistakes. Faults: no key, a key or a mistake the engine denies."""
    answers = [answer for option in draft.options if (answer := _read(option, bench))]
    keys = [answer for answer in answers if answer.option.ticked]
    otherwise = [option for option in draft.options if option.label.text() == _OTHERWISE]
    _validate(draft, answers, keys, otherwise, bench)
    if not keys:
        return Answers("", "")
    tolerance = _tolerance(draft, keys[0], bench)
    _refuse_near(answers, keys[0], tolerance, bench)
    unit = draft.header.text("unit")
    parts = [_field(bench.id, unit), _key(keys[0], tolerance, bench)]
    parts += [_mistake(answer, bench) for answer in answers if not answer.option.ticked]
    parts += [_hidden("check-otherwise", "", option, bench) for option in otherwise]
    return Answers("\n".join(parts), f"{unit}|{keys[0].value}|{tolerance:g}")


def _read(option: Option, bench: Bench) -> Answer | None:
    written = option.label.tokens[0].content.strip()
    if written == _OTHERWISE:
        return None
    match = _LABEL.fullmatch(written)
    if match is None:
        mend = "write `- [x] 112 = ` and the expression in backquotes, or `- [ ] otherwise`"
        bench.fault(option.spot, f'"{written}" is no number', mend)
        return None
    expression = match["expression"] or ""
    if expression:
        subject = "the key" if option.ticked else "the mistake"
        bench.confirm(match["stated"], expression, option.spot, subject)
    return Answer(match["stated"].replace(",", "").replace("\u2212", "-"), expression, option)


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
    for option in draft.options:
        if not option.feedback.tokens:
            bench.fault(option.spot, "a number has no feedback", "add an indented line `> why` below it")
    seen: set[float] = set()
    for answer in answers:
        if float(answer.value) in seen:
            bench.fault(answer.option.spot, f"{answer.value} stands twice", "keep one of them")
        seen.add(float(answer.value))


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
    data = f' data-value="{key.value}" data-tolerance="{tolerance:g}"'
    return _hidden("check-answer", data, key.option, bench)


def _mistake(answer: Answer, bench: Bench) -> str:
    return _hidden("check-mistake", f' data-value="{answer.value}"', answer.option, bench)


def _hidden(css_class: str, data: str, option: Option, bench: Bench) -> str:
    return f'<div class="{css_class}"{data} hidden>{option.feedback.html(bench.resolve)}</div>'


KIND = Kind(frozenset({"unit", "tolerance"}), compile_number)
