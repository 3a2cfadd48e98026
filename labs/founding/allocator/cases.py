"""Workloads of the allocator: calls on a pool of blocks."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from random import Random
from typing import Literal, NamedTuple

from engine.blocks import blocks_needed
from engine.views.language import count
from labs.kit.search import each_replaced, lower, shorter
from labs.kit.words import letter


class Call(NamedTuple):
    """One call: `allocate` brings a request of `num_tokens`, `append` adds a token, `free` ends it."""

    kind: Literal["allocate", "append", "free"]
    name: str
    num_tokens: int = 0

    def __str__(self) -> str:
        more = f", {self.num_tokens}" if self.kind == "allocate" else ""
        return f'{self.kind}("{self.name}"{more})'


class After(NamedTuple):
    """What has to be true after a call."""

    answer: bool | None
    """What the call says: True or False; None for `free`."""
    held: dict[str, int]
    """Tokens of each request that holds blocks."""
    unknown: bool = False
    """The call freed a request that holds nothing: it has to raise KeyError."""


@dataclass(frozen=True, slots=True)
class Workload:
    """A pool and the calls on it. `num_blocks` counts the null block, as it does in a real server."""

    num_blocks: int
    block_size: int
    calls: tuple[Call, ...]

    def after(self) -> list[After]:
        """What has to be true at the start and after each call."""
        states = [After(None, {})]
        for call in self.calls:
            states.append(self.apply(call, states[-1].held))
        return states

    def apply(self, call: Call, held: dict[str, int]) -> After:
        """What has to be true after a call on a pool in which these requests hold blocks."""
        if call.kind == "free":
            rest = {name: tokens for name, tokens in held.items() if name != call.name}
            return After(None, rest, unknown=call.name not in held)
        grown = {**held, call.name: held.get(call.name, 0) + (call.num_tokens or 1)}
        fits = self.needed(grown) < self.num_blocks
        return After(fits, grown if fits else held)

    def needed(self, held: dict[str, int]) -> int:
        """Blocks that these requests hold together."""
        return sum(blocks_needed(tokens, self.block_size) for tokens in held.values())


FOUNDING = Workload(9, 16, (Call("allocate", "a", 17), Call("allocate", "b", 31), Call("allocate", "c", 33)))
"""The lesson's example: 17, 31 and 33 tokens in blocks of 16."""


def generate(random: Random, size: int) -> Workload:
    """A random workload; `size` from 1 to 120 lets more calls and larger pools in. Tokens are appended from
    10 on and requests end from 30 on, so that whoever writes one method after the other is told the next."""
    block_size = random.randint(1, 4)
    kinds = ["allocate", "allocate", *(["append"] * 3 if size >= 10 else []), *(["free"] * 2 if size >= 30 else [])]
    calls: list[Call] = []
    for _ in range(random.randint(1, 3 + size // 12)):
        calls.append(_random_call(random, random.choice(kinds), calls, block_size * 3))
    num_blocks = random.choice((roomy_pool(block_size, calls), random.randint(2, 4 + size // 30)))
    return Workload(num_blocks, block_size, _sensible(num_blocks, block_size, calls))


def _random_call(random: Random, kind: str, before: list[Call], most_tokens: int) -> Call:
    seen = sorted({call.name for call in before})
    if kind == "allocate" or not seen:
        return Call("allocate", letter(len(seen)), random.randint(1, most_tokens))
    name = random.choice(seen)
    return Call("append", name) if kind == "append" else Call("free", name)


def _sensible(num_blocks: int, block_size: int, calls: Iterable[Call]) -> tuple[Call, ...]:
    """The calls that make sense: no token for a request that holds nothing, no second beginning of one that
    holds blocks, and nothing freed that never held any. A second `free` of the same request stays in."""
    pool, held, ended = Workload(num_blocks, block_size, ()), dict[str, int](), set[str]()
    kept = []
    for call in calls:
        sensible = {
            "allocate": call.name not in held,
            "append": call.name in held,
            "free": call.name in held or call.name in ended,
        }
        if sensible[call.kind]:
            kept.append(call)
            ended |= held.keys() - pool.apply(call, held).held.keys()
            held = pool.apply(call, held).held
    return tuple(kept)


def shrink(workload: Workload) -> Iterator[Workload]:
    """A pool with room for everything, where no call is refused, counts as simpler than a tight one. Then
    come fewer calls, a smaller pool, smaller blocks and shorter requests."""
    blocks, size, calls = workload.num_blocks, workload.block_size, workload.calls
    roomy = blocks >= roomy_pool(size, calls)
    if not roomy:
        yield _renamed(blocks, size, calls, True)
    yield from (_renamed(blocks, size, fewer, roomy) for fewer in shorter(calls))
    least = roomy_pool(size, calls) if roomy else 2
    yield from (_renamed(fewer, size, calls, roomy) for fewer in lower(blocks, least))
    yield from (_renamed(blocks, smaller, calls, roomy) for smaller in lower(size, 1))
    yield from (_renamed(blocks, size, simpler, roomy) for simpler in each_replaced(calls, _smaller_call))


def roomy_pool(block_size: int, calls: Iterable[Call]) -> int:
    """A pool in which all these calls fit at once, and each could take a block more than it should."""
    return 2 + sum(blocks_needed(call.num_tokens, block_size) + 1 for call in calls if call.kind != "free")


def _smaller_call(call: Call) -> Iterator[Call]:
    if call.kind == "allocate":
        yield from (call._replace(num_tokens=tokens) for tokens in lower(call.num_tokens, 1))


def _renamed(num_blocks: int, block_size: int, calls: Iterable[Call], roomy: bool) -> Workload:
    """The sensible ones of these calls, with their requests named a, b, … in order of appearance; a roomy
    pool stays just roomy enough."""
    blocks = roomy_pool(block_size, calls := tuple(calls)) if roomy else num_blocks
    kept = _sensible(blocks, block_size, calls)
    names = {name: letter(index) for index, name in enumerate(dict.fromkeys(call.name for call in kept))}
    renamed = tuple(call._replace(name=names[call.name]) for call in kept)
    return Workload(roomy_pool(block_size, renamed) if roomy else num_blocks, block_size, renamed)


def tell(workload: Workload) -> str:
    """The workload in words."""
    pool = f"`num_blocks` {workload.num_blocks}, so {count(workload.num_blocks - 1, 'block')} to lend"
    size = f"`block_size` {workload.block_size}"
    calls = ", then ".join(f"`{call}`" for call in workload.calls) or "no call yet"
    return f"{pool}; {size}; {calls}."
