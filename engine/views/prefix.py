"""Prefix reuse as a picture: prompts as chains of blocks, each block computed or found in the cache."""

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Literal, NamedTuple, TypeAlias

from engine.views.html import html_table
from engine.views.language import count, listing
from engine.views.palette import Colours, pencils
from engine.views.svg import element, filled, hatched, line, picture, text, tip

State: TypeAlias = Literal["hit", "computed", "partial"]
"""Found in the cache, computed anew, or not full and so without a name."""

_CARD, _HEIGHT, _GAP, _LEFT, _LINE = 104, 58, 12, 4, 24
_PER_LINE = 3
_WIDTH = _LEFT * 2 + _PER_LINE * _CARD + (_PER_LINE - 1) * _GAP
_FITS = 13
"""Letters of the code face that fit in a card."""


class Prompt(NamedTuple):
    """One prompt, as the prefix cache saw it."""

    id: str
    tokens: tuple[object, ...]
    """Token ids, or the words that they stand for."""
    block_hashes: tuple[bytes, ...]
    """The chained hash of each full block (`engine.prefix.hash_blocks`)."""
    num_hit_blocks: int
    """How many of its first blocks the cache held."""
    cache_salt: str | None = None


class Link(NamedTuple):
    """One block in the chain of one prompt."""

    tokens: tuple[object, ...]
    block_hash: bytes
    """Empty for a block that isn't full: it has no hash."""
    state: State
    owner: str
    """Whose computation the block holds."""


def chains(prompts: Sequence[Prompt], block_size: int) -> dict[str, tuple[Link, ...]]:
    """The chain of each prompt. The first prompt with a hash is the owner of its block."""
    owners: dict[bytes, str] = {}
    return {prompt.id: tuple(_links(prompt, block_size, owners)) for prompt in prompts}


def _links(prompt: Prompt, block_size: int, owners: dict[bytes, str]) -> Iterable[Link]:
    for number, start in enumerate(range(0, len(prompt.tokens), block_size)):
        tokens = prompt.tokens[start : start + block_size]
        if len(tokens) < block_size:
            yield Link(tokens, b"", "partial", prompt.id)
            continue
        block_hash = prompt.block_hashes[number]
        hit = number < prompt.num_hit_blocks
        # Content that was computed twice stands in two blocks, so only a hit belongs to somebody else.
        owner = owners.setdefault(block_hash, prompt.id) if hit else prompt.id
        owners.setdefault(block_hash, prompt.id)
        yield Link(tokens, block_hash, "hit" if hit else "computed", owner)


def prefix_svg(prompts: Sequence[Prompt], block_size: int) -> str:
    """The chains of `prompts` as an SVG.

    A hit has the colour and the name of the request that computed the block; the tail of a prompt that
    fills no block is hatched.
    """
    linked = chains(prompts, block_size)
    colours = pencils(linked)
    shapes: list[str] = []
    y = 0.0
    for prompt in prompts:
        shapes += _heading(prompt, block_size, y)
        for number, link in enumerate(linked[prompt.id]):
            x = _LEFT + number % _PER_LINE * (_CARD + _GAP)
            top = y + _LINE + number // _PER_LINE * (_HEIGHT + 8)
            if number % _PER_LINE:
                shapes.append(_arrow(x, top + _HEIGHT / 2))
            shapes.append(_card(x, top, link, colours[link.owner]))
        lines = -(-len(linked[prompt.id]) // _PER_LINE)
        y += _LINE + lines * (_HEIGHT + 8) + 10
    title = f"Prefix reuse in blocks of {count(block_size, 'token')}"
    return picture("prefix", title, prefix_words(prompts, block_size), _WIDTH, y, shapes)


def _heading(prompt: Prompt, block_size: int, y: float) -> Iterable[str]:
    salt = f" (salt {prompt.cache_salt})" if prompt.cache_salt is not None else ""
    yield text(prompt.id + salt, _LEFT, y + 16, 14, font_weight=700)
    yield text(_hits(prompt, block_size), _WIDTH - _LEFT, y + 16, 12, "end", opacity=0.85)


def _hits(prompt: Prompt, block_size: int) -> str:
    hit = prompt.num_hit_blocks * block_size
    return f"{hit} of {count(len(prompt.tokens), 'token')} found in the cache"


def _card(x: float, y: float, link: Link, pencil: Colours) -> str:
    partial = link.state == "partial"
    shape = hatched(x, y, _CARD, _HEIGHT) if partial else filled(x, y, _CARD, _HEIGHT, pencil)
    ink = "currentColor" if partial else pencil.ink
    code = {"fill": ink, "font_family": "var(--course-font-code,ui-monospace,monospace)"}
    return element(
        "g",
        tip(f"{_link_words(link)}; {_name(link)}"),
        shape,
        text(_clip(" ".join(map(str, link.tokens))), x + 7, y + 17, 11, **code),
        text(_STATES[link.state].format(owner=link.owner), x + 7, y + 34, 12, fill=ink, font_weight=700),
        text(_name(link), x + 7, y + 50, 11, **code),
    )


_STATES: dict[State, str] = {"hit": "hit: {owner}’s", "computed": "computed", "partial": "not a full block"}


def _name(link: Link) -> str:
    return f"#{link.block_hash.hex()[:6]}" if link.block_hash else "no hash"


def _clip(words: str) -> str:
    return words if len(words) <= _FITS else words[: _FITS - 1] + "…"


def _arrow(x: float, y: float) -> str:
    return line(f"M{x - _GAP + 2:g} {y:g}h{_GAP - 5}m-3 -3l3 3l-3 3", opacity=0.7)


def prefix_words(prompts: Sequence[Prompt], block_size: int) -> str:
    """The same in sentences."""
    linked = chains(prompts, block_size)
    return " ".join(
        f"{prompt.id}: {_hits(prompt, block_size)}; {'; '.join(_stretches(linked[prompt.id]))}." for prompt in prompts
    )


def _stretches(chain: Sequence[Link]) -> Iterable[str]:
    """Neighbours of one kind, told together."""
    numbered = enumerate(chain, 1)
    for words, same in groupby(numbered, key=lambda item: _link_words(item[1])):
        numbers = [str(number) for number, _ in same]
        yield f"{'block' if len(numbers) == 1 else 'blocks'} {listing(numbers)}: {words}"


def _link_words(link: Link) -> str:
    if link.state == "partial":
        return f"not full with {count(len(link.tokens), 'token')}, so without a hash"
    return f"hit, computed by {link.owner}" if link.state == "hit" else "computed"


def prefix_table(prompts: Sequence[Prompt], block_size: int) -> str:
    """The same as an HTML table: a row for each block of each prompt."""
    rows = [
        [
            f"{name}, block {number}",
            " ".join(map(str, link.tokens)),
            _STATES[link.state].format(owner=link.owner),
            _name(link),
        ]
        for name, chain in chains(prompts, block_size).items()
        for number, link in enumerate(chain, 1)
    ]
    caption = f"Prompts in blocks of {count(block_size, 'token')}"
    return html_table(caption, ["block", "tokens", "state", "hash"], rows)
