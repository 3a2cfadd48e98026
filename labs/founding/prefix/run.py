"""Runs a student's prefix cache on a workload, and keeps its own account of what each block holds."""

from dataclasses import dataclass
from typing import NamedTuple

from labs.founding.prefix.cases import Call, Workload
from labs.founding.reading import read_blocks, read_counts, read_tables
from labs.kit.result import Violation
from labs.kit.student import Student, StudentError, ask, look, unreadable


class Content(NamedTuple):
    """What a block holds: everything from the request's first token to the block's last, and whose it is."""

    tokens: tuple[int, ...]
    cache_salt: str | None


@dataclass(frozen=True, slots=True)
class State:
    """What the student's object showed after a call."""

    found: tuple[int, ...]
    """The blocks that `lookup` gave, right before an `admit`."""
    tables: dict[str, tuple[int, ...]]
    ref_count: dict[int, int]
    free: tuple[int, ...]
    content: dict[int, Content]
    """What each block held when the call came: grading's own account."""

    def holders(self, block: int) -> list[str]:
        """Whose tables a block stands in."""
        return [name for name, table in self.tables.items() if block in table]


@dataclass(frozen=True, slots=True)
class PrefixRun:
    """What was seen after each call."""

    workload: Workload
    states: tuple[State, ...]
    error: Violation | None

    @property
    def num_steps(self) -> int:
        """Calls that were seen whole."""
        return len(self.states)

    def most(self, step: int) -> int:
        """How many full blocks the request of this call has before its last token."""
        return max(0, len(self.workload.calls[step].tokens) - 1) // self.workload.block_size

    def reusable(self, step: int) -> int:
        """How many blocks the request of this call can take over: full blocks that somebody of the same
        salt has computed, in a run from the first token on, and never its last token."""
        known = set(self.states[step].content.values())
        places = range(self.most(step))
        return next((place for place in places if self.wanted(step, place) not in known), self.most(step))

    def wanted(self, step: int, place: int) -> Content:
        """What the block at this place of the call's request has to hold."""
        call, size = self.workload.calls[step], self.workload.block_size
        return Content(call.tokens[: (place + 1) * size], call.cache_salt)


def observe(student: Student, workload: Workload) -> PrefixRun:
    """Make a cache, make each call, and look at it after each."""
    states: list[State] = []
    content: dict[int, Content] = {}
    error = None
    try:
        making = f"{student.__name__}({workload.num_blocks}, {workload.block_size})"
        cache = ask(making, student, workload.num_blocks, workload.block_size)
        for call in workload.calls:
            states.append(_make(cache, call, dict(content)))
            if call.is_admit:
                content.update(_computed(call, states[-1], workload.block_size))
    except StudentError as stopped:
        error = stopped.violation
    return PrefixRun(workload, tuple(states), error)


def _make(cache: Student, call: Call, content: dict[int, Content]) -> State:
    found: tuple[int, ...] = ()
    if call.is_admit:
        found = _lookup(cache, call, content)
        ask(str(call), look(cache, "admit"), call.name, call.tokens, call.cache_salt)
    else:
        ask(str(call), look(cache, "free"), call.name)
    tables = read_tables(look(cache, "tables"))
    if call.is_admit and call.name not in tables:
        raise unreadable("tables", f"a dictionary with {call.name!r} in it", tables)
    return State(
        found,
        tables,
        read_counts(look(cache, "ref_count")),
        read_blocks("free_blocks", look(cache, "free_blocks")),
        content,
    )


def _lookup(cache: Student, call: Call, content: dict[int, Content]) -> tuple[int, ...]:
    asking = f"lookup({list(call.tokens)}, {call.cache_salt!r})"
    found = ask(asking, look(cache, "lookup"), call.tokens, call.cache_salt)
    blocks = read_blocks(asking, found)
    if not content.keys() >= set(blocks):
        raise unreadable(asking, "a list of blocks that hold something", found)
    return blocks


def _computed(call: Call, state: State, block_size: int) -> dict[int, Content]:
    """What the new blocks of a request hold now."""
    table = state.tables[call.name]
    return {
        block: Content(call.tokens[: (place + 1) * block_size], call.cache_salt)
        for place, block in enumerate(table)
        if place >= len(state.found)
    }
