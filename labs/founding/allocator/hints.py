"""Mistakes that are known, how each of them shows, and a word for each."""

from collections.abc import Callable

from engine.blocks import blocks_needed
from labs.founding.allocator.run import AllocatorRun
from labs.kit.result import Violation
from labs.kit.task import Hint

Shows = Callable[[AllocatorRun, Violation], bool]


def _on(rule: str, shows: Shows) -> Callable[[AllocatorRun, Violation, AllocatorRun], bool]:
    """The mistake shows in runs that break this rule."""
    return lambda run, broken, example: broken.rule == rule and shows(run, broken)


def _at(kind: str, shows: Shows) -> Shows:
    """The mistake shows right after a call of this kind."""

    def here(run: AllocatorRun, broken: Violation) -> bool:
        call = run.call(broken.step)
        return call is not None and call.kind == kind and shows(run, broken)

    return here


def _always(run: AllocatorRun, broken: Violation) -> bool:
    return True


def _before_any_call(run: AllocatorRun, broken: Violation) -> bool:
    return broken.step == 0


def _fits(run: AllocatorRun, broken: Violation) -> bool:
    return run.after(broken.step).answer is True


def _no_answer(run: AllocatorRun, broken: Violation) -> bool:
    return run.states[broken.step].answer is None


def _tables_as(formula: Callable[[int, int], int]) -> Shows:
    """Every table is as long as this formula of tokens and block size says."""

    def shows(run: AllocatorRun, broken: Violation) -> bool:
        held, size = run.after(broken.step).held, run.workload.block_size
        tables = run.states[broken.step].tables
        return all(len(tables.get(name, ())) == formula(tokens, size) for name, tokens in held.items())

    return shows


def _rounded_once(run: AllocatorRun, broken: Violation) -> bool:
    """All tables together are as long as the sum of all tokens needs."""
    total = sum(run.after(broken.step).held.values())
    return len(run.states[broken.step].lent()) == blocks_needed(total, run.workload.block_size)


def _too_many(run: AllocatorRun, broken: Violation) -> bool:
    held = run.after(broken.step).held.get(broken.who, 0)
    return len(run.states[broken.step].tables.get(broken.who, ())) > blocks_needed(held, run.workload.block_size)


def _still_there(run: AllocatorRun, broken: Violation) -> bool:
    return broken.who in run.states[broken.step].tables


def _token_counted(run: AllocatorRun, broken: Violation) -> bool:
    return run.states[broken.step].waste != run.states[broken.step - 1].waste


def _from_the_total(run: AllocatorRun, broken: Violation) -> bool:
    held, size = run.after(broken.step).held, run.workload.block_size
    total = sum(held.values())
    return len(held) > 1 and run.states[broken.step].waste == blocks_needed(total, size) * size - total


def _free_counted(run: AllocatorRun, broken: Violation) -> bool:
    held, size = run.after(broken.step).held, run.workload.block_size
    return run.states[broken.step].waste == run.num_lendable * size - sum(held.values())


def _nothing(run: AllocatorRun, broken: Violation) -> bool:
    return run.states[broken.step].waste == 0


HINTS: tuple[Hint[AllocatorRun], ...] = (
    Hint(
        "start",
        _on("conserved", _before_any_call),
        "The pool is still empty: this is where you begin. Fill `free_blocks` with the numbers of all blocks "
        "that may be lent. The first is 1; which one is the last?",
    ),
    Hint(
        "lends-block-0",
        _on("null-block", _always),
        "Block 0 stands for *no block*: a real server points at it where a table has nothing to point at. "
        "So a pool of `num_blocks` lends one less. Where does your `range` begin?",
    ),
    Hint(
        "no-answer",
        _on("answer", _no_answer),
        "The call hands nothing back yet. It answers True when the blocks are there, False when they aren't.",
    ),
    Hint(
        "refuses-what-fits",
        _on("answer", _fits),
        "It fits, and it was refused. How many *new* blocks does this call need, and how many are free? "
        "Where the two are equal, it still fits.",
    ),
    Hint(
        "never-refuses",
        lambda run, broken, example: broken.rule in ("answer", "no-error") and run.refused(broken.step),
        "There aren't enough free blocks. Count them before you take the first one.",
    ),
    Hint(
        "accepts-a-double-free",
        _on("double-free", _always),
        "Nobody by that name holds blocks, and your `free` said nothing. Freed twice, a block would be lent "
        "to two requests. `self.tables.pop(name)` raises KeyError by itself.",
    ),
    Hint(
        "counts-a-refused-token",
        _on("refusal", _at("append", _token_counted)),
        "The token was refused, and you counted it. Take the new block first, then count the token.",
    ),
    Hint(
        "leaks-when-refused",
        _on("refusal", _always),
        "You took blocks and then gave up: compare the free blocks before and after. All or nothing: "
        "first ask whether all of them are there, then take them.",
    ),
    Hint(
        "rounds-down",
        _on("tables", _at("allocate", _tables_as(lambda tokens, size: tokens // size))),
        "You rounded down. Where do the tokens live that don't fill a whole block?",
    ),
    Hint(
        "always-one-more",
        _on("tables", _at("allocate", _tables_as(lambda tokens, size: tokens // size + 1))),
        "These tokens fill their last block exactly, and you took one more. `blocks_needed` rounds up only "
        "where something is left.",
    ),
    Hint(
        "adds-up-first",
        _on("tables", _at("allocate", _rounded_once)),
        "You added the tokens up and rounded once. Requests don't share a last block, so each rounds up by "
        "itself: 17, 31 and 33 tokens take 2 + 2 + 3 blocks, not 6.",
    ),
    Hint(
        "new-block-too-soon",
        _on("tables", _at("append", _too_many)),
        "There was room in the last block, and you took a new one. A new block is due only when all slots of "
        "the table are used: compare the tokens before the append with `len(table) * block_size`.",
    ),
    Hint(
        "no-new-block",
        _on("tables", _at("append", _always)),
        "The last block was full, so this token has no slot. In blocks of 16, token 17 needs a second one.",
    ),
    Hint(
        "still-in-its-table",
        _on("tables", _at("free", _still_there)),
        "The request is gone and its table is still there. A second `free` would give the same blocks back "
        "again. `self.tables.pop(name)` hands the table over and removes it.",
    ),
    Hint(
        "blocks-not-given-back",
        _on("conserved", _at("free", _always)),
        "The freed blocks are in no table and not in `free_blocks` either: nobody can use them again.",
    ),
    Hint(
        "lends-twice",
        _on("one-owner", _always),
        "This block was lent and stayed in `free_blocks`. Take a block out as you lend it: `popleft()`.",
    ),
    Hint(
        "new-table",
        _on("stays", _always),
        "A token came, and you gave the request other blocks than it had. Its old tokens are in the old "
        "ones: keep the table and put a block behind it.",
    ),
    Hint(
        "waste-from-the-total",
        _on("waste", _from_the_total),
        "You subtracted from the total of all tokens, as if requests shared their last blocks. Each request "
        "wastes the rest of its own last block: for 17, 31 and 33 that is 15 + 1 + 15.",
    ),
    Hint(
        "waste-counts-free-blocks",
        _on("waste", _free_counted),
        "A free block isn't wasted: the next request can have it. Count the slots in the tables only.",
    ),
    Hint(
        "no-waste-yet",
        _on("waste", _nothing),
        "`waste` says 0. Add up, over all requests, the slots in the table less the tokens stored.",
    ),
)
