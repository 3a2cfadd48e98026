"""Pages as pictures: the blocks that requests hold, each slot for a token used or unused."""

from collections.abc import Iterable, Sequence
from math import isqrt
from typing import NamedTuple

from engine.views.html import html_table
from engine.views.language import count
from engine.views.palette import Colours, pencils
from engine.views.svg import element, filled, picture, text, tip, unused

_SLOT, _GAP, _LEFT, _LINE = 11, 8, 4, 22
_WIDTH = 360
"""Narrow enough for a phone; blocks that don't fit beside each other go on below."""


class Held(NamedTuple):
    """The blocks of one request."""

    id: str
    used: tuple[int, ...]
    """Used slots of each block, in order; only the last can be less than full."""
    block_size: int

    @property
    def num_tokens(self) -> int:
        """Tokens that are stored."""
        return sum(self.used)

    @property
    def num_slots(self) -> int:
        """Token slots that are reserved."""
        return len(self.used) * self.block_size

    @property
    def num_unused(self) -> int:
        """Reserved slots without a token: internal waste."""
        return self.num_slots - self.num_tokens


def held_blocks(requests: Iterable[tuple[str, int]], block_size: int) -> tuple[Held, ...]:
    """The blocks that requests, given as (id, number of tokens), hold; each request begins its own."""
    return tuple(
        Held(name, tuple(min(block_size, tokens - start) for start in range(0, tokens, block_size)), block_size)
        for name, tokens in requests
    )


def blocks_svg(requests: Sequence[tuple[str, int]], block_size: int) -> str:
    """The blocks of `requests`, given as (id, number of tokens), as an SVG.

    A block is a small page of `block_size` slots, filled in reading order; unused slots are struck through.
    """
    held = held_blocks(requests, block_size)
    colours = pencils(name for name, _ in requests)
    shapes: list[str] = []
    y = 0.0
    for mine in held:
        drawn, y = _request(mine, colours[mine.id], y)
        shapes += drawn
    title = f"Blocks of {count(block_size, 'token slot')}: {_total(held)}"
    return picture("blocks", title, blocks_words(requests, block_size), _WIDTH, y, shapes)


def _request(mine: Held, pencil: Colours, top: float) -> tuple[list[str], float]:
    """The shapes of one request, and where the next begins."""
    across, down = page_shape(mine.block_size)
    width, height = across * _SLOT + _GAP, down * _SLOT + _GAP
    per_line = max(1, (_WIDTH - _LEFT) // width)
    shapes = [
        text(mine.id, _LEFT, top + 16, 14, font_weight=700),
        text(_numbers(mine), _WIDTH - _LEFT, top + 16, 12, "end", opacity=0.85),
    ]
    for number, used in enumerate(mine.used):
        x = _LEFT + number % per_line * width
        y = top + _LINE + number // per_line * height
        shapes.append(_page(x, y, used, mine, number, pencil))
    lines = -(-len(mine.used) // per_line)
    return shapes, top + _LINE + lines * height + 10


def page_shape(block_size: int) -> tuple[int, int]:
    """Slots across and down: the most nearly square page that is no taller than wide."""
    down = next(rows for rows in range(isqrt(block_size), 0, -1) if block_size % rows == 0)
    return block_size // down, down


def _page(x: float, y: float, used: int, mine: Held, number: int, pencil: Colours) -> str:
    across, down = page_shape(mine.block_size)
    hint = tip(f"{mine.id}, block {number + 1}: {used} of {count(mine.block_size, 'slot')} used")
    slots = []
    for slot in range(mine.block_size):
        left, top = x + slot % across * _SLOT, y + slot // across * _SLOT
        if slot < used:
            slots.append(filled(left + 1, top + 1, _SLOT - 2, _SLOT - 2, pencil))
        else:
            slots.append(unused(left + 1, top + 1, _SLOT - 2))
    frame = element(
        "rect",
        x=x - 2,
        y=y - 2,
        width=across * _SLOT + 4,
        height=down * _SLOT + 4,
        rx=4,
        fill="none",
        stroke=pencil.line,
        stroke_width=1.5,
    )
    return element("g", hint, frame, *slots)


def _numbers(mine: Held) -> str:
    return (
        f"{count(mine.num_tokens, 'token')}: {count(len(mine.used), 'block')}, "
        f"{count(mine.num_slots, 'slot')}, {mine.num_unused} unused"
    )


def _total(held: Sequence[Held]) -> str:
    blocks = sum(len(mine.used) for mine in held)
    slots = sum(mine.num_slots for mine in held)
    unused = sum(mine.num_unused for mine in held)
    return f"{count(blocks, 'block')}, {count(slots, 'slot')} reserved, {unused} unused"


def blocks_words(requests: Sequence[tuple[str, int]], block_size: int) -> str:
    """The same in sentences."""
    held = held_blocks(requests, block_size)
    told = [
        f"{mine.id} stores {count(mine.num_tokens, 'token')} in {count(len(mine.used), 'block')}: "
        f"{count(mine.num_slots, 'slot')} reserved, {mine.num_unused} unused."
        for mine in held
    ]
    tokens = sum(mine.num_tokens for mine in held)
    return " ".join([*told, f"Together: {count(tokens, 'token')}, {_total(held)}."])


def blocks_table(requests: Sequence[tuple[str, int]], block_size: int) -> str:
    """The same as an HTML table."""
    rows = [
        [mine.id, str(mine.num_tokens), str(len(mine.used)), str(mine.num_slots), str(mine.num_unused)]
        for mine in held_blocks(requests, block_size)
    ]
    caption = f"Blocks of {count(block_size, 'token slot')}"
    return html_table(caption, ["request", "tokens", "blocks", "reserved slots", "unused slots"], rows)
