r"""A few words. Answers are compared without case, outer punctuation and doubled spaces.

    - [x] block table
      > Yes.
    - [x] `/(page|block)[- ]?tables?/`
      > Yes: vLLM says block.
    - [ ] free queue
      > That lists what nobody holds.
    - [ ] otherwise
      > Which record says where a request's pages are?

A pattern between slashes, in backquotes, has to match the whole answer.
"""

from __future__ import annotations

import html
import re
import unicodedata
from dataclasses import dataclass

from coursekit.checks.draft import Draft, Option
from coursekit.checks.kinds.base import Answers, Bench, Kind, attributes, hidden, require_feedback
from coursekit.problems import Spot

OTHERWISE = "otherwise"
_PATTERN = re.compile(r"/(?P<source>.+)/")
_ONE_LANGUAGE_ALONE = re.compile(r"\(\?(?![:=!])|\\[AZzGbBQEpPkK]|[*+?}]\+")
"""Parts of a pattern that Python and JavaScript read differently."""


@dataclass(frozen=True)
class Accepted:
    """An answer with feedback: words, or a pattern."""

    words: str
    pattern: str
    option: Option

    def takes(self, answer: str) -> bool:
        """Whether a normalised answer is this one."""
        return bool(re.fullmatch(self.pattern, answer)) if self.pattern else self.words == answer


def normalised(text: str) -> str:
    """As answers are compared: the page does the same (`lib/checks/text.js`)."""
    plain = unicodedata.normalize("NFKC", text).lower()
    plain = re.sub(r"[-\u2010-\u2015\u2212_]+", " ", plain)
    plain = re.sub(r"[\"'“”‘’`´«».,;:!?()]+", "", plain)
    return " ".join(plain.split())


def compile_text(draft: Draft, bench: Bench) -> Answers:
    """A field, and what is said to each answer. Faults: no right words, a bad pattern, answers that overlap."""
    accepted = [found for option in draft.options if (found := _read(option, bench))]
    otherwise = [option for option in draft.options if option.label.text() == OTHERWISE]
    if not any(one.option.ticked and one.words for one in accepted):
        bench.fault(Spot(1), "no words are right", "tick an answer in words: `- [x] block table`")
    if not otherwise:
        bench.fault(Spot(1), "nothing is said to any other answer", "add `- [ ] otherwise` with feedback")
    require_feedback(draft.options, "an answer", bench)
    _refuse_overlaps(accepted, bench)
    field = (
        '<label class="check-text">Your answer '
        f'<input type="text" autocomplete="off" maxlength="120" name="{html.escape(bench.id)}"></label>'
    )
    parts = [field, *(_answer(one, bench) for one in accepted)]
    parts += [hidden("check-otherwise", "", option.feedback, bench) for option in otherwise]
    right = [f"{one.words}|{one.pattern}" for one in accepted if one.option.ticked]
    return Answers("\n".join(parts), "\n".join(right), facts={"accepted": right})


def _read(option: Option, bench: Bench) -> Accepted | None:
    label = option.label.text()
    if label == OTHERWISE:
        return None
    match = _PATTERN.fullmatch(label)
    if match is None:
        words = normalised(label)
        if not words:
            bench.fault(option.spot, f'"{label}" has no words', "write letters or digits")
        return Accepted(words, "", option)
    try:
        re.compile(match["source"])
    except re.error as error:
        bench.fault(option.spot, f"the pattern {label} can't be read: {error}", "mend the pattern")
        return None
    if _ONE_LANGUAGE_ALONE.search(match["source"]):
        mend = "keep to letters, |, [], (), ?, * and +"
        bench.fault(option.spot, f"the pattern {label} means something else in a browser", mend)
    return Accepted("", match["source"], option)


def _refuse_overlaps(accepted: list[Accepted], bench: Bench) -> None:
    """The first that takes an answer speaks. Words that an earlier one takes would never be heard."""
    for at, one in enumerate(accepted):
        earlier = next((before for before in accepted[:at] if one.words and before.takes(one.words)), None)
        if earlier:
            mend = "move it up, or remove it"
            bench.fault(one.option.spot, f'"{one.option.label.text()}" is taken by an answer above it', mend)


def _answer(one: Accepted, bench: Bench) -> str:
    css_class = "check-answer" if one.option.ticked else "check-mistake"
    data = attributes(words=one.words or None, pattern=one.pattern or None)
    return hidden(css_class, data, one.option.feedback, bench)


KIND = Kind({}, compile_text)
