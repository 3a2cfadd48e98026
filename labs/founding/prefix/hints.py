"""Mistakes that are known, how each of them shows, and a word for each."""

from collections.abc import Callable

from labs.founding.prefix.run import Content, PrefixRun
from labs.kit.result import Violation
from labs.kit.task import Hint

Shows = Callable[[PrefixRun, Violation], bool]


def _on(rule: str, shows: Shows) -> Callable[[PrefixRun, Violation, PrefixRun], bool]:
    """The mistake shows in runs that break this rule."""
    return lambda run, broken, example: broken.rule == rule and shows(run, broken)


def _in_example(
    rules: tuple[str, ...], shows: Callable[[PrefixRun], bool]
) -> Callable[[PrefixRun, Violation, PrefixRun], bool]:
    """One of these rules breaks here, and the mistake shows when the example runs."""
    return lambda run, broken, example: broken.rule in rules and shows(example)


def _always(run: PrefixRun, broken: Violation) -> bool:
    return True


def _first_wrong(run: PrefixRun, broken: Violation) -> tuple[int, Content]:
    """Where the first found block that doesn't belong stands, and what it holds."""
    state = run.states[broken.step]
    pairs = enumerate(state.content[block] for block in state.found)
    return next((place, has) for place, has in pairs if has.tokens != run.wanted(broken.step, place).tokens)


def _not_full(run: PrefixRun, broken: Violation) -> bool:
    return len(_first_wrong(run, broken)[1].tokens) % run.workload.block_size > 0


def _same_block_alone(run: PrefixRun, broken: Violation) -> bool:
    """The block's own tokens are the ones that are needed, and what stands before them isn't."""
    place, has = _first_wrong(run, broken)
    size = run.workload.block_size
    return has.tokens[-size:] == run.wanted(broken.step, place).tokens[-size:]


def _same_in_another_order(run: PrefixRun, broken: Violation) -> bool:
    place, has = _first_wrong(run, broken)
    return sorted(has.tokens) == sorted(run.wanted(broken.step, place).tokens)


def _after_a_free(run: PrefixRun, broken: Violation) -> bool:
    return not all(call.is_admit for call in run.workload.calls[: broken.step])


def _never_found(example: PrefixRun) -> bool:
    return not any(state.found for state in example.states)


def _finds_after_a_miss(example: PrefixRun) -> bool:
    """A request was first given a block with the tokens of a later place, and not with those of its first."""
    size = example.workload.block_size
    for step, state in enumerate(example.states):
        own = {state.content[block].tokens[-size:] for block in state.found[:1]}
        first, *later = (example.wanted(step, place).tokens[-size:] for place in range(example.most(step) + 1))
        if own - {first} and own <= set(later):
            return True
    return False


def _strangers_find_a_part(example: PrefixRun) -> bool:
    """A request was given blocks of another tenant, and fewer than the tokens alone would have allowed."""
    for step, state in enumerate(example.states):
        salt, place = example.workload.calls[step].cache_salt, len(state.found)
        strangers = [block for block in state.found if state.content[block].cache_salt != salt]
        known = {content.tokens for content in state.content.values()}
        if strangers and place < example.most(step) and example.wanted(step, place).tokens in known:
            return True
    return False


def _count_too_high(run: PrefixRun, broken: Violation) -> bool:
    state = run.states[broken.step]
    return any(count > len(state.holders(block)) for block, count in state.ref_count.items())


HINTS: tuple[Hint[PrefixRun], ...] = (
    Hint(
        "salt-comes-late",
        _in_example(("tenants", "longest"), _strangers_find_a_part),
        "Your salt sets in too late: it isn't in the first key, so another tenant still finds the first block. "
        "Salt the very first key; every later one carries it on, because it is made from the key before.",
    ),
    Hint(
        "ignores-the-salt",
        _on("tenants", _always),
        "The same tokens, and two tenants: who may know that the other one sent them? A hit is faster, and "
        "the time gives it away. Let `cache_salt` stand where the first key has no key before it.",
    ),
    Hint(
        "names-a-part-of-a-block",
        _on("same-beginning", _not_full),
        "That block isn't full: it ends with fewer tokens than fit. Its rest will be written later, so it has "
        "no name yet. `self.full_blocks(tokens)` leaves it out.",
    ),
    Hint(
        "goes-past-a-miss",
        _in_example(("same-beginning",), _finds_after_a_miss),
        "`lookup` missed a block and went on. What comes after a miss was computed after another beginning: "
        "stop at the first key that isn't there.",
    ),
    Hint(
        "forgets-the-beginning",
        _on("same-beginning", _same_block_alone),
        "The same tokens, and something else before them. Keys and values depend on all that came before, so "
        "a key is made from two things: the key of the block before, and this block's tokens.",
    ),
    Hint(
        "forgets-the-order",
        _on("same-beginning", _same_in_another_order),
        "The same tokens in another order: *dog bites man*. A tuple keeps the order; a set or a sum doesn't.",
    ),
    Hint(
        "names-too-little",
        _on("same-beginning", _always),
        "Two different beginnings got the same key. Print `keys` for both. What did you leave out?",
    ),
    Hint(
        "takes-the-last-token",
        _on("last-token", _always),
        "Something has to go through the model, or no next token comes out. Look up all tokens but the last: "
        "`tokens[:-1]`.",
    ),
    Hint(
        "forgets-what-is-free",
        _on("longest", _after_a_free),
        "A free block keeps its content until somebody needs the room. Only `take` makes the pool forget.",
    ),
    Hint(
        "start",
        _in_example(("longest",), _never_found),
        "Nothing is found yet, and the same beginning was there. Write `keys` first: equal beginnings get equal "
        "keys. Then `lookup`: go along the keys and collect `self.block_of[key]` until one is missing.",
    ),
    Hint(
        "stops-too-soon",
        _on("longest", _always),
        "There was more to find. The run ends at the first key that isn't in `block_of`, and not before.",
    ),
    Hint(
        "still-in-its-table",
        _on("tables", _always),
        "The request has ended and its table is still there. Begin `free` with `self.tables.pop(name)`: it "
        "hands you the blocks and removes the table.",
    ),
    Hint(
        "keeps-counting",
        _on("counts", _count_too_high),
        "The table is gone and the count stayed up. Every block of the table loses one holder.",
    ),
    Hint(
        "forgets-the-other-holder",
        _on("counts", _always),
        "Somebody else still holds this block. It loses *one* holder; it isn't forgotten.",
    ),
    Hint(
        "frees-a-shared-block",
        _on("in-use", _always),
        "Somebody else still reads this block. It goes back to `free_blocks` only when its count has come down to 0.",
    ),
    Hint(
        "blocks-not-given-back",
        _on("given-back", _always),
        "A block that nobody holds belongs in `free_blocks`. Its content may stay there and be found again, "
        "but the room has to be had.",
    ),
)
