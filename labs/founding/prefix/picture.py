"""Draws prompts block by block, with who computed each block; below them the pool."""

from engine.views.language import count
from labs.founding.prefix.cases import Call
from labs.founding.prefix.run import PrefixRun
from labs.kit.picture import Cell, Picture, Row
from labs.kit.result import Violation


def draw(run: PrefixRun, violation: Violation | None) -> Picture:
    """The requests up to the call that went wrong; what that call got wrong is marked."""
    last = violation.step if violation else run.num_steps - 1
    calls = run.workload.calls[: last + 1]
    computed = _computed_by(run, min(last + 1, run.num_steps))
    rows: list[Row] = []
    for step, call in enumerate(calls):
        if call.is_admit:
            rows += _prompt_rows(run, step, computed, _wrong_blocks(run, violation, step))
    title = f"It went wrong at {calls[-1]}" if violation else _summary(run)
    requests = tuple(call.name for call in run.workload.calls if call.is_admit)
    pool = _pool_rows(run, last) if violation else []
    return Picture(title, (*rows, *pool), _words(run, last), requests)


def _wrong_blocks(run: PrefixRun, violation: Violation | None, step: int) -> range:
    """The places of this prompt that went wrong: all of it where its own call raised or left it behind."""
    call = run.workload.calls[step]
    if violation is None or call.name != run.workload.calls[violation.step].name:
        return range(0)
    if violation.step == run.num_steps or violation.rule == "tables":
        return range(len(call.tokens))
    found = len(run.states[violation.step].found)
    if violation.rule == "longest":
        return range(found, found + 1)
    return range(found) if violation.step == step else range(0)


def _computed_by(run: PrefixRun, num_steps: int) -> dict[int, str]:
    """Who was the first to hold each block: nothing is overwritten in these workloads."""
    owners: dict[int, str] = {}
    for state in run.states[:num_steps]:
        for name, table in state.tables.items():
            for block in table:
                owners.setdefault(block, name)
    return owners


def _prompt_rows(run: PrefixRun, step: int, computed: dict[int, str], wrong: range) -> list[Row]:
    call, size = run.workload.calls[step], run.workload.block_size
    table = run.states[step].tables.get(call.name, ()) if step < run.num_steps else ()
    tokens, sources = [], []
    for index, token in enumerate(call.tokens):
        place, apart = index // size, index > 0 and index % size == 0
        owner = computed.get(table[place], "") if place < len(table) else ""
        tokens.append(Cell(str(token), owner, hatched=not owner, marked=place in wrong, gap=apart))
        sources.append(Cell(owner or "?", gap=apart))
    return [Row(_label(call), tuple(tokens)), Row("computed by", tuple(sources))]


def _label(call: Call) -> str:
    return f"{call.name}, tenant {call.cache_salt}" if call.cache_salt else call.name


def _pool_rows(run: PrefixRun, step: int) -> list[Row]:
    """Each block, who holds it, and how many holders the student's count says."""
    if step >= run.num_steps:
        return []
    state = run.states[step]
    numbers, held, counted = [], [], []
    for block in range(1, run.workload.num_blocks):
        holders, free, told = state.holders(block), state.free.count(block), state.ref_count.get(block, 0)
        wrong = free != (0 if holders else 1)
        numbers.append(Cell(str(block)))
        held.append(Cell("+".join([*holders, *["free"] * free]) or "?", hatched=free > 0, marked=wrong))
        counted.append(Cell(str(told), marked=told != len(holders)))
    return [Row("block", tuple(numbers)), Row("held by", tuple(held)), Row("ref_count", tuple(counted))]


def _summary(run: PrefixRun) -> str:
    found = [
        f"{call.name} {len(state.found) * run.workload.block_size}"
        for call, state in zip(run.workload.calls, run.states, strict=True)
    ]
    return f"The example, as your class runs it; tokens found: {', '.join(found)}"


def _words(run: PrefixRun, last: int) -> str:
    """Each call in a sentence, then who holds what."""
    sentences = []
    for call, state in zip(run.workload.calls[: last + 1], run.states, strict=False):
        found = f"found {count(len(state.found), 'block')}" if call.is_admit else "ended"
        sentences.append(f"{call.name} {found}.")
    if last < run.num_steps:
        sentences += [f"{name} holds blocks {list(table)}." for name, table in run.states[last].tables.items()]
    return " ".join(sentences) or "No call came to its end."
