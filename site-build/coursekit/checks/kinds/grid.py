"""Fill the schedule: a table of steps and slots, or of pages, that the student fills in cell by cell.

    | step | slot 1 | slot 2 |
    |---|---|---|
    | 0 | **a** | b |
    | 1 | c | b |

    - [x] filled
      > What a right table shows.
    - [ ] 1, slot 1 = a
      > What who writes this has overlooked.
    - [ ] otherwise
      > Where to look first.

The table that ends the question holds the key. A bold cell is given, and so is the first cell of a row, which
names it.
"""

from __future__ import annotations

import html
import re
from dataclasses import dataclass

from markdown_it.token import Token

from coursekit.checks.draft import Draft, Option
from coursekit.checks.keys import Keys, text
from coursekit.checks.kinds.base import Answers, Bench, Kind, attributes, hidden, require_feedback
from coursekit.checks.prose import Prose, line_of
from coursekit.problems import Spot
from coursekit.stated import agrees

FILLED, OTHERWISE = "filled", "otherwise"
IDLE = "–"
"""What stands in a cell that nobody holds."""
_MISTAKE = re.compile(r"(?P<row>.+?),\s*(?P<column>.+?)\s*=\s*(?P<value>.+)")

KEYS: Keys = {
    "cells": text("What a cell may hold, with commas between: cells become menus. Without it they are fields."),
    "key": text("An expression that gives the table's rows, each a list of its cells, nobody as None. Needed."),
}


@dataclass(frozen=True)
class Cell:
    """A cell of the table: what it holds, as text, and whether it is given."""

    text: str
    given: bool


@dataclass(frozen=True)
class Table:
    """The table that the author wrote: `rows` have the cells after the one that names the row."""

    columns: tuple[str, ...]
    names: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    lines: tuple[int, ...]


def compile_grid(draft: Draft, bench: Bench) -> Answers:
    """A table of menus or fields. Faults: no table, no key, a cell that the engine denies, silent answers."""
    tokens = draft.question.tokens
    start = next((n for n, token in enumerate(tokens) if token.type == "table_open"), None)
    if start is None:
        bench.fault(Spot(1), "there is no table to fill in", "end the question with one: the key, cell by cell")
        return Answers("", "")
    table = _read(tokens[start:], draft.above)
    if tokens[-1].type != "table_close":
        spot = Spot(line_of(tokens[start]) + draft.above)
        bench.fault(spot, "text stands after the table", "move it above the table")
    if all(cell.given for row in table.rows for cell in row):
        spot = Spot(line_of(tokens[start]) + draft.above)
        bench.fault(spot, "no cell is left to fill in", "leave some cells without **bold**")
    _confirm(draft, table, bench)
    offered = [word.strip() for word in draft.header.text("cells").split(",") if word.strip()]
    _refuse_unoffered(table, offered, draft, bench)
    page = "\n".join([_table_html(table, offered, bench), *_feedback(draft, table, bench)])
    cells = [[cell.text for cell in row] for row in table.rows]
    return Answers(page, f"{table}|{offered}", Prose(tokens[:start]), facts={"cells": cells})


def _read(tokens: tuple[Token, ...], above: int) -> Table:
    columns: list[str] = []
    rows: list[list[Cell]] = []
    lines: list[int] = []
    for at, token in enumerate(tokens):
        if token.type == "table_close":
            break
        if token.type == "tr_open":
            rows.append([])
            lines.append(line_of(token) + above)
        if token.type == "inline":
            words = Prose((token,)).text()
            given = bool(token.children) and any(child.type == "strong_open" for child in token.children or [])
            if tokens[at - 1].type == "th_open":
                columns.append(words)
            else:
                rows[-1].append(Cell(words, given))
    body, body_lines = rows[1:], lines[1:]
    names = tuple(row[0].text if row else "" for row in body)
    return Table(tuple(columns), names, tuple(tuple(row[1:]) for row in body), tuple(body_lines))


