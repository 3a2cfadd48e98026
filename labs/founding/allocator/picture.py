"""Draws a pool: a row of blocks with their owners, and a row a request with its tokens block by block."""

from engine.views.language import count, listing
from labs.founding.allocator.run import AllocatorRun, State
from labs.kit.picture import Cell, Picture, Row
from labs.kit.result import Violation


def draw(run: AllocatorRun, violation: Violation | None) -> Picture:
    """The pool after the call that went wrong; the request that it is about is marked."""
    step = violation.step if violation else run.num_steps - 1
    seen = run.states[min(step, run.num_steps - 1)] if run.states else State(None, (), {}, 0)
    who = violation.who if violation else ""
    pool = Row("blocks", tuple(_block_cell(seen, block) for block in range(run.workload.num_blocks)))
    requests = [_request_row(run, seen, name, step, who) for name in run.after(step).held | seen.tables]
    names = tuple(dict.fromkeys(call.name for call in run.workload.calls))
    columns = tuple(str(block) for block in range(run.workload.num_blocks))
    return Picture(_title(run, violation, seen), (pool, *requests), _words(seen), names, columns)


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


def _request_row(run: AllocatorRun, seen: State, name: str, step: int, who: str) -> Row:
    tokens, size = run.after(step).held.get(name, 0), run.workload.block_size
    starts = range(0, max(tokens, len(seen.tables.get(name, ())) * size), size)
    held = len(seen.tables.get(name, ()))
    cells = tuple(
        Cell(f"{max(0, min(size, tokens - start))}/{size}", name if place < held else "", marked=name == who)
        for place, start in enumerate(starts)
    )
    return Row(f"{name}: {count(tokens, 'token')}", cells)


def _words(seen: State) -> str:
    tables = [
        f"{name} holds {listing([str(block) for block in table] or ['none'])}" for name, table in seen.tables.items()
    ]
    free = f"free: {listing([str(block) for block in seen.free] or ['none'])}"
    return "; ".join([*tables, free]) + "."
