"""The Python of a figure: statements that set names, and bare expressions that are shown."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from coursekit.problems import Fault, Spot
from coursekit.source import Fence

FIGURES = ("figure", "chart")
"""The fences whose Python shows something."""


@dataclass(frozen=True)
class Given:
    """The statements of one figure that set names: what its page's prose may refer to."""

    figure: str
    source: str


def split_body(body: str) -> tuple[str, str, int]:
    """The Python of a figure's body, the Markdown of its caption, and the number of lines above that.

    A line of three dashes keeps the two apart.
    """
    lines = body.split("\n")
    cut = next((n for n, line in enumerate(lines) if line.strip() == "---"), len(lines))
    return "\n".join(lines[:cut]), "\n".join(lines[cut + 1 :]), cut + 1


def given_by(fences: Sequence[Fence]) -> tuple[Given, ...]:
    """What the figures among `fences` set, in the order of the page. Broken Python sets nothing."""
    return tuple(
        Given(fence.options.get("id", ""), without_shown(split_body(fence.body)[0]))
        for fence in fences
        if fence.kind in FIGURES
    )


def without_shown(source: str) -> str:
    """The statements of a figure that set names, without the expressions that it shows."""
    kept = [statement for statement in _statements(source) if not isinstance(statement, ast.Expr)]
    return "\n".join(ast.unparse(statement) for statement in kept)


def names_set_twice(fences: Sequence[Fence]) -> Iterator[tuple[Fence, Fault]]:
    """A fault for every name that two figures of a page set: prose couldn't say which it means."""
    owner: dict[str, str] = {}
    for fence in fences:
        if fence.kind not in FIGURES:
            continue
        figure = fence.options.get("id", "")
        for name, line in _names(split_body(fence.body)[0]):
            if owner.setdefault(name, figure) != figure:
                what = f'the figure "{owner[name]}" sets `{name}` too'
                yield fence, Fault(Spot(line), what, "give it another name, or use the one that is there")


def _statements(source: str) -> list[ast.stmt]:
    try:
        return ast.parse(source).body
    except SyntaxError:
        return []


def _names(source: str) -> Iterator[tuple[str, int]]:
    for statement in _statements(source):
        targets = statement.targets if isinstance(statement, ast.Assign) else []
        for target in targets:
            for node in ast.walk(target):
                if isinstance(node, ast.Name):
                    yield node.id, node.lineno
