"""A picture of one moment: rows of cells, as SVG and as text.

One kind of picture serves every task: in a schedule a row is a job and a cell a step; in a pool a cell is a
block; in a prompt it is a token. Everything that a colour says is said by a letter or a line as well.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from engine.views.palette import BAD, Colours, pencils
from engine.views.svg import element, filled, hatched, picture, text

NARROWEST, CELL_HEIGHT, GAP, BETWEEN = 34, 26, 10, 6
LETTER_WIDTH = 7.4
"""In pixels; a little generous, so that no text is cut."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell: painted for its owner, or hatched, or only outlined."""

    text: str = ""
    owner: str = ""
    """The request whose colour it has."""
    hatched: bool = False
    """It is there and not used, or waits."""
    marked: bool = False
    """It went wrong here."""
    gap: bool = False
    """It stands apart from the cell before."""


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
    requests: tuple[str, ...]
    """Every request in order of arrival: who gets which colour."""
    columns: tuple[str, ...] = ()
    """The names of the columns, where no row has gaps."""


def to_text(pictured: Picture) -> str:
    """The picture in letters: marked cells stand in square brackets."""
    header = [Row("", tuple(Cell(name) for name in pictured.columns))] if pictured.columns else []
    rows = [*header, *pictured.rows]
    label = max(len(row.label) for row in rows)
    letters = max((len(cell.text) for row in rows for cell in row.cells), default=0)
    lines = (f"{row.label:<{label}}  {_text_cells(row, letters)}".rstrip() for row in rows)
    return "\n".join([pictured.title, *lines])


def _text_cells(row: Row, letters: int) -> str:
    return "".join(_text_cell(cell, letters) for cell in row.cells)


def _text_cell(cell: Cell, letters: int) -> str:
    shown = (cell.text or "·").center(letters)
    return ("  " if cell.gap else "") + (f"[{shown}]" if cell.marked else f" {shown} ")


def width(pictured: Picture) -> float:
    """How wide the picture is drawn, in pixels."""
    across = _cell_width(pictured)
    return _left(pictured) + max(_offset(row, len(row.cells), across) for row in pictured.rows) + 6


def _left(pictured: Picture) -> float:
    return 14 + LETTER_WIDTH * max(len(row.label) for row in pictured.rows)


def _cell_width(pictured: Picture) -> float:
    """From one cell to the next: all are as wide as the longest text needs."""
    letters = max((len(cell.text) for row in pictured.rows for cell in row.cells), default=0)
    return max(NARROWEST, 12 + LETTER_WIDTH * letters)


def to_svg(pictured: Picture) -> str:
    """The picture as one SVG element, for a light or a dark ground alike."""
    left, across, top = _left(pictured), _cell_width(pictured), 22 if pictured.columns else 4
    height = top + len(pictured.rows) * (CELL_HEIGHT + BETWEEN) + 4
    shapes = [
        text(name, left + column * across + across / 2, 14, 12, "middle")
        for column, name in enumerate(pictured.columns)
    ]
    colours = pencils(pictured.requests)
    for index, row in enumerate(pictured.rows):
        y = top + index * (CELL_HEIGHT + BETWEEN)
        shapes.append(text(row.label, 4, y + 18))
        for place, cell in enumerate(row.cells):
            shapes += _cell(cell, left + _offset(row, place, across), y, across - 3, colours)
    return picture("grid", pictured.title, pictured.words, width(pictured), float(height), shapes)


def _cell(cell: Cell, x: float, y: float, across: float, colours: Mapping[str, Colours]) -> Iterator[str]:
    pencil = colours.get(cell.owner)
    if pencil:
        yield filled(x, y, across, CELL_HEIGHT, pencil)
    elif cell.hatched:
        yield hatched(x, y, across, CELL_HEIGHT)
    else:
        yield _outline(x, y, across, CELL_HEIGHT, "currentColor", 1, opacity=0.35)
    if cell.text:
        ink = pencil.ink if pencil else "currentColor"
        yield text(cell.text, x + across / 2, y + 18, 13, "middle", fill=ink)
    if cell.marked:
        yield _outline(x - 2, y - 2, across + 4, CELL_HEIGHT + 4, BAD, 3)


def _outline(x: float, y: float, across: float, down: float, stroke: str, line: float, **more: object) -> str:
    size = {"x": x, "y": y, "width": across, "height": down, "rx": 3}
    return element("rect", **size, fill="none", stroke=stroke, stroke_width=line, **more)


def _offset(row: Row, column: int, across: float) -> float:
    """Where a cell begins, counted from the first cell of its row."""
    gaps = sum(cell.gap for cell in row.cells[: column + 1])
    return column * across + gaps * GAP
