"""A schedule as a picture: slots downwards, steps to the right, one cell for each request in each step."""

from collections.abc import Iterable
from typing import NamedTuple

from engine.trace import Trace
from engine.views.language import count
from engine.views.palette import BAD, Colours, pencils
from engine.views.slots import Cell, Grid, slot_grid
from engine.views.svg import element, filled, hatched, line, picture, text, tip
from engine.views.words import schedule_words

MOST_STEPS = 24
"""More steps than this don't fit in one picture; it then shows a stretch of them and says so."""

_ROW, _GAP, _TOP, _FOOT = 34, 4, 30, 30


class _Frame(NamedTuple):
    """Where things stand: `left` of the grid, the width of a column, and the steps that are shown."""

    left: float
    column: float
    steps: range

    def x(self, step: int) -> float:
        return self.left + (step - self.steps.start) * self.column


def schedule_svg(trace: Trace, mark: int | None = None) -> str:
    """The schedule of `trace` as an SVG.

    Columns are steps and the numbers stand on the lines between them: a request that ends at line 3 is done
    after 3 steps. Idle slots are hatched. `mark` is the index of a step to point at; of a run longer than
    `MOST_STEPS` a stretch is shown that holds it.
    """
    grid = slot_grid(trace)
    names = trace.requests()
    frame = _frame(grid, names, mark)
    colours = pencils(names)
    chunks = any(cell and cell.num_scheduled_tokens > 1 for slot in grid.slots for cell in slot)
    shapes = [_ruler(frame, len(grid.slots)), *_slot_names(grid)]
    for row, slot in enumerate(grid.slots):
        for step in frame.steps:
            shapes.append(_cell(frame, row, step, slot[step], colours, chunks))
    if mark is not None and mark in frame.steps:
        shapes.append(_mark(frame, mark, len(grid.slots)))
    shapes.append(_legend(frame, grid))
    width = frame.x(frame.steps.stop) + 12
    height = _bottom(len(grid.slots)) + _FOOT
    return picture("schedule", _title(trace, grid, frame), schedule_words(trace), max(width, 220), height, shapes)


def _frame(grid: Grid, names: Iterable[str], mark: int | None) -> _Frame:
    longest = max((len(name) for name in names), default=1)
    first = 0
    if grid.num_steps > MOST_STEPS:
        first = min(max((mark or 0) - MOST_STEPS // 2, 0), grid.num_steps - MOST_STEPS)
    return _Frame(
        54,
        max(40 if grid.num_steps <= 12 else 30, 9 * longest + 12),
        range(first, min(grid.num_steps, first + MOST_STEPS)),
    )


def _title(trace: Trace, grid: Grid, frame: _Frame) -> str:
    shown = count(grid.num_steps, "step")
    if len(frame.steps) < grid.num_steps:
        shown = f"steps {frame.steps.start} to {frame.steps.stop - 1} of {grid.num_steps}"
    return f"{trace.header.name}: {count(len(grid.slots), 'slot')}, {shown}"


def _y(row: int) -> float:
    return _TOP + row * (_ROW + _GAP)


def _bottom(num_slots: int) -> float:
    return _y(num_slots) - _GAP


def _ruler(frame: _Frame, num_slots: int) -> str:
    """The lines between steps, each with the number of steps that are done there."""
    bounds = range(frame.steps.start, frame.steps.stop + 1)
    path = "".join(f"M{frame.x(step):g} {_TOP - 6}V{_bottom(num_slots) + 4:g}" for step in bounds)
    labels = [text(str(step), frame.x(step), _TOP - 12, 12, "middle", opacity=0.8) for step in bounds]
    return element("g", line(path, opacity=0.25), text("steps", 0, _TOP - 12, 12, opacity=0.8), *labels)


def _slot_names(grid: Grid) -> Iterable[str]:
    for row in range(len(grid.slots)):
        yield text(f"slot {row + 1}", 0, _y(row) + _ROW / 2 + 4.5, 13)


def _cell(frame: _Frame, row: int, step: int, cell: Cell | None, colours: dict[str, Colours], chunks: bool) -> str:
    x, y, width = frame.x(step) + 2, _y(row), frame.column - 4
    if cell is None:
        return hatched(x, y, width, _ROW, tip(f"slot {row + 1} is idle in step {step}"))
    hint = tip(_hint(cell, step))
    middle = x + width / 2
    if not cell.num_scheduled_tokens:
        sign = "✕" if cell.fate == "preempted" else "·"
        return element("g", hint, hatched(x, y, width, _ROW), text(f"{cell.id} {sign}", middle, y + 22, 13, "middle"))
    pencil = colours[cell.id]
    shapes = [filled(x, y, width, _ROW, pencil)]
    baseline = y + (16 if chunks else 22)
    shapes.append(text(cell.id, middle, baseline, 15, "middle", fill=pencil.ink, font_weight=700))
    if chunks:
        shapes.append(text(f"×{cell.num_scheduled_tokens}", middle, y + 29, 11, "middle", fill=pencil.ink))
    if cell.fate == "finished":
        # A bar at the right edge: here the answer is whole.
        shapes.append(line(f"M{x + width - 3:g} {y + 6}v{_ROW - 12}", pencil.ink, 2.5, stroke_linecap="round"))
    return element("g", hint, *shapes)


def _hint(cell: Cell, step: int) -> str:
    if cell.fate == "preempted":
        return f"{cell.id} is preempted in step {step}"
    if not cell.num_scheduled_tokens:
        return f"{cell.id} holds its slot in step {step} and gets nothing"
    tokens = "1 token" if cell.num_scheduled_tokens == 1 else f"{cell.num_scheduled_tokens} tokens"
    end = f" and is {cell.fate}" if cell.fate else ""
    return f"{cell.id} gets {tokens} in step {step}{end}"


def _mark(frame: _Frame, step: int, num_slots: int) -> str:
    x, bottom = frame.x(step), _bottom(num_slots)
    frame_line = line(f"M{x:g} {_TOP - 5}h{frame.column:g}V{bottom + 5:g}h-{frame.column:g}z", BAD, 2.5)
    arrow = element("path", d=f"M{x + frame.column / 2 - 6:g} {_TOP - 21}h12l-6 9z", fill=BAD)
    return element("g", tip(f"step {step}"), frame_line, arrow)


def _legend(frame: _Frame, grid: Grid) -> str:
    y = _bottom(len(grid.slots)) + 12
    total = len(grid.slots) * grid.num_steps
    words = f"idle: {grid.num_idle} of {total} slot-steps"
    return element("g", hatched(frame.left + 2, y, 16, 14, gap=5), text(words, frame.left + 26, y + 11.5, 12))
