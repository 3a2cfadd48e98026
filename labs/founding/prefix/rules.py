"""What holds after every call on a cache of shared blocks, and how a run breaks it."""

from collections import Counter

from engine.views.language import count
from labs.founding.prefix.run import PrefixRun
from labs.kit.rules import Broken, Rule
from labs.kit.words import names


def _tenants(run: PrefixRun, step: int) -> Broken | None:
    call, state = run.workload.calls[step], run.states[step]
    for block in state.found:
        owner = state.content[block].cache_salt
        if owner != call.cache_salt:
            whose = f"Block {block} was computed for {_tenant(owner)}, and `{call.name}` belongs to"
            return Broken(f"{whose} {_tenant(call.cache_salt)}. `lookup` gave it away.", call.name)
    return None


def _same_beginning(run: PrefixRun, step: int) -> Broken | None:
    call, state = run.workload.calls[step], run.states[step]
    for place, block in enumerate(state.found):
        has, wanted = state.content[block].tokens, run.wanted(step, place).tokens
        if has != wanted:
            needs = f"`{call.name}` needs one that ends the beginning {list(wanted)}"
            return Broken(f"`lookup` gave block {block}. It ends the beginning {list(has)}; {needs}.", call.name)
    return None


def _last_token(run: PrefixRun, step: int) -> Broken | None:
    call, size = run.workload.calls[step], run.workload.block_size
    found, tokens = len(run.states[step].found) * size, len(call.tokens)
    if not found or found < tokens:
        return None
    words = f"`{call.name}` has {count(tokens, 'token')}, and `lookup` found all of them"
    return Broken(f"{words}: nothing is left to compute, so no next token comes out.", call.name)


def _longest(run: PrefixRun, step: int) -> Broken | None:
    call, found, most = run.workload.calls[step], len(run.states[step].found), run.reusable(step)
    if found == most:
        return None
    words = f"`{call.name}` can take over {count(most, 'block')}, {count(most * run.workload.block_size, 'token')}"
    return Broken(f"{words}. `lookup` found {found}.", call.name)


def _tables(run: PrefixRun, step: int) -> Broken | None:
    call, table = run.workload.calls[step], run.states[step].tables
    if call.is_admit or call.name not in table:
        return None
    return Broken(f"After `{call}`, `tables[{call.name!r}]` is still {list(table[call.name])}.", call.name)


def _counts(run: PrefixRun, step: int) -> Broken | None:
    state = run.states[step]
    held = Counter(block for table in state.tables.values() for block in table)
    for block in range(1, run.workload.num_blocks):
        told = state.ref_count.get(block, 0)
        if told != held[block]:
            holders = names(state.holders(block))
            words = f"Block {block} stands in {count(held[block], 'table')} ({holders})"
            return Broken(f"{words}, and `ref_count[{block}]` is {told}.", run.workload.calls[step].name)
    return None


def _in_use(run: PrefixRun, step: int) -> Broken | None:
    state = run.states[step]
    for block in state.free:
        if holders := state.holders(block):
            words = f"Block {block} stands in `free_blocks` while {names(holders)} still {_reads(holders)} it"
            return Broken(f"{words}: the next request would overwrite it.", holders[0])
    return None


def _given_back(run: PrefixRun, step: int) -> Broken | None:
    state = run.states[step]
    for block in range(1, run.workload.num_blocks):
        times = state.free.count(block)
        if not state.holders(block) and times != 1:
            words = f"Nobody holds block {block}, and it stands in `free_blocks` {count(times, 'time')}."
            return Broken(words, run.workload.calls[step].name)
    return None


def _tenant(cache_salt: str | None) -> str:
    return f"tenant {cache_salt}" if cache_salt else "no tenant"


def _reads(holders: list[str]) -> str:
    return "reads" if len(holders) == 1 else "read"


RULES: tuple[Rule[PrefixRun], ...] = (
    Rule("tenants", "A request never takes over a block of another tenant.", _tenants),
    Rule("same-beginning", "A block is taken over only after the very same beginning.", _same_beginning),
    Rule("last-token", "At least one token is left to compute.", _last_token),
    Rule("longest", "`lookup` finds every whole block that can be taken over.", _longest),
    Rule("tables", "A request that has ended has no table.", _tables),
    Rule("counts", "`ref_count` says in how many tables a block stands.", _counts),
    Rule("in-use", "A block that somebody holds isn't free.", _in_use),
    Rule("given-back", "A block that nobody holds is in `free_blocks`, once.", _given_back),
)
