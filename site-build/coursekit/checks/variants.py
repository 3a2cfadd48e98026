"""Parameters of a computed check: drawn from a seed, the same in every build.

    draw: n = 17 from range(5, 41); page = 16 from (8, 16, 32)
    where: n % page

The values that are written out are those of the first variant, which is what the Markdown says.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from coursekit.checks.header import Header
from coursekit.evaluate.errors import ExpressionError
from coursekit.problems import Fault

DEFAULT_VARIANTS = 6
MOST_VARIANTS = 20
_TRIES = 40
"""Draws for one variant before it is said that there are too few."""
_DRAW = re.compile(r"(?P<name>[A-Za-z_]\w*)\s*=\s*(?P<first>.+?)\s+from\s+(?P<pool>.+)", re.DOTALL)

Given = tuple[str, ...]


@dataclass(frozen=True)
class Parameter:
    """A name, its value in the first variant and what it is drawn from, both as expressions."""

    name: str
    first: str
    pool: str


def variants_of(header: Header, name: str, evaluate: Callable[..., Any]) -> list[Given]:
    """For each variant the statements that set its parameters; one without statements where nothing is drawn.

    None at all where the parameters can't be drawn. Faults go to the header's.
    """
    if "draw" not in header.entries:
        for key in ("where", "seed", "variants"):
            if key in header.entries:
                header.faults.append(Fault(header.spot(key), f"{key} stands without draw", "add `draw: …` or drop it"))
        return [()]
    try:
        return _drawn(header, name, evaluate, _parameters(header))
    except ExpressionError as error:
        what = f"the parameters can't be drawn: {error}"
        header.faults.append(Fault(header.spot("draw"), what, "mend draw or where"))
        return []


def _parameters(header: Header) -> list[Parameter]:
    found = []
    for part in header.text("draw").split(";"):
        match = _DRAW.fullmatch(part.strip())
        if match:
            found.append(Parameter(match["name"], match["first"], match["pool"]))
        elif part.strip():
            mend = "write `n = 17 from range(5, 41)`, a semicolon between two"
            header.faults.append(Fault(header.spot("draw"), f'"{part.strip()}" draws nothing', mend))
    return found


def _drawn(header: Header, name: str, evaluate: Callable[..., Any], parameters: list[Parameter]) -> list[Given]:
    where, seed = header.text("where", "True"), header.whole("seed", 1)
    wanted = min(header.whole("variants", DEFAULT_VARIANTS), MOST_VARIANTS)
    found = [_first(header, evaluate, parameters)]
    if not evaluate(where, found[0]):
        header.faults.append(
            Fault(header.spot("where"), "the values written out don't meet `where`", "change one of them")
        )
    for number in range(1, wanted):
        for attempt in range(_TRIES):
            given = _draw(evaluate, parameters, f"{seed}/{name}/{number}/{attempt}")
            if given not in found and evaluate(where, given):
                found.append(given)
                break
        else:
            mend = "draw from more values, or ask for fewer `variants`"
            header.faults.append(Fault(header.spot("draw"), f"only {len(found)} variants were found", mend))
            break
    return found


def _first(header: Header, evaluate: Callable[..., Any], parameters: list[Parameter]) -> Given:
    given: Given = ()
    for one in parameters:
        value = evaluate(one.first, given)
        if value not in evaluate(f"list({one.pool})", given):
            what = f"{one.name} is {value}, which isn't among those it is drawn from"
            header.faults.append(Fault(header.spot("draw"), what, "write one that is"))
        given = (*given, f"{one.name} = {value!r}")
    return given


def _draw(evaluate: Callable[..., Any], parameters: list[Parameter], seed: str) -> Given:
    given: Given = ()
    for one in parameters:
        pool = evaluate(f"list({one.pool})", given)
        if not pool:
            raise ExpressionError(f"{one.name} has nothing to be drawn from")
        digest = hashlib.sha256(f"{seed}/{one.name}".encode()).digest()
        given = (*given, f"{one.name} = {pool[int.from_bytes(digest[:8], 'big') % len(pool)]!r}")
    return given
