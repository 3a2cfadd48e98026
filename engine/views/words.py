"""A schedule in words and as a table, for whoever can't see the picture, or would rather read."""

from collections.abc import Iterable, Sequence

from engine.trace import Stalled, Trace
from engine.views.html import html_table
from engine.views.language import count, listing
from engine.views.slots import Cell, Fate, slot_grid
from engine.views.stories import Spell, Story, stories


def schedule_words(trace: Trace) -> str:
    """What happened, in sentences: the run, then each request in the order of arrival, then what was idle."""
    grid = slot_grid(trace)
    told = [story_words(story) for story in stories(trace)]
    size = f"{count(len(told), 'request')}, {count(len(grid.slots), 'slot')}, {count(grid.num_steps, 'step')}."
    stalls = [_stall_words(record.ids) for record in trace.of(Stalled)]
    idle = f"{grid.num_idle} of {count(len(grid.slots) * grid.num_steps, 'slot-step')} stayed idle."
    return " ".join([size, *told, *stalls, idle])


def _stall_words(ids: Sequence[str]) -> str:
    wait = "waits" if len(ids) == 1 else "wait"
    return f"Then the engine stalls: {listing(ids)} {wait} for blocks that will never be free."


def story_words(story: Story) -> str:
    """One request's way in one sentence. Slots count from 1, and steps are steps done."""
    if story.rejected:
        return f"{story.id} is rejected: {story.rejected}."
    if not story.spells:
        return f"{story.id} never gets a slot."
    told = [words for number, spell in enumerate(story.spells) for words in _spell(spell, again=number > 0)]
    if not story.spells[-1].fate:
        told.append("isn't done")
    tokens = ""
    if story.num_tokens != story.num_steps:
        tokens = f"; it computes {count(story.num_tokens, 'token')} in {count(story.num_steps, 'step')}"
    return f"{story.id} {listing(told)}{tokens}."


def _spell(spell: Spell, again: bool) -> Iterable[str]:
    yield f"takes slot {spell.slot + 1}{' again' if again else ''} {_after(spell.first)}"
    if spell.fate == "preempted":
        # It lost its blocks while this step was planned, so the step before was its last.
        yield f"is preempted {_after(spell.last)}"
    elif spell.fate:
        yield f"{_ENDS[spell.fate]} {_after(spell.last + 1)}"


_ENDS: dict[Fate, str] = {"finished": "finishes", "timed out": "times out", "cancelled": "is cancelled"}


def _after(steps: int) -> str:
    return f"after {count(steps, 'step')}" if steps else "at the start"


def schedule_table(trace: Trace) -> str:
    """The schedule as an HTML table: a row for each step, counted from 0, and a column for each slot."""
    grid = slot_grid(trace)
    heads = ["step", *(f"slot {number}" for number in range(1, len(grid.slots) + 1))]
    rows = [[str(step), *(_cell(slot[step]) for slot in grid.slots)] for step in range(grid.num_steps)]
    return html_table(f"{trace.header.name}, step by step; the first step is 0", heads, rows)


def _cell(cell: Cell | None) -> str:
    if cell is None:
        return "idle"
    if not cell.num_scheduled_tokens:
        return f"{cell.id}, {cell.fate or 'gets nothing'}"
    tokens = "" if cell.num_scheduled_tokens == 1 else f" × {cell.num_scheduled_tokens}"
    return f"{cell.id}{tokens}" + (f", {cell.fate}" if cell.fate else "")
