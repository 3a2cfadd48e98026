"""From a block's text to its HTML, with everything that is wrong with it."""

from __future__ import annotations

import html
from collections.abc import Callable, Sequence
from dataclasses import replace

from coursekit.checks.block import Block
from coursekit.checks.draft import Draft, read_draft
from coursekit.checks.header import split_header
from coursekit.checks.keys import COMMON
from coursekit.checks.kinds import KINDS, Answers, Bench, Kind
from coursekit.checks.kinds.base import Evaluate, attributes
from coursekit.checks.prose import Prose, Resolve
from coursekit.checks.variants import variants_of
from coursekit.digest import short_hash
from coursekit.problems import Fault, Spot
from coursekit.snippets import Ran, run_once

SECTIONS = frozenset({"hint", "explanation"})
_TITLE_LENGTH = 80

__all__ = ["Block", "compile_check", "compile_pause", "title_of"]


def compile_check(text: str, evaluate: Evaluate, resolve: Resolve = str, run: Callable[[str], Ran] = run_once) -> Block:
    """Compile the body of a `check` fence. Faults name lines of that body."""
    header, _, _ = split_header(text)
    bench = Bench(evaluate, resolve, header.id("check"), run=run)
    name = header.text("kind", "choice")
    kind = KINDS.get(name)
    if kind is None:
        mend = f"the kinds are {', '.join(KINDS)}"
        bench.fault(header.spot("kind"), f'no kind is called "{name}"', mend)
        return Block("check", bench.id, "", "", _sorted(header.faults, bench.faults))
    header.refuse_unknown({**COMMON, **kind.keys})
    alias = header.text("alias")
    if alias == bench.id and alias:
        bench.fault(header.spot("alias"), "a check can't be its own alias", "name the id that it had before")
    drawn = variants_of(header, bench.id, evaluate)
    if not drawn:
        return Block("check", bench.id, "", "", _sorted(header.faults, bench.faults))
    every = [_variant(text, kind, given, at, bench) for at, given in enumerate(drawn)]
    draft, answers, _ = every[0]
    shuffle = header.flag("shuffle", default="shuffle" in kind.keys)
    ask = header.flag("confidence", default=name == "predict")
    page = _check_html(name, bench, every, shuffle, ask, alias)
    facts = {
        "kind": name,
        "alias": alias,
        "question": (answers.question or draft.question).text(),
        "question_html": (answers.question or draft.question).html(),
        "hashes": [_seen(name, one, made) for one, made, _ in every],
        "variants": len(every),
        "shuffle": shuffle,
        **answers.facts,
    }
    faults = _sorted(header.faults, _told_once(every), bench.faults)
    return Block("check", bench.id, title_of(draft), page, faults, facts)


def compile_pause(text: str, evaluate: Evaluate, resolve: Resolve = str) -> Block:
    """Compile the body of a `pause` fence: a question and a model answer."""
    bench = Bench(evaluate, resolve)
    draft = read_draft(text, ("model answer",), bench.settle_text)
    bench.id = draft.header.id("pause")
    draft.header.refuse_unknown({"id", "title"})
    _require_question(draft, bench)
    if not draft.section("model answer"):
        bench.fault(Spot(1), "there is no model answer", "add a heading Model answer and a text below it")
    for option in draft.options:
        bench.fault(option.spot, "a pause has no options", "write a check instead")
    page = _pause_html(draft, bench)
    return Block("pause", bench.id, title_of(draft), page, _sorted(draft.header.faults, draft.faults, bench.faults))


def title_of(draft: Draft) -> str:
    """The author's title, or the first words of the question."""
    words = draft.header.text("title") or draft.question.text()
    if len(words) <= _TITLE_LENGTH:
        return words
    return words[:_TITLE_LENGTH].rsplit(" ", 1)[0] + "…"


Variant = tuple[Draft, Answers, Bench]


def _variant(text: str, kind: Kind, given: tuple[str, ...], at: int, bench: Bench) -> Variant:
    """One variant of a check; a check that isn't computed has just this one. Its bench holds its faults."""
    mine = replace(bench, given=given, drawn=bool(given), later=at > 0, faults=[])
    draft = read_draft(text, SECTIONS | kind.sections, mine.settle_text)
    _require_question(draft, mine)
    answers = kind.compile(draft, mine)
    mine.faults = [*draft.faults, *mine.faults]
    return draft, answers, mine


def _require_question(draft: Draft, bench: Bench) -> None:
    first = draft.question.tokens[0].type if draft.question.tokens else ""
    if first != "paragraph_open":
        bench.fault(Spot(1), "there is no question", "begin with a paragraph that asks it")


def _told_once(every: Sequence[Variant]) -> list[Fault]:
    """The faults of all variants. One that an earlier variant has too isn't told again."""
    told: dict[tuple[Spot, str], Fault] = {}
    for _, _, bench in every:
        with_these = f"with {', '.join(bench.given)}: " if bench.later else ""
        for fault in bench.faults:
            told.setdefault((fault.spot, fault.what), Fault(fault.spot, with_these + fault.what, fault.mend))
    return list(told.values())


def _sorted(*faults: Sequence[Fault]) -> tuple[Fault, ...]:
    """All faults in the order of the block."""
    every = [fault for some in faults for fault in some]
    return tuple(sorted(every, key=lambda fault: (fault.spot.line, fault.spot.column)))


def _check_html(kind: str, bench: Bench, every: Sequence[Variant], shuffle: bool, ask: bool, alias: str) -> str:
    name = html.escape(bench.id)
    hashes = [_seen(kind, draft, answers) for draft, answers, _ in every]
    shuffled, asked = "true" if shuffle else "false", "true" if ask else None
    data = f'id="check-{name}"{attributes(id=bench.id, kind=kind, hash=hashes[0], shuffle=shuffled)}'
    data += attributes(confidence=asked, alias=alias or None)
    lines = [
        # Not searched: what was found would give the answer away.
        f"<course-check {data} data-search-exclude>",
        # Without JavaScript, a form of this method sends nothing and goes nowhere.
        '<form method="dialog">',
        *_body(*every[0]),
        '<div class="check-actions"></div>',
        '<p class="check-result" role="status"></p>',
        "</form>",
        every[0][1].after,
        *(
            "\n".join([f'<template class="check-variant" data-hash="{seen}">', *_body(*variant), "</template>"])
            for seen, variant in zip(hashes[1:], every[1:], strict=True)
        ),
        "</course-check>",
    ]
    return "\n".join(line for line in lines if line)


def _seen(kind: str, draft: Draft, answers: Answers) -> str:
    return short_hash(kind, (answers.question or draft.question).html(), answers.seen)


def _body(draft: Draft, answers: Answers, bench: Bench) -> list[str]:
    """What a variant has of its own: question and answers, hints and explanation."""
    question = answers.question or draft.question
    legend = Prose(question.tokens[1:2]).html(bench.resolve)
    more = Prose(question.tokens[3:]).html(bench.resolve)
    parts = [
        "<fieldset>",
        f"<legend>{legend}</legend>",
        f'<div class="check-more">{more}</div>' if more else "",
        answers.html,
        "</fieldset>",
        _hints(draft.section("hint"), bench.resolve),
        _explanation(draft.section("explanation"), bench.resolve),
    ]
    return [part for part in parts if part]


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
        '<details class="pause-model" data-search-exclude><summary>Model answer</summary>'
        f"{answer}</details>\n"
        "</course-pause>"
    )
