"""Draws a pool: a row of blocks with their owners, and a row a request with its tokens block by block."""

from engine.views.language import count, listing
from labs.founding.allocator.run import AllocatorRun, State
from labs.kit.picture import Cell, Picture, Row
from labs.kit.result import Violation


def draw(run: AllocatorRun, violation: Violation | None) -> Picture:
    """The pool after the call that went wrong; what it is about is marked."""
    step = violation.step if violation else run.num_steps - 1
    seen = run.states[min(step, run.num_steps - 1)] if run.states else NOTHING
    who = _about(run, violation)
    rows = [Row("blocks", tuple(_block_cell(seen, block) for block in range(run.workload.num_blocks)))]
    named = dict.fromkeys([*run.after(step).held, *seen.tables, *([who] if who else [])])
    rows += [_request_row(run, seen, name, step, name == who) for name in named]
    rows.append(Row("waste()", (Cell(str(seen.waste), marked=violation is not None and violation.rule == "waste"),)))
    requests = tuple(dict.fromkeys(call.name for call in run.workload.calls))
    columns = tuple(str(block) for block in range(run.workload.num_blocks))
    return Picture(_title(run, violation, seen), tuple(rows), _words(seen), requests, columns)


NOTHING = State(None, (), {}, 0)
"""What is drawn of a pool that couldn't be made."""


def _about(run: AllocatorRun, violation: Violation | None) -> str:
    """The request that the violation names, or the one whose call raised."""
    if violation is None or violation.rule == "waste":
        return ""
    call = run.call(violation.step)
    return violation.who or (call.name if call and violation.step == run.num_steps else "")


def _title(run: AllocatorRun, violation: Violation | None, seen: State) -> str:
    if violation is None:
        blocks = count(len(seen.lent()), "block")
        return f"The lesson's example, as your class runs it: {blocks}, waste {seen.waste}"
    call = run.call(violation.step)
    return f"It went wrong at {call}" if call else "It went wrong before the first call"


def _block_cell(seen: State, block: int) -> Cell:
    owners = [name for name, table in seen.tables.items() if block in table]
    free = seen.free.count(block)
    text = "+".join([*owners, *["free"] * free])
    wrong = len(owners) + free != 1 if block else bool(owners or free)
    return Cell(text or ("null" if block == 0 else "?"), owners[0] if owners else "", hatched=free > 0, marked=wrong)


def _request_row(run: AllocatorRun, seen: State, name: str, step: int, marked: bool) -> Row:
    """How full each block of a request is; a block that it should have and hasn't is left unpainted."""
    tokens, size = run.after(step).held.get(name, 0), run.workload.block_size
    held = len(seen.tables.get(name, ()))
    starts = range(0, max(tokens, held * size), size)
    cells = [
        Cell(f"{max(0, min(size, tokens - start))}/{size}", name if place < held else "", marked=marked)
        for place, start in enumerate(starts)
    ]
    return Row(f"{name}: {count(tokens, 'token')}", tuple(cells or [Cell("none", marked=marked)]))


def _words(seen: State) -> str:
    tables = [f"{name} holds {_blocks(table)}" for name, table in seen.tables.items()]
    return "; ".join([*tables, f"free: {_blocks(seen.free)}", f"waste {seen.waste}"]) + "."


def _blocks(blocks: tuple[int, ...]) -> str:
    return listing([str(block) for block in blocks]) if blocks else "none"
