"""Which request held which slot in which step, read from a trace.

A real engine has no numbered slots, only a limit on how many requests run at once. A picture wants them,
so a request takes the lowest slot that is free and keeps it until it ends or is preempted.
"""

from typing import Literal, NamedTuple, TypeAlias

from engine.trace import Cancelled, Finished, Step, TimedOut, Trace

Fate: TypeAlias = Literal["", "finished", "preempted", "timed out", "cancelled"]
"""What became of a request; empty while it goes on."""


class Cell(NamedTuple):
    """One slot in one step."""

    id: str
    num_scheduled_tokens: int
    """0 where the request held its slot and got nothing."""
    fate: Fate = ""
    """What became of the request in this step, if anything."""


class Grid(NamedTuple):
    """Slots and the steps in them: `slots[s][t]` is None where slot `s` was idle in step `t`."""

    slots: tuple[tuple[Cell | None, ...], ...]

    @property
    def num_steps(self) -> int:
        """How many steps the run took; an index that a trace skips is a step in which nobody was there."""
        return len(self.slots[0]) if self.slots else 0

    @property
    def num_idle(self) -> int:
        """Slot-steps in which nobody got a token."""
        return sum(cell is None or not cell.num_scheduled_tokens for slot in self.slots for cell in slot)


MOST_SHOWN_UNUSED = 8
"""A limit up to this many slots is drawn whole, unused ones too; a larger one would be mostly empty."""


def slot_grid(trace: Trace) -> Grid:
    """The grid of `trace`.

    It has as many slots as were ever held at once, and at least `max_num_seqs` where that setting is small
    enough to draw.
    """
    columns = _Columns()
    for record in trace.records:
        if isinstance(record, Step):
            columns.step(record)
        elif isinstance(record, Finished | TimedOut | Cancelled):
            columns.end(record.id, _FATES[type(record)])
    limit = trace.header.settings.get("max_num_seqs")
    unused = limit if isinstance(limit, int) and limit <= MOST_SHOWN_UNUSED else 0
    return columns.grid(max(unused, columns.num_slots))


_FATES: dict[type, Fate] = {Finished: "finished", TimedOut: "timed out", Cancelled: "cancelled"}


class _Columns:
    """The grid as it grows, one step after another."""

    def __init__(self) -> None:
        self.held: dict[str, int] = {}  # id -> its slot
        self.cells: dict[tuple[int, int], Cell] = {}  # slot, step -> cell
        self.last: dict[str, tuple[int, int]] = {}  # id -> where its latest cell with a row stands
        self.num_slots = self.num_steps = 0

    def step(self, record: Step) -> None:
        self.num_steps = record.step + 1
        got = {row.id: row.num_scheduled_tokens for row in record.rows}
        for name in got:
            if name not in self.held:
                self.held[name] = self._lowest_free()
        for name, slot in self.held.items():
            fate: Fate = "preempted" if name in record.preempted else ""
            self.cells[slot, record.step] = Cell(name, got.get(name, 0), fate)
            if name in got:
                self.last[name] = slot, record.step
        for name in record.preempted:
            self.held.pop(name, None)

    def end(self, name: str, fate: Fate) -> None:
        if name in self.last:
            where = self.last[name]
            self.cells[where] = self.cells[where]._replace(fate=fate)
        self.held.pop(name, None)

    def grid(self, num_slots: int) -> Grid:
        return Grid(
            tuple(tuple(self.cells.get((slot, step)) for step in range(self.num_steps)) for slot in range(num_slots))
        )

    def _lowest_free(self) -> int:
        taken = set(self.held.values())
        slot = next(number for number in range(len(taken) + 1) if number not in taken)
        self.num_slots = max(self.num_slots, slot + 1)
        return slot
