"""The ids that students' work is kept under: each only once, and none of them ever lost.

`docs/ids.txt` lists them, one a line: `check waste-31`. An id that was there and is gone takes students' answers
with it, unless a check names it as its alias.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from coursekit.checks.block import Block
from coursekit.problems import Fault, Problem, Spot, in_file
from coursekit.source import Fence

LIST = "ids.txt"
KEPT = ("check", "pause", "snippet")
"""The fences whose ids students' work is kept under."""

Placed = tuple[str, Fence, Block]
"""The page's name, the fence, and what became of it."""


def twice(blocks: Sequence[Placed]) -> Iterator[Problem]:
    """In the whole course, a kind of fence has each id only once, as an id or as an alias."""
    first: dict[tuple[str, str], str] = {}
    for name, fence, block in blocks:
        place = f"{name}:{fence.line}"
        owner = first.setdefault((fence.kind, block.id), place)
        if block.id and owner != place:
            yield from _at(name, fence, f'the id "{block.id}" stands at {owner} too', "give one of them another")
    for name, fence, block in blocks:
        alias = block.facts.get("alias")
        place = f"{name}:{fence.line}"
        owner = first.setdefault((fence.kind, alias), place) if alias else place
        if owner != place:
            yield from _at(name, fence, f'the alias "{alias}" is taken by {owner}', "an alias is an id that is gone")


def _at(name: str, fence: Fence, what: str, mend: str) -> list[Problem]:
    return in_file(name, [Fault(Spot(0), what, mend)], fence.line, fence.indent)


def known(blocks: Iterable[Placed]) -> set[tuple[str, str]]:
    """Every id that the course has, with its kind of fence; aliases included."""
    found: set[tuple[str, str]] = set()
    for _, fence, block in blocks:
        kinds = [fence.kind, "snippet"] if block.facts.get("kind") == "predict" else [fence.kind]
        names = [name for name in (block.id, block.facts.get("alias")) if name]
        found.update((kind, name) for kind in kinds if kind in KEPT for name in names)
    return found


def vanished(docs: Path, name: str, blocks: Iterable[Placed]) -> Iterator[Problem]:
    """The listed ids that the course has no longer. `name` is what the list is called in a problem."""
    here = known(blocks)
    for number, (kind, kept) in enumerate(listed(docs), start=1):
        if kind and (kind, kept) not in here:
            rename = f"`alias: {kept}` in the check that took its place" if kind == "check" else "its id again"
            mend = f"write {rename}, or take this line out if it is meant to go"
            yield Problem(name, number, 1, f'the {kind} "{kept}" is gone, and students have work under it', mend)


def listed(docs: Path) -> list[tuple[str, str]]:
    """The lines of the list, as kind and id; a line that is none is an empty pair."""
    path = docs / LIST
    lines = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
    pairs = [line.split() for line in lines]
    return [(pair[0], pair[1]) if len(pair) == 2 else ("", "") for pair in pairs]


def with_new(docs: Path, blocks: Iterable[Placed]) -> str:
    """The list with the ids that it lacks, sorted."""
    every = known(blocks) | {pair for pair in listed(docs) if pair[0]}
    return "".join(f"{kind} {name}\n" for kind, name in sorted(every))
