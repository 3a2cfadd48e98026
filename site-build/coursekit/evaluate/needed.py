"""Which of a page's statements a question needs: the others aren't run for it.

A page may hold a figure that simulates for half a second, and fifty numbers in its prose that don't need it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence


def needed(given: Sequence[str], source: str) -> list[str]:
    """Those parts of `given`, each some statements, that set a name which `source` or a later needed part mentions.

    What isn't Python mentions everything: whoever runs it will say what is wrong with it.
    """
    wanted = _mentioned(source)
    kept: list[str] = []
    for part in reversed(given):
        if wanted is None or wanted & set(_set(part)):
            kept.append(part)
            more = _mentioned(part)
            wanted = None if wanted is None or more is None else wanted | more
    return kept[::-1]


def _mentioned(source: str) -> set[str] | None:
    try:
        tree = ast.parse(" ".join(source.split("\n")).strip(), mode="eval")
    except SyntaxError:
        return _mentioned_by_statements(source)
    return _names(tree)


def _mentioned_by_statements(source: str) -> set[str] | None:
    try:
        return _names(ast.parse(source))
    except SyntaxError:
        return None


def _names(tree: ast.AST) -> set[str]:
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}


def _set(source: str) -> Iterator[str]:
    """Every name that statements set, inside functions too: one too many only runs what could have been left out."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Name(ctx=ast.Store()):
                yield node.id
            case ast.FunctionDef() | ast.ClassDef():
                yield node.name
            case ast.alias():
                yield (node.asname or node.name).partition(".")[0]
