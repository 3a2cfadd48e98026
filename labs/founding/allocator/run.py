"""Runs a student's allocator on a workload and notes what it holds after each call."""

from dataclasses import dataclass

from labs.founding.allocator.cases import After, Call, Workload
from labs.founding.reading import read_blocks, read_tables
from labs.kit.result import Violation
from labs.kit.student import Student, StudentError, ask, look, unreadable


@dataclass(frozen=True, slots=True)
class State:
    """What the student's object showed at one moment."""

    answer: object
    """What the call handed back; "KeyError" where it raised that."""
    free: tuple[int, ...]
    tables: dict[str, tuple[int, ...]]
    waste: int

    def lent(self) -> list[int]:
        """The blocks in all tables, in order; a block in two tables stands here twice."""
        return [block for table in self.tables.values() for block in table]


@dataclass(frozen=True, slots=True)
class AllocatorRun:
    """What was seen: first the new pool, then the pool after each call."""

    workload: Workload
    states: tuple[State, ...]
    error: Violation | None

    @property
    def num_steps(self) -> int:
        """Moments that were seen whole; the first is before any call."""
        return len(self.states)

    @property
    def num_lendable(self) -> int:
        """All blocks but the null block."""
        return self.workload.num_blocks - 1

    def call(self, step: int) -> Call | None:
        """The call before this moment; None for the first, which is before any."""
        return self.workload.calls[step - 1] if step else None

    def after(self, step: int) -> After:
        """What has to be true at this moment."""
        return self.workload.after()[step]

    def refused(self, step: int) -> bool:
        """The call before this moment asked for more blocks than there are."""
        return self.after(step).answer is False


def observe(student: Student, workload: Workload) -> AllocatorRun:
    """Make a pool, make each call, and look at the pool after each."""
    states: list[State] = []
    error = None
    try:
        making = f"{student.__name__}({workload.num_blocks}, {workload.block_size})"
        pool = ask(making, student, workload.num_blocks, workload.block_size)
        states.append(_look(pool, None))
        for call in workload.calls:
            states.append(_look(pool, _make(pool, call)))
    except StudentError as stopped:
        error = stopped.violation
    return AllocatorRun(workload, tuple(states), error)


def _make(pool: Student, call: Call) -> object:
    if call.kind == "allocate":
        return ask(str(call), look(pool, "allocate"), call.name, call.num_tokens)
    if call.kind == "append":
        return ask(str(call), look(pool, "append"), call.name)
    try:
        return ask(str(call), look(pool, "free"), call.name)
    except StudentError as stopped:
        if isinstance(stopped.__cause__, KeyError):
            return "KeyError"
        raise


def _look(pool: Student, answer: object) -> State:
    tables = read_tables(look(pool, "tables"))
    waste = ask("waste()", look(pool, "waste"))
    if not isinstance(waste, int):
        raise unreadable("waste()", "a whole number of token slots", waste)
    return State(answer, read_blocks("free_blocks", look(pool, "free_blocks")), tables, waste)
