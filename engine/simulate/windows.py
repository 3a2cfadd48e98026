"""What the fast simulator did, in runs: nothing is lost, and rows are made when somebody asks for them.

A run of steps that only repeat is one entry, with the blocks that they opened. Who was in the batch, how far
each request was and how long each step took follows from what came before, so it isn't written down.
"""

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, Protocol, TypeAlias

from engine.cost import StepCost
from engine.plan import Kind
from engine.simulate.live import Live
from engine.trace import Admitted, Cancelled, Finished, FirstToken, Record, Row, Step, TimedOut

Chunk: TypeAlias = tuple[Live, Kind, int, int, bool, Sequence[int], Sequence[int]]
"""A row that computes a prompt: request, kind, tokens, computed before, whether it completes it, hits, new blocks."""


class _Evicting(Protocol):
    evicted: list[int] | None


class _Part(NamedTuple):
    """One chunk, as it is written down."""

    row: Row
    completes: bool


class _Window(NamedTuple):
    """Steps in which everybody decodes, from the first one's index and start."""

    number: int
    at: int
    num_steps: int
    opened: Sequence[int]
    evicted: Sequence[int]


class _Single(NamedTuple):
    """One step: everybody who decodes, then the chunks."""

    number: int
    at: int
    end: int
    opened: Sequence[int]
    parts: Sequence[_Part]
    evicted: Sequence[int]


class _Short(NamedTuple):
    """One step with all its rows, because not everybody has one."""

    number: int
    at: int
    end: int
    rows: Sequence[Row]
    parts: Sequence[_Part]
    preempted: tuple[str, ...]
    evicted: Sequence[int]


class WindowLog:
    """Entries in the order in which they happened. `records` makes a trace's records of them."""

    def __init__(self) -> None:
        self.entries: list[_Window | _Single | _Short | Record] = []
        self.append = self.entries.append

    def window(self, index: int, at: int, steps: int, opened: Sequence[int], pool: _Evicting) -> None:
        """So many steps were the same."""
        self.append(_Window(index, at, steps, opened, _taken(pool)))

    def step(
        self, index: int, at: int, end: int, opened: Sequence[int], chunks: Iterable[Chunk], pool: _Evicting
    ) -> None:
        """A step with prompts in it."""
        self.append(_Single(index, at, end, opened, _parts(chunks), _taken(pool)))

    def short_step(
        self,
        index: int,
        at: int,
        end: int,
        rows: Iterable[tuple[Live, int, Sequence[int]]],
        chunks: Iterable[Chunk],
        preempted: Iterable[Live],
        pool: _Evicting,
    ) -> None:
        """A step in which somebody gave way."""
        decodes = [Row(live.id, 1, start, "running", tuple(new_blocks)) for live, start, new_blocks in rows]
        victims = tuple(live.id for live in preempted)
        self.append(_Short(index, at, end, decodes, _parts(chunks), victims, _taken(pool)))

    def records(self, cost: StepCost, block_size: int) -> Iterator[Record]:
        """Every record of the trace, in order. `cost` and `block_size` are those that the run was made with."""
        return _Expansion(cost, block_size).expand(self.entries)


def _taken(pool: _Evicting) -> Sequence[int]:
    evicted = pool.evicted or ()
    if evicted:
        pool.evicted = []
    return evicted


def _parts(chunks: Iterable[Chunk]) -> list[_Part]:
    return [
        _Part(Row(live.id, num_tokens, start, kind, tuple(new_blocks), tuple(hits)), completes)
        for live, kind, num_tokens, start, completes, hits, new_blocks in chunks
    ]


class _Expansion:
    """Goes through the entries and knows, at each, who decodes and how far everybody is."""

    def __init__(self, cost: StepCost, block_size: int) -> None:
        self.cost = cost
        self.block_size = block_size
        self.decoding: dict[str, int] = {}
        """Computed tokens of those who decode, in the order of admission."""
        self.pending: deque[Step] = deque()
        """Steps that aren't told yet: something may have happened between them."""

    def expand(self, entries: Iterable[_Window | _Single | _Short | Record]) -> Iterator[Record]:
        for entry in entries:
            if isinstance(entry, _Window | _Single | _Short):
                yield from self.pending
                self.pending.clear()
                if isinstance(entry, _Window):
                    self.pending += self._window(entry)
                elif isinstance(entry, _Single):
                    yield from _admissions(entry)
                    self.pending.append(self._single(entry))
                else:
                    self.pending.append(self._short(entry))
            else:
                yield from self._before(entry)
                yield self._in_place(entry)
        yield from self.pending

    def _before(self, record: Record) -> Iterator[Record]:
        """The steps that began before something happened; what a step hands over comes after it."""
        told_at_end = isinstance(record, FirstToken | Finished)
        while self.pending and (told_at_end or self.pending[0].at < record.at):
            yield self.pending.popleft()
        if isinstance(record, Finished | Cancelled | TimedOut):
            self.decoding.pop(record.id, None)

    def _in_place(self, record: Record) -> Record:
        """Whoever arrived and left while a window went on left before the step that comes next in it."""
        if self.pending and isinstance(record, Cancelled | TimedOut):
            return record._replace(step=self.pending[0].step)
        return record

    def _window(self, window: _Window) -> Iterator[Step]:
        at, opened, evicted = window.at, iter(window.opened), set(window.evicted)
        for index in range(window.number, window.number + window.num_steps):
            duration = self.cost(0, len(self.decoding), sum(self.decoding.values()))
            rows = self._decode(opened)
            lost = tuple(block for row in rows for block in row.new_blocks if block in evicted)
            yield Step(index, at, duration, rows, (), lost)
            at += duration

    def _single(self, single: _Single) -> Step:
        rows = self._decode(iter(single.opened))
        self._compute(single.parts)
        parts = (part.row for part in single.parts)
        return Step(single.number, single.at, single.end - single.at, (*rows, *parts), (), tuple(single.evicted))

    def _short(self, short: _Short) -> Step:
        for name in short.preempted:
            self.decoding.pop(name, None)
        for row in short.rows:
            self.decoding[row.id] = row.num_computed_tokens + 1
        self._compute(short.parts)
        rows = (*short.rows, *(part.row for part in short.parts))
        return Step(short.number, short.at, short.end - short.at, rows, short.preempted, tuple(short.evicted))

    def _decode(self, opened: Iterator[int]) -> tuple[Row, ...]:
        """A row for everybody who decodes."""
        rows = []
        for name, computed in self.decoding.items():
            new_blocks = () if computed % self.block_size else (next(opened),)
            rows.append(Row(name, 1, computed, "running", new_blocks))
            self.decoding[name] = computed + 1
        return tuple(rows)

    def _compute(self, parts: Iterable[_Part]) -> None:
        for row, completes in parts:
            if completes:
                self.decoding[row.id] = row.num_computed_tokens + row.num_scheduled_tokens


def _admissions(single: _Single) -> Iterator[Record]:
    for row, _ in single.parts:
        if row.kind == "new":
            yield Admitted(single.at, row.id, single.number, row.num_computed_tokens)
