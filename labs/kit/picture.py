"""A picture of one moment: rows of cells, as SVG and as text.

One kind of picture serves every task: a schedule is a row a job and a cell a step, a pool is a row of
blocks, a prompt is a row of tokens. Everything that a colour says is said by a letter or a line as well.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from typing import Literal

Kind = Literal["plain", "full", "shared", "waiting", "empty"]
"""How a cell looks: `full` and `shared` are filled, `waiting` has a slanted line, `empty` is dashed."""

CELL_WIDTH, CELL_HEIGHT, GAP = 34, 26, 10
CHARACTER_WIDTH = 7.4
"""Of the 13 px face, in pixels; a little generous, so that no label is cut."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell. `marked` says that it went wrong here; `gap` keeps it apart from the cell before."""

    text: str = ""
    kind: Kind = "plain"
    marked: bool = False
    gap: bool = False


@dataclass(frozen=True, slots=True)
class Row:
    """A line of cells and its name."""

    label: str
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Picture:
    """Rows under an optional line of column names. `words` says the same to those who can't see it."""

    title: str
    rows: tuple[Row, ...]
    words: str
    columns: tuple[str, ...] = ()


def to_text(picture: Picture) -> str:
    """The picture in letters: marked cells stand in square brackets."""
    header = [Row("", tuple(Cell(name) for name in picture.columns))] if picture.columns else []
    rows = [*header, *picture.rows]
    label = max(len(row.label) for row in rows)
    cell = max((len(cell.text) for row in rows for cell in row.cells), default=0)
    lines = (f"{row.label:<{label}}  {_text_cells(row, cell)}".rstrip() for row in rows)
    return "\n".join([picture.title, *lines])


def _text_cells(row: Row, width: int) -> str:
    return "".join(map(_text_cell, row.cells, [width] * len(row.cells)))


def _text_cell(cell: Cell, width: int) -> str:
    shown = (cell.text or "·").center(width)
    return ("  " if cell.gap else "") + (f"[{shown}]" if cell.marked else f" {shown} ")


def to_svg(picture: Picture) -> str:
    """The picture as one SVG element, for a light or a dark ground alike."""
    left = 12 + CHARACTER_WIDTH * max(len(row.label) for row in picture.rows)
    top = 24 if picture.columns else 4
    width = left + max(_offset(row, len(row.cells)) for row in picture.rows) + 6
    height = top + len(picture.rows) * (CELL_HEIGHT + 6) + 2
    inside = [f"<title>{escape(picture.title)}</title>", f"<desc>{escape(picture.words)}</desc>"]
    for column, name in enumerate(picture.columns):
        x = left + _offset(picture.rows[0], column) + CELL_WIDTH / 2
        inside.append(_text(x, 14, name, "middle"))
    for index, row in enumerate(picture.rows):
        y = top + index * (CELL_HEIGHT + 6)
        inside.append(_text(4, y + 17, row.label, "start"))
        inside += _svg_cells(row, left, y)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 {width:g} {height:g}" '
        f'width="{width:g}" height="{height:g}" style="{_STYLE}">{"".join(inside)}</svg>'
    )


_STYLE = (
    "color:var(--course-ink,var(--jp-content-font-color1,#1b1b1b));"
    "font:13px var(--course-font-code,var(--jp-code-font-family,monospace))"
)
_BAD = "var(--course-bad,var(--jp-error-color1,#b3261e))"
_FILL: dict[Kind, str] = {
    "plain": 'fill="none" stroke-opacity=".45"',
    "full": 'fill="currentColor" fill-opacity=".22" stroke-opacity=".6"',
    "shared": 'fill="currentColor" fill-opacity=".08" stroke-width="2"',
    "waiting": 'fill="none" stroke-opacity=".45"',
    "empty": 'fill="none" stroke-opacity=".45" stroke-dasharray="3 3"',
}


def _svg_cells(row: Row, left: float, y: float) -> Iterator[str]:
    for index, cell in enumerate(row.cells):
        x = left + _offset(row, index)
        box = f'x="{x:g}" y="{y:g}" width="{CELL_WIDTH - 2}" height="{CELL_HEIGHT}" rx="3"'
        yield f'<rect {box} stroke="currentColor" {_FILL[cell.kind]}/>'
        if cell.kind == "waiting":
            line = f'x1="{x + 3:g}" y1="{y + CELL_HEIGHT - 3:g}" x2="{x + CELL_WIDTH - 5:g}" y2="{y + 3:g}"'
            yield f'<line {line} stroke="currentColor" stroke-opacity=".45"/>'
        if cell.marked:
            yield f'<rect {box} fill="none" stroke="{_BAD}" stroke-width="3"/>'
        yield _text(x + CELL_WIDTH / 2 - 1, y + 17, cell.text, "middle")


def _offset(row: Row, column: int) -> float:
    """Where a cell begins, counted from the first cell of its row."""
    gaps = sum(cell.gap for cell in row.cells[: column + 1])
    return column * CELL_WIDTH + gaps * GAP


def _text(x: float, y: float, words: str, anchor: str) -> str:
    where = f'x="{x:g}" y="{y:g}" text-anchor="{anchor}"'
    return f'<text {where} fill="currentColor">{escape(words)}</text>' if words else ""
