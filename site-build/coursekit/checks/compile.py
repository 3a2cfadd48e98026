"""From a block's text to its HTML, with everything that is wrong with it."""

from __future__ import annotations

import html
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from coursekit.checks.draft import Draft, read_draft
from coursekit.checks.kinds import KINDS, Answers, Bench
from coursekit.checks.prose import Prose, Resolve
from coursekit.digest import short_hash
from coursekit.problems import Fault, Spot

COMMON_KEYS = frozenset({"id", "kind", "title"})
_TITLE_LENGTH = 80


@dataclass(frozen=True)
class Block:
    """A compiled fence. `html` is whole only where there are no faults."""

    fence: str
    """What the author wrote on its first line: check, pause, snippet or figure."""
    id: str
    title: str
    html: str
    faults: tuple[Fault, ...]


def compile_check(text: str, evaluate: Callable[[str], Any], resolve: Resolve = str) -> Block:
    """Compile the body of a `check` fence. Faults name lines of that body."""
    draft = read_draft(text, ("hint", "explanation"))
    bench = Bench(draft.header.id("check"), evaluate, resolve)
    name = draft.header.text("kind", "choice")
    kind = KINDS.get(name)
    if kind is None:
        mend = f"the kinds are {', '.join(KINDS)}"
        bench.fault(draft.header.spot("kind"), f'no kind is called "{name}"', mend)
        return Block("check", bench.id, "", "", _sorted(draft, bench))
    draft.header.refuse_unknown(COMMON_KEYS | kind.keys)
    confirm_stated(draft, bench)
    _require_question(draft, bench)
    answers = kind.compile(draft, bench)
    shuffle = draft.header.flag("shuffle", default="shuffle" in kind.keys)
    page = _check_html(draft, name, answers, shuffle, bench)
    return Block("check", bench.id, title_of(draft), page, _sorted(draft, bench))


def compile_pause(text: str, evaluate: Callable[[str], Any], resolve: Resolve = str) -> Block:
    """Compile the body of a `pause` fence: a question and a model answer."""
    draft = read_draft(text, ("model answer",))
    bench = Bench(draft.header.id("pause"), evaluate, resolve)
    draft.header.refuse_unknown({"id", "title"})
    confirm_stated(draft, bench)
    _require_question(draft, bench)
    if not draft.section("model answer"):
        bench.fault(Spot(1), "there is no model answer", "add a heading Model answer and a text below it")
    for option in draft.options:
        bench.fault(option.spot, "a pause has no options", "write a check instead")
    page = _pause_html(draft, bench)
    return Block("pause", bench.id, title_of(draft), page, _sorted(draft, bench))


def confirm_stated(draft: Draft, bench: Bench) -> None:
    """Ask the engine about every figure that the block's text leaves to it."""
    for value in draft.computed:
        bench.confirm(value.stated, value.expression, value.spot, "the text")


def title_of(draft: Draft) -> str:
    """The author's title, or the first words of the question."""
    words = draft.header.text("title") or draft.question.text()
    if len(words) <= _TITLE_LENGTH:
        return words
    return words[:_TITLE_LENGTH].rsplit(" ", 1)[0] + "…"


def _require_question(draft: Draft, bench: Bench) -> None:
    first = draft.question.tokens[0].type if draft.question.tokens else ""
    if first != "paragraph_open":
        bench.fault(Spot(1), "there is no question", "begin with a paragraph that asks it")


def _sorted(draft: Draft, bench: Bench) -> tuple[Fault, ...]:
    """All faults in the order of the block."""
    every = [*draft.header.faults, *draft.faults, *bench.faults]
    return tuple(sorted(every, key=lambda fault: (fault.spot.line, fault.spot.column)))


def _check_html(draft: Draft, kind: str, answers: Answers, shuffle: bool, bench: Bench) -> str:
    seen = short_hash(kind, draft.question.html(), answers.seen)
    name = html.escape(bench.id)
    data = f'id="check-{name}" data-id="{name}" data-kind="{kind}" data-hash="{seen}"'
    legend = Prose(draft.question.tokens[1:2]).html(bench.resolve)
    more = Prose(draft.question.tokens[3:]).html(bench.resolve)
    lines = [
        f'<course-check {data} data-shuffle="{"true" if shuffle else "false"}">',
        # Without JavaScript, a form of this method sends nothing and goes nowhere.
        '<form method="dialog">',
        "<fieldset>",
        f"<legend>{legend}</legend>",
        f'<div class="check-more">{more}</div>' if more else "",
        answers.html,
        "</fieldset>",
        _hints(draft.section("hint"), bench.resolve),
        _explanation(draft.section("explanation"), bench.resolve),
        '<div class="check-actions"></div>',
        '<p class="check-result" role="status"></p>',
        "</form>",
        "</course-check>",
    ]
    return "\n".join(line for line in lines if line)


def _hints(hints: Sequence[Prose], resolve: Resolve) -> str:
    shown = (f"<details><summary>Hint</summary>{hint.html(resolve)}</details>" for hint in hints)
    return f'<div class="check-hints" hidden>{"".join(shown)}</div>' if hints else ""


def _explanation(parts: Sequence[Prose], resolve: Resolve) -> str:
    shown = "".join(part.html(resolve) for part in parts)
    return f'<div class="check-explanation" hidden>{shown}</div>' if parts else ""


def _pause_html(draft: Draft, bench: Bench) -> str:
    question = draft.question.html(bench.resolve)
    answer = "".join(part.html(bench.resolve) for part in draft.section("model answer"))
    seen = short_hash("pause", draft.question.html())
    name = html.escape(bench.id)
    return (
        f'<course-pause id="pause-{name}" data-id="{name}" data-hash="{seen}">\n'
        f'<div class="pause-question">{question}</div>\n'
        '<details class="pause-model"><summary>Model answer</summary>'
        f"{answer}</details>\n"
        "</course-pause>"
    )
