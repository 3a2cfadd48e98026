"""A failing run as a trace, so that the trace player can open it where it broke."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from engine.trace import Admitted, Arrived, Finished, Header, Record, Row, Step, Trace


@dataclass(frozen=True, slots=True)
class Replay:
    """What the player shows, and where it opens; the names are those of its attributes."""

    words: str
    """What stands above it."""
    trace: Trace
    compare: Trace | None = None
    moment: str = ""
    choice: str = ""
    views: str = ""


class Moment(NamedTuple):
    """One call on a pool of blocks, and the tables after it."""

    tables: Mapping[str, tuple[int, ...]]
    who: str = ""
    """Whom the call was about; empty before the first call."""
    num_tokens: int = 0
    """The tokens that it brought; 0 where it ended the request."""
    found: tuple[int, ...] = ()
    """Blocks that it took over from the cache."""
    cache_salt: str | None = None


def pool_trace(name: str, num_blocks: int, block_size: int, moments: Iterable[Moment]) -> Trace | None:
    """The calls as steps of a trace; None where the tables changed in a way that no trace can tell.

    A trace knows that tables grow at their ends and end whole. A table that shrank, or that changed though the call was
    about another, is told by the lab's own picture.
    """
    records: list[Record] = []
    tables: Mapping[str, tuple[int, ...]] = {}
    arrived: dict[str, int] = {}
    for step, moment in enumerate(moments):
        if not _can_be_told(tables, moment):
            return None
        records += _step(step, moment, tables, arrived, block_size)
        tables = moment.tables
    settings = {"num_blocks": num_blocks, "block_size": block_size}
    return Trace(Header(name, "simulated", settings=settings), tuple(records))


def _can_be_told(tables: Mapping[str, tuple[int, ...]], moment: Moment) -> bool:
    others = {name: table for name, table in tables.items() if name != moment.who}
    if others != {name: table for name, table in moment.tables.items() if name != moment.who}:
        return False
    before, after = tables.get(moment.who, ()), moment.tables.get(moment.who, ())
    if not moment.num_tokens:
        return not after
    return after[: len(before)] == before and after[len(before) :][: len(moment.found)] == moment.found


def _step(
    step: int, moment: Moment, tables: Mapping[str, tuple[int, ...]], computed: dict[str, int], block_size: int
) -> Iterator[Record]:
    who = moment.who
    before, after = tables.get(who, ()), moment.tables.get(who, ())
    rows: Sequence[Row] = ()
    if who and not moment.num_tokens and before:
        yield Finished(step, who, "length", 0, step - 1)
    elif who and moment.num_tokens:
        new = who not in computed
        if new:
            yield Arrived(step, who, moment.num_tokens, 1, cache_salt=moment.cache_salt)
            computed[who] = len(moment.found) * block_size
        if after:
            if new:
                yield Admitted(step, who, step, computed[who])
            taken = after[len(before) + len(moment.found) :]
            tokens = moment.num_tokens - (computed[who] if new else 0)
            rows = (Row(who, max(tokens, 0), computed[who], "new" if new else "running", taken, moment.found),)
            computed[who] += max(tokens, 0)
    yield Step(step, step, rows=tuple(rows))
