"""What a kind of check is made of."""

from __future__ import annotations

import html
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from coursekit.checks.draft import Draft, Option
from coursekit.checks.keys import Keys
from coursekit.checks.prose import Computed, Prose, Resolve
from coursekit.evaluate.errors import ExpressionError
from coursekit.problems import Fault, Spot
from coursekit.snippets import Ran, run_once
from coursekit.stated import contradiction, shown

Evaluate = Callable[..., Any]
"""Called with an expression, or with one and the statements that run before it; gives its value as plain data."""


@dataclass
class Bench:
    """What a kind works with: the check's id, the engine, the page's links, and a place for complaints."""

    evaluate: Evaluate
    resolve: Resolve = str
    id: str = ""
    given: tuple[str, ...] = ()
    """Statements that set the parameters of a computed check's variant."""
    drawn: bool = False
    """Whether this is a computed check: figures may be left to the engine."""
    later: bool = False
    """Whether this is a variant beside the one that the author wrote out: stated figures don't hold in it."""
    run: Callable[[str], Ran] = run_once
    faults: list[Fault] = field(default_factory=list)

    def fault(self, spot: Spot, what: str, mend: str) -> None:
        """Note an error and go on: an author hears of all of them at once."""
        self.faults.append(Fault(spot, what, mend))

    def value(self, expression: str) -> Any:
        """The engine's value of an expression, the parameters known. Raises ExpressionError."""
        return self.evaluate(expression, self.given) if self.given else self.evaluate(expression)

    def asked(self, expression: str, spot: Spot, subject: str) -> tuple[Any] | None:
        """The same in a tuple of one, or None where it gave none, which is a fault at `spot`."""
        try:
            return (self.value(expression),)
        except ExpressionError as error:
            self.fault(spot, f"{subject}: `{expression}` gives no value: {error}", "mend the expression")
            return None

    def settle(self, stated: str, expression: str, spot: Spot, subject: str) -> str:
        """The figure to show: what is stated and the engine confirms, or, in a variant, what the engine says."""
        if self.later or (self.drawn and not stated):
            said = self.asked(expression, spot, subject)
            return shown(said[0]) if said else stated
        denied = contradiction(stated, expression, self.value, subject)
        if denied:
            self.fault(spot, denied.what, denied.mend)
        return stated

    def settle_text(self, value: Computed) -> str:
        """The same for a figure in the text."""
        return self.settle(value.stated, value.expression, value.spot, "the text")


@dataclass(frozen=True)
class Answers:
    """The part of a check that its kind makes.

    `html` stands in the fieldset after the question. `seen` is what makes a stored answer an answer to
    this check and no other: what the student sees, and the key.
    """

    html: str
    seen: str
    question: Prose | None = None
    """The question, where the kind took a part of it as its own."""
    after: str = ""
    """HTML that stands after the form: what an answer opens."""
    facts: Mapping[str, Any] = field(default_factory=dict)
    """What whoever looks at a whole lesson, or exports it, wants to know. Plain data."""


@dataclass(frozen=True)
class Kind:
    """A kind: the header keys it reads beside the common ones, and how it makes its answers."""

    keys: Keys
    compile: Callable[[Draft, Bench], Answers]
    sections: frozenset[str] = frozenset()
    """Names of sections that it reads beside hint and explanation, in small letters."""


def hidden(css_class: str, data: str, words: Prose, bench: Bench) -> str:
    """Words that an answer may show. `data` are attributes, each with a space before it."""
    return f'<div class="{css_class}"{data} hidden>{words.html(bench.resolve)}</div>'


def attributes(**values: object) -> str:
    """Data attributes, each with a space before it; None leaves one out."""
    return "".join(f' data-{name}="{html.escape(str(v))}"' for name, v in values.items() if v is not None)


def require_feedback(options: tuple[Option, ...], what: str, bench: Bench) -> None:
    """Every option says something: a wrong answer is where somebody can learn."""
    for option in options:
        if not option.feedback.tokens:
            bench.fault(option.spot, f"{what} has no feedback", "add an indented line `> why` below it")


def require_different(options: tuple[Option, ...], bench: Bench) -> None:
    """No two options read the same; in a computed check, in no variant."""
    first_with: dict[str, Option] = {}
    for option in options:
        if first_with.setdefault(option.label.text(), option) is not option:
            bench.fault(option.spot, "two options read the same", "reword or remove one")
