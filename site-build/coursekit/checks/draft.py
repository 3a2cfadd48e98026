"""Take a block's Markdown apart: the question, the options with their feedback, the named sections."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass

from markdown_it.token import Token

from coursekit.checks.header import Header, split_header
from coursekit.checks.prose import (
    Computed,
    Prose,
    images_without_words,
    line_of,
    parse,
    settle_computed,
    unclosed,
    without_first_words,
)
from coursekit.problems import Fault, Spot
from coursekit.stated import NEVER_CLOSED

_BOX = re.compile(r"^\[(?P<mark>[ xX])\][ \t]+")


@dataclass(frozen=True)
class Option:
    """One line of the task list: what it offers, whether it is ticked, and what it answers when chosen."""

    ticked: bool
    label: Prose
    feedback: Prose
    spot: Spot


@dataclass(frozen=True)
class Draft:
    """A block as written, before its kind makes sense of it."""

    header: Header
    question: Prose
    options: tuple[Option, ...]
    sections: dict[str, tuple[Prose, ...]]
    faults: tuple[Fault, ...]
    above: int
    """Lines of the block before its Markdown."""

    def section(self, name: str) -> tuple[Prose, ...]:
        """All sections under headings of that name, in order."""
        return self.sections.get(name, ())


def as_stated(value: Computed) -> str:
    """Take a figure as its author states it."""
    return value.stated


def read_draft(text: str, section_names: Collection[str], settle: Callable[[Computed], str] = as_stated) -> Draft:
    """Read a block. Faults name lines of the block; nothing raises.

    `settle` says what stands in place of a figure that the text leaves to the engine.
    """
    header, body, above = split_header(text)
    tokens = parse(body)
    settle_computed(tokens, body, lambda v: settle(Computed(v.stated, v.expression, _moved(v.spot, above))))
    faults: list[Fault] = []
    parts = _split_sections(tokens, section_names, faults)
    question, options = _split_options(parts.pop("", [[]])[0], faults)
    faults += [
        Fault(Spot(line_of(token)), "an image has no text in place of it", "write `![what it shows](file)`")
        for token in images_without_words(tokens)
    ]
    faults += [Fault(spot, *NEVER_CLOSED) for spot in unclosed(tokens, body)]
    sections = {name: tuple(Prose(tuple(part)) for part in found) for name, found in parts.items()}
    return Draft(
        header,
        Prose(tuple(question)),
        tuple(_moved_option(option, above) for option in options),
        sections,
        tuple(Fault(_moved(f.spot, above), f.what, f.mend) for f in faults),
        above,
    )


def items_at_end(draft: Draft, faults: list[Fault]) -> tuple[Prose, tuple[Option, ...]]:
    """The question without the numbered list that ends it, and that list's items; none of them is ticked."""
    tokens = list(draft.question.tokens)
    for at, token in enumerate(tokens):
        if token.type == "ordered_list_open" and token.level == 0 and _closing(tokens, at) == len(tokens) - 1:
            found: list[Fault] = []
            items = _options(tokens[at + 1 : -1], found, boxes=False)
            faults += [Fault(_moved(f.spot, draft.above), f.what, f.mend) for f in found]
            return Prose(tuple(tokens[:at])), tuple(_moved_option(item, draft.above) for item in items)
    return draft.question, ()


def _moved(spot: Spot, lines: int) -> Spot:
    return Spot(spot.line + lines, spot.column)


def _moved_option(option: Option, lines: int) -> Option:
    return Option(option.ticked, option.label, option.feedback, _moved(option.spot, lines))


def _split_sections(tokens: list[Token], names: Collection[str], faults: list[Fault]) -> dict[str, list[list[Token]]]:
    """The tokens by section name; what stands before the first heading under the empty name."""
    parts: dict[str, list[list[Token]]] = {"": [[]]}
    current = parts[""][0]
    skip = 0
    for at, token in enumerate(tokens):
        if skip:
            skip -= 1
        elif token.type == "heading_open":
            title = tokens[at + 1].content.strip().lower()
            if title not in names:
                mend = f"the sections are {', '.join(sorted(name.capitalize() for name in names))}"
                what = f'unknown section "{tokens[at + 1].content}"'
                faults.append(Fault(Spot(line_of(token)), what, mend))
            current = []
            parts.setdefault(title, []).append(current)
            skip = 2
        else:
            current.append(token)
    return parts


def _split_options(tokens: list[Token], faults: list[Fault]) -> tuple[list[Token], list[Option]]:
    """The question's tokens, and the options of the task list that ends it."""
    for at, token in enumerate(tokens):
        if token.type == "bullet_list_open" and token.level == 0 and _is_task_list(tokens, at):
            end = _closing(tokens, at)
            if end + 1 < len(tokens):
                mend = "move it above the options, or under a heading Explanation"
                faults.append(Fault(Spot(line_of(tokens[end + 1])), "text stands after the options", mend))
            return tokens[:at], _options(tokens[at + 1 : end], faults)
    return tokens, []


def _is_task_list(tokens: list[Token], at: int) -> bool:
    return any(token.type == "inline" and _BOX.match(token.content) for token in tokens[at : _closing(tokens, at)])


def _closing(tokens: list[Token], at: int) -> int:
    """The index of the token that closes the block opened at `at`."""
    level = tokens[at].level
    return next(n for n in range(at + 1, len(tokens)) if tokens[n].level == level and tokens[n].nesting == -1)


def _options(tokens: list[Token], faults: list[Fault], boxes: bool = True) -> list[Option]:
    options = []
    at = 0
    while at < len(tokens):
        end = _closing(tokens, at)
        option = _option(tokens[at + 1 : end], line_of(tokens[at]), faults, boxes)
        if option:
            options.append(option)
        at = end + 1
    return options


def _option(tokens: list[Token], line: int, faults: list[Fault], boxes: bool) -> Option | None:
    spot = Spot(line)
    inline = tokens[1] if len(tokens) > 1 and tokens[1].type == "inline" else None
    box = _BOX.match(inline.content) if inline and boxes else None
    if inline is None or (boxes and box is None):
        mend = "begin it with `- [ ]` or `- [x]`" if boxes else "begin it with a line of text"
        faults.append(Fault(spot, "an option has no box" if boxes else "an item has no text", mend))
        return None
    label = without_first_words(inline, len(box[0]) if box else 0)
    rest = tokens[3:]
    inner = rest[1:-1] if rest and rest[0].type == "blockquote_open" else []
    if rest and (not inner or _closing(rest, 0) != len(rest) - 1):
        what = "an option holds more than its text and its feedback"
        mend = "write one paragraph, then the feedback in one quote: indented lines that begin with >"
        faults.append(Fault(Spot(line_of(rest[0])), what, mend))
    return Option(bool(box and box["mark"] != " "), Prose((label,)), Prose(tuple(inner)), spot)
