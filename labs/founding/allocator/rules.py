"""What holds after every call on a pool of blocks, and how a run breaks it."""

from collections import Counter

from engine.blocks import blocks_needed
from engine.views.language import count, listing
from labs.founding.allocator.run import AllocatorRun
from labs.kit.rules import Broken, Rule


def _null_block(run: AllocatorRun, step: int) -> Broken | None:
    state = run.states[step]
    if 0 in state.free:
        return Broken("Block 0 stands in `free_blocks`, so it can be lent.")
    for name, table in state.tables.items():
        if 0 in table:
            return Broken(f"`{name}` holds block 0.", name)
    return None


def _answer(run: AllocatorRun, step: int) -> Broken | None:
    call, after, answer = run.call(step), run.after(step), run.states[step].answer
    if call is None or call.kind == "free" or answer is after.answer:
        return None
    before = run.workload.needed(run.after(step - 1).held)
    grown = {**run.after(step - 1).held}
    grown[call.name] = grown.get(call.name, 0) + (call.num_tokens or 1)
    more, free = run.workload.needed(grown) - before, run.num_lendable - before
    words = f"`{call}` needs {count(more, 'new block')} and {free} {'is' if free == 1 else 'are'} free"
    return Broken(f"{words}: it has to answer {after.answer}, and it answered {answer}.", call.name)


def _double_free(run: AllocatorRun, step: int) -> Broken | None:
    call, after, answer = run.call(step), run.after(step), run.states[step].answer
    if call is None or call.kind != "free" or (answer == "KeyError") == after.unknown:
        return None
    holds = "holds nothing" if after.unknown else "holds blocks"
    raised = "nothing was raised" if after.unknown else "it raised KeyError"
    return Broken(f"`{call}`: {call.name} {holds}, and {raised}.", call.name)


def _refusal(run: AllocatorRun, step: int) -> Broken | None:
    call, now, before = run.call(step), run.states[step], run.states[step - 1]
    if call is None or not run.refused(step):
        return None
    if len(now.free) != len(before.free) or now.tables != before.tables:
        free, lent = f"{len(before.free)} → {len(now.free)}", f"{len(before.lent())} → {len(now.lent())}"
        return Broken(f"`{call}` was refused, and yet: free blocks {free}, lent {lent}.", call.name)
    if now.waste != before.waste:
        waste = f"{before.waste} → {now.waste}"
        return Broken(f"`{call}` was refused, and yet the waste went {waste}.", call.name)
    return None


def _tables(run: AllocatorRun, step: int) -> Broken | None:
    held, size = run.after(step).held, run.workload.block_size
    tables = run.states[step].tables
    for name in tables:
        if name not in held:
            return Broken(f"`{name}` holds nothing any more, and `tables[{name!r}]` is {tables[name]}.", name)
    for name, tokens in held.items():
        got, needs = len(tables.get(name, ())), blocks_needed(tokens, size)
        if got != needs:
            words = f"`{name}` has {count(tokens, 'token')}, {size} to a block: {count(needs, 'block')}"
            return Broken(f"{words}. Its table has {got}.", name)
    return None


def _stays(run: AllocatorRun, step: int) -> Broken | None:
    for name, table in run.states[step].tables.items():
        before = run.states[step - 1].tables.get(name, ()) if step else ()
        if name in run.after(step - 1).held and table[: len(before)] != before:
            told = f"`{name}` held blocks {listing(_text(before))}, and now holds {listing(_text(table))}"
            return Broken(f"{told}: its tokens are still in the old ones.", name)
    return None


def _one_owner(run: AllocatorRun, step: int) -> Broken | None:
    tables, free = run.states[step].tables, run.states[step].free
    for block, times in Counter([*run.states[step].lent(), *free]).items():
        if times > 1:
            owners = [name for name, table in tables.items() for _ in range(table.count(block))]
            places = [*(f"`{name}`'s table" for name in owners), *["`free_blocks`"] * free.count(block)]
            return Broken(f"Block {block} stands in {listing(places)} at once.", "".join(owners[:1]))
    return None


def _conserved(run: AllocatorRun, step: int) -> Broken | None:
    free, lent = len(run.states[step].free), len(run.states[step].lent())
    if free + lent == run.num_lendable:
        return None
    lendable = count(run.num_lendable, "block")
    return Broken(f"{free} free + {lent} lent = {free + lent}, and the pool has {lendable} to lend.")


def _waste(run: AllocatorRun, step: int) -> Broken | None:
    held, size = run.after(step).held, run.workload.block_size
    blocks, tokens = run.workload.needed(held), sum(held.values())
    if run.states[step].waste == blocks * size - tokens:
        return None
    reserved = f"{count(blocks, 'block')} of {size} reserve {count(blocks * size, 'slot')}"
    words = f"{reserved} for {count(tokens, 'token')}: {blocks * size - tokens} unused"
    return Broken(f"{words}. `waste()` says {run.states[step].waste}.")


def _text(blocks: tuple[int, ...]) -> list[str]:
    return [str(block) for block in blocks] or ["none"]


RULES: tuple[Rule[AllocatorRun], ...] = (
    Rule("null-block", "Block 0 is the null block: it is never lent.", _null_block),
    Rule("answer", "A call that fits answers True; one that doesn't answers False.", _answer),
    Rule("double-free", "Freeing a request that holds nothing raises KeyError.", _double_free),
    Rule("refusal", "A call that is refused changes nothing.", _refusal),
    Rule("tables", "A request holds as many blocks as its own tokens fill, rounded up.", _tables),
    Rule("stays", "A request keeps the blocks that it has; new ones come behind them.", _stays),
    Rule("one-owner", "A block is in one table or in `free_blocks`, and there once.", _one_owner),
    Rule("conserved", "Free blocks and lent blocks add up to all that can be lent.", _conserved),
    Rule("waste", "`waste()` is slots reserved less tokens stored, added up request by request.", _waste),
)
