"""Workloads of the prefix cache: requests that bring tokens and a tenant's salt, and end."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from random import Random
from typing import NamedTuple

from engine.blocks import blocks_needed
from engine.views.language import count
from labs.kit.search import each_replaced, lower, shorter
from labs.kit.words import letter

SALTS = (None, "oak", "elm")
"""The tenants; None is a server that knows no tenants."""


class Call(NamedTuple):
    """One call: `admit` brings a request with its tokens; `free`, which has none, ends it."""

    name: str
    tokens: tuple[int, ...] = ()
    cache_salt: str | None = None

    @property
    def is_admit(self) -> bool:
        """It brings a request."""
        return bool(self.tokens)

    def __str__(self) -> str:
        if not self.is_admit:
            return f'free("{self.name}")'
        salt = f', "{self.cache_salt}"' if self.cache_salt else ""
        return f'admit("{self.name}", {list(self.tokens)}{salt})'


@dataclass(frozen=True, slots=True)
class Workload:
    """The calls on a pool that is large enough for all of them, so that nothing is ever overwritten."""

    block_size: int
    calls: tuple[Call, ...]

    @property
    def num_blocks(self) -> int:
        """The null block and a block of its own for everything."""
        return 1 + sum(blocks_needed(len(call.tokens), self.block_size) for call in self.calls)


DOCUMENT = (7, 7, 2, 5, 3, 1, 8, 8)
FOUNDING = Workload(
    4,
    (
        Call("a", (*DOCUMENT, 4), "oak"),
        Call("b", (*DOCUMENT, 6), "oak"),
        Call("c", (*DOCUMENT, 4), "elm"),
        Call("d", DOCUMENT, "oak"),
        Call("e", (9, 9, 9, 9, *DOCUMENT[4:], 6), "oak"),
    ),
)
"""One document of eight tokens in blocks of four: two requests of one tenant, one of another, one that is the
document and nothing more, and one whose beginning differs."""


SPLICED = Workload(1, (Call("a", (1, 1)), Call("b", (2, 2)), Call("c", (1, 2, 1))))
"""A beginning and a rest that were both computed, and never one after the other."""

PERMUTED = Workload(2, (Call("a", (1, 2, 1)), Call("b", (2, 1, 1))))
"""A block with the tokens of another, in another order."""


def generate(random: Random, size: int) -> Workload:
    """A random workload; `size` from 1 to 120 lets more and longer requests in, and from 30 on they end too.
    Few tokens differ and most prompts are made of earlier ones, so that beginnings are often the same, or
    nearly."""
    block_size = random.randint(1, 3)
    salts = random.choice(((None,), ("oak",), SALTS))
    calls: list[Call] = []
    for _ in range(random.randint(1, 3 + size // 15)):
        admitted = [call for call in calls if call.is_admit]
        if admitted and size > 30 and random.random() < 0.25:
            calls.append(Call(random.choice(admitted).name))
        else:
            tokens = _random_prompt(random, [call.tokens for call in admitted], block_size)
            calls.append(Call(letter(len(admitted)), tokens, random.choice(salts)))
    return Workload(block_size, _sensible(calls))


def _random_prompt(random: Random, earlier: list[tuple[int, ...]], block_size: int) -> tuple[int, ...]:
    """New, or an earlier one and a token more, or the beginning of one with the rest of another and at times
    one token changed."""
    fresh = [random.randint(1, 2) for _ in range(random.randint(1, block_size * 4))]
    kind = random.randrange(4) if earlier else 0
    if kind == 0:
        return tuple(fresh)
    if kind == 1:
        return (*random.choice(earlier), fresh[0])
    cut = random.choice((random.randint(0, block_size * 3), random.randint(1, 3) * block_size))
    tokens = [*random.choice(earlier)[:cut], *random.choice([*earlier, tuple(fresh)])[cut:]] or fresh
    if kind == 2:
        place = random.randrange(len(tokens))
        tokens[place] = 3 - tokens[place]
    return tuple(tokens[: block_size * 5])


def _sensible(calls: Iterable[Call]) -> tuple[Call, ...]:
    """The calls without those that free a request that isn't there."""
    alive: set[str] = set()
    kept = []
    for call in calls:
        if call.is_admit or call.name in alive:
            kept.append(call)
            alive ^= {call.name}
    return tuple(kept)


def shrink(workload: Workload) -> Iterator[Workload]:
    """Fewer calls, then smaller blocks, then shorter prompts of lower tokens and fewer tenants."""
    size, calls = workload.block_size, workload.calls
    yield from (_renamed(size, fewer) for fewer in shorter(calls))
    yield from (_renamed(smaller, calls) for smaller in lower(size, 1))
    yield from (_renamed(size, simpler) for simpler in each_replaced(calls, _smaller_call))
    yield from (Workload(size, relabelled) for relabelled in _relabelled(calls))


def _smaller_call(call: Call) -> Iterator[Call]:
    yield from (call._replace(tokens=tokens) for tokens in shorter(call.tokens) if tokens)
    yield from (call._replace(cache_salt=salt) for salt in SALTS[: SALTS.index(call.cache_salt)])
    yield from (call._replace(tokens=tokens) for tokens in each_replaced(call.tokens, lambda t: lower(t, 1)))


def _relabelled(calls: Iterable[Call]) -> Iterator[tuple[Call, ...]]:
    """One tenant, or one token, replaced by a lower one in all calls at once: what was equal stays equal."""
    for salt in SALTS:
        if any(call.cache_salt == salt for call in calls):
            for lower_salt in SALTS[: SALTS.index(salt)]:
                yield tuple(_resalted(call, salt, lower_salt) for call in calls)
    for token in sorted({token for call in calls for token in call.tokens}):
        for lower_token in lower(token, 1):
            yield tuple(_retokened(call, token, lower_token) for call in calls)


def _resalted(call: Call, old: str | None, new: str | None) -> Call:
    return call._replace(cache_salt=new) if call.cache_salt == old else call


def _retokened(call: Call, old: int, new: int) -> Call:
    return call._replace(tokens=tuple(new if token == old else token for token in call.tokens))


def _renamed(block_size: int, calls: Iterable[Call]) -> Workload:
    """The sensible ones of these calls, with their requests named a, b, … in order of arrival."""
    kept = _sensible(calls)
    names = {call.name: letter(index) for index, call in enumerate(call for call in kept if call.is_admit)}
    return Workload(block_size, tuple(call._replace(name=names[call.name]) for call in kept))


def tell(workload: Workload) -> str:
    """The workload in words."""
    calls = ", then ".join(f"`{call}`" for call in workload.calls)
    return f"Blocks of {count(workload.block_size, 'token')}; {calls}."
