"""What happened to each request of a trace: the slots that it held, and how it ended."""

from collections.abc import Iterable
from typing import NamedTuple

from engine.trace import Rejected, Trace
from engine.views.slots import Cell, Fate, slot_grid


class Spell(NamedTuple):
    """One stretch of steps in which a request held one slot."""

    slot: int
    first: int
    """The step in which it began."""
    last: int
    """The last step of it."""
    fate: Fate
    """What ended it; empty while it lasts."""


class Story(NamedTuple):
    """One request's way through a trace."""

    id: str
    spells: tuple[Spell, ...]
    num_steps: int
    """Steps in which it got tokens."""
    num_tokens: int
    """Tokens computed for it, those that were computed twice included."""
    rejected: str
    """Why it was refused; empty where it wasn't."""


class _Held(NamedTuple):
    slot: int
    step: int
    cell: Cell


def stories(trace: Trace) -> tuple[Story, ...]:
    """The story of each request, in the order of arrival."""
    grid = slot_grid(trace)
    held: dict[str, list[_Held]] = {name: [] for name in trace.requests()}
    for step in range(grid.num_steps):
        for slot, cells in enumerate(grid.slots):
            cell = cells[step]
            if cell is not None:
                held[cell.id].append(_Held(slot, step, cell))
    rejected = {record.id: record.reason for record in trace.of(Rejected)}
    return tuple(_story(name, mine, rejected.get(name, "")) for name, mine in held.items())


def _story(name: str, held: list[_Held], rejected: str) -> Story:
    tokens = [place.cell.num_scheduled_tokens for place in held if place.cell.num_scheduled_tokens]
    return Story(name, tuple(_spells(held)), len(tokens), sum(tokens), rejected)


def _spells(held: Iterable[_Held]) -> list[Spell]:
    spells: list[Spell] = []
    for slot, step, cell in held:
        if spells and not spells[-1].fate:
            spells[-1] = Spell(slot, spells[-1].first, step, cell.fate)
        else:
            spells.append(Spell(slot, step, step, cell.fate))
    return spells
