"""Draws prompts block by block, with who computed each block; below them the pool."""

from engine.views.language import count
from labs.founding.prefix.cases import Call
from labs.founding.prefix.run import PrefixRun
from labs.kit.picture import Cell, Picture, Row
from labs.kit.result import Violation
from labs.kit.words import names


def draw(run: PrefixRun, violation: Violation | None) -> Picture:
    """The requests up to the call that went wrong; what that call got wrong is marked."""
    last = violation.step if violation else run.num_steps - 1
    calls = run.workload.calls[: last + 1]
    computed = _computed_by(run, min(last + 1, run.num_steps))
    rows: list[Row] = []
    for step, call in enumerate(calls):
        if call.is_admit:
            wrong = violation is not None and violation.step == step
            rows += _prompt_rows(run, step, computed, wrong)
    title = f"It went wrong at {calls[-1]}" if violation else _summary(run)
    requests = tuple(call.name for call in run.workload.calls if call.is_admit)
    pool = _pool_rows(run, last) if violation else []
    return Picture(title, (*rows, *pool), _words(run, last), requests)


def _computed_by(run: PrefixRun, num_steps: int) -> dict[int, str]:
    """Who was the first to hold each block: nothing is overwritten in these workloads."""
    owners: dict[int, str] = {}
    for state in run.states[:num_steps]:
        for name, table in state.tables.items():
            for block in table:
                owners.setdefault(block, name)
    return owners


def _prompt_rows(run: PrefixRun, step: int, computed: dict[int, str], wrong: bool) -> list[Row]:
    call, size = run.workload.calls[step], run.workload.block_size
    seen = run.states[step] if step < run.num_steps else None
    table = seen.tables.get(call.name, ()) if seen else ()
    tokens, sources = [], []
    for place, token in enumerate(call.tokens):
        block = table[place // size] if place // size < len(table) else 0
        owner, apart = computed.get(block, ""), place > 0 and place % size == 0
        marked = wrong and (not seen or place // size < max(1, len(seen.found)))
        tokens.append(Cell(str(token), owner, hatched=not owner, marked=marked, gap=apart))
        sources.append(Cell(owner or "?", gap=apart))
    return [Row(_label(call), tuple(tokens)), Row("computed by", tuple(sources))]


def _label(call: Call) -> str:
    return f"{call.name}, tenant {call.cache_salt}" if call.cache_salt else call.name


def _pool_rows(run: PrefixRun, step: int) -> list[Row]:
    if step >= run.num_steps:
        return []
    state = run.states[step]
    blocks = range(1, run.workload.num_blocks)
    holders = {block: [*state.holders(block), *["free"] * state.free.count(block)] for block in blocks}
    cells = (Cell("+".join(held) or "?", hatched="free" in held) for held in holders.values())
    return [
        Row("block", tuple(Cell(str(block)) for block in blocks)),
        Row("held by", tuple(cells)),
    ]


def _summary(run: PrefixRun) -> str:
    found = [
        f"{call.name} {len(state.found) * run.workload.block_size}"
        for call, state in zip(run.workload.calls, run.states, strict=True)
    ]
    return f"The example, as your class runs it; tokens found: {', '.join(found)}"


def _words(run: PrefixRun, last: int) -> str:
    """Each call in a sentence: what it found, who holds what."""
    sentences = []
    for step, state in enumerate(run.states[: last + 1]):
        call = run.workload.calls[step]
        found = f" found {count(len(state.found), 'block')}" if call.is_admit else " ended"
        sentences.append(f"{call.name}{found}.")
        if step == last:
            sentences += [f"{names([name])} holds {list(table)}." for name, table in state.tables.items()]
    return " ".join(sentences).replace("`", "")