def _confirm(draft: Draft, table: Table, bench: Bench) -> None:
    expression = draft.header.text("key")
    if not expression:
        bench.fault(Spot(1), "nothing computes the table", "add `key: …`, an expression that gives its rows")
        return
    spot = draft.header.spot("key")
    told = bench.asked(expression, spot, "the key")
    if not told:
        return
    [value] = told
    if not isinstance(value, list) or not all(isinstance(row, list) for row in value):
        bench.fault(spot, "the key gives no list of rows", "give a list of lists, one a row")
        return
    if [len(row) for row in value] != [len(row) for row in table.rows]:
        mine = f"{len(table.rows)} rows of {len(table.columns) - 1}"
        mend = "write as many rows and cells as the key has"
        bench.fault(spot, f"the table has {mine} cells, the key has {[len(row) for row in value]}", mend)
        return
    for name, line, row, wanted in zip(table.names, table.lines, table.rows, value, strict=True):
        for column, cell, want in zip(table.columns[1:], row, wanted, strict=True):
            said = IDLE if want is None or want == "" else want
            if not agrees(cell.text, said):
                mend = f"write {said}, or mend the key"
                bench.fault(Spot(line), f"{name}, {column}: the table says {cell.text}, the engine says {said}", mend)


def _refuse_unoffered(table: Table, offered: list[str], draft: Draft, bench: Bench) -> None:
    for line, row in zip(table.lines, table.rows, strict=True):
        for cell in row:
            if not cell.text:
                bench.fault(Spot(line), "a cell is empty", f"write {IDLE} where nobody is")
            elif offered and not cell.given and cell.text not in offered:
                mend = f"add it to `cells: {draft.header.text('cells')}`"
                bench.fault(Spot(line), f'"{cell.text}" can\'t be chosen', mend)


def _feedback(draft: Draft, table: Table, bench: Bench) -> list[str]:
    require_feedback(draft.options, "an answer", bench)
    parts = []
    said = {option.label.text() for option in draft.options}
    for needed, what in ((FILLED, "a right table"), (OTHERWISE, "any other table")):
        if needed not in said:
            box = "[x]" if needed == FILLED else "[ ]"
            bench.fault(Spot(1), f"nothing is said to {what}", f"add `- {box} {needed}` with feedback")
    for option in draft.options:
        words = option.label.text()
        if words in (FILLED, OTHERWISE):
            name = "check-answer" if words == FILLED else "check-otherwise"
            parts.append(hidden(name, "", option.feedback, bench))
        else:
            parts += _mistake(option, table, bench)
    return parts


def _mistake(option: Option, table: Table, bench: Bench) -> list[str]:
    match = _MISTAKE.fullmatch(option.label.text())
    row = table.names.index(match["row"]) if match and match["row"] in table.names else None
    column = table.columns.index(match["column"]) - 1 if match and match["column"] in table.columns[1:] else None
    if match is None or row is None or column is None:
        mend = f"write `- [ ] {table.names[0] if table.names else '1'}, {table.columns[-1]} = a`, as in the table"
        bench.fault(option.spot, f'"{option.label.text()}" names no cell', mend)
        return []
    if table.rows[row][column].text == match["value"]:
        bench.fault(option.spot, "this mistake is what the table says", "name a wrong cell")
    data = attributes(cell=f"{row},{column}", value=match["value"])
    return [hidden("check-mistake", data, option.feedback, bench)]


def _table_html(table: Table, offered: list[str], bench: Bench) -> str:
    head = "".join(f'<th scope="col">{html.escape(column)}</th>' for column in table.columns)
    body = "".join(
        f'<tr><th scope="row">{html.escape(name)}</th>'
        + "".join(
            _cell(cell, f"{table.columns[0]} {name}, {column}".strip(), f"{r},{c}", offered)
            for c, (column, cell) in enumerate(zip(table.columns[1:], row, strict=False))
        )
        + "</tr>"
        for r, (name, row) in enumerate(zip(table.names, table.rows, strict=True))
    )
    return f'<div class="check-grid"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'


def _cell(cell: Cell, name: str, place: str, offered: list[str]) -> str:
    if cell.given:
        return f"<td>{html.escape(cell.text)}</td>"
    control = f'<input autocomplete="off" maxlength="40" aria-label="{html.escape(name)}">'
    if offered:
        options = "".join(f"<option>{html.escape(word)}</option>" for word in offered)
        control = (
            f'<select autocomplete="off" aria-label="{html.escape(name)}"><option value=""></option>{options}</select>'
        )
    return f'<td class="check-cell"{attributes(cell=place, value=cell.text)}>{control}</td>'


KIND = Kind(KEYS, compile_grid)
