"""What a kind of check is made of."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from coursekit.checks.draft import Draft
from coursekit.checks.prose import Resolve
from coursekit.problems import Fault, Spot
from coursekit.stated import contradiction


@dataclass
class Bench:
    """What a kind works with: the check's id, the engine, the page's links, and a place for complaints."""

    id: str
    evaluate: Callable[[str], Any]
    resolve: Resolve = str
    faults: list[Fault] = field(default_factory=list)

    def fault(self, spot: Spot, what: str, mend: str) -> None:
        """Note an error and go on: an author hears of all of them at once."""
        self.faults.append(Fault(spot, what, mend))

    def confirm(self, stated: str, expression: str, spot: Spot, subject: str) -> None:
        """Ask the engine whether `expression` gives what the `subject` states."""
        denied = contradiction(stated, expression, self.evaluate, subject)
        if denied:
            self.fault(spot, denied.what, denied.mend)


@dataclass(frozen=True)
class Answers:
    """The part of a check that its kind makes.

    `html` stands in the fieldset after the question. `seen` is what makes a stored answer an answer to
    this check and no other: what the student sees, and the key.
    """

    html: str
    seen: str


@dataclass(frozen=True)
class Kind:
    """A kind: the header keys it reads beside the common ones, and how it makes its answers."""

    keys: frozenset[str]
    compile: Callable[[Draft, Bench], Answers]
