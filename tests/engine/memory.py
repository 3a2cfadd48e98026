"""KV memory as a model sees it: rows write to blocks, and read what others wrote.

The scheduler only moves numbers about. This is what the numbers are for: wherever a row reads, there must stand
what was computed from the very tokens before it, and for the tenant it belongs to. A hash that was kept too
long, a block that was freed too soon and a salt that was left out all show here, whatever the bookkeeping says.
"""

from dataclasses import dataclass, field

from engine.plan import Plan
from engine.request import Request

Content = tuple[str | None, tuple[int, ...]]
"""What a slot holds: the salt, and all tokens up to the one that it was computed from."""


class WrongContent(AssertionError):
    """A row read something that isn't its own past."""


@dataclass(frozen=True)
class Work:
    """What one plan lets the model do, noted when it was made: tables change before it is run."""

    rows: tuple[tuple[Request, int, int, tuple[int, ...]], ...]
    """Request, tokens computed before, and after; its blocks."""


def work_of(plan: Plan) -> Work:
    """The work of a plan that was just made."""
    return Work(
        tuple(
            (request, before, before + count, tuple(request.block_table))
            for request, _, count, before, *_ in plan.entries
        )
    )


@dataclass
class Memory:
    """The slots of all blocks."""

    block_size: int
    slots: dict[tuple[int, int], Content] = field(default_factory=dict)

    def run(self, work: Work) -> None:
        """Let every row write its tokens, then read its past, as the layers of a model do in turn."""
        for request, before, after, table in work.rows:
            for place in range(before, min(after, request.num_tokens)):
                self.slots[self._slot(table, place)] = _content(request, place)
        for request, before, after, table in work.rows:
            for place in range(min(after, request.num_tokens)):
                self._read(request, table, place, before)

    def _read(self, request: Request, table: tuple[int, ...], place: int, before: int) -> None:
        block_id, offset = self._slot(table, place)
        found, wanted = self.slots.get((block_id, offset)), _content(request, place)
        if found != wanted:
            raise WrongContent(
                f"{request.id} begins at {before} and reads slot {offset} of block {block_id} as its token {place}: "
                f"there is {found}, its own past is {wanted}"
            )

    def _slot(self, table: tuple[int, ...], place: int) -> tuple[int, int]:
        return table[place // self.block_size], place % self.block_size


def _content(request: Request, place: int) -> Content:
    return request.cache_salt or None, tuple(request.token_ids[: place + 1])
