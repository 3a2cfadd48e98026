"""The few shapes that every picture is made of, as strings of SVG.

Pictures are pure functions of data: the same data gives the same bytes. They carry no identifiers, so that
any number of them can stand in one page, and they suit light and dark pages alike: words and thin lines take
the page's own text colour, and a filled cell brings its own ink (`engine.views.palette`).
"""

from collections.abc import Iterable
from html import escape

from engine.views.palette import IDLE, IDLE_LINE, Colours

FONT = "var(--course-font-label,system-ui,sans-serif)"
"""The face of labels."""
RADIUS = 3
"""Of a cell's corners, in pixels, as all distances here."""


def element(name: str, *children: str, **attributes: object) -> str:
    """One element; `children` are markup, and `stroke_width=2` becomes `stroke-width="2"`."""
    written = "".join(f' {_attribute(key)}="{_value(value)}"' for key, value in attributes.items())
    return f"<{name}{written}>{''.join(children)}</{name}>" if children else f"<{name}{written}/>"


def picture(kind: str, title: str, words: str, width: float, height: float, shapes: Iterable[str]) -> str:
    """A whole SVG: `title` names it and `words` tell what it shows to whoever can't see it."""
    return element(
        "svg",
        element("title", escape(title)),
        element("desc", escape(words)),
        *shapes,
        xmlns="http://www.w3.org/2000/svg",
        class_=f"course-figure course-figure-{kind}",
        role="img",
        viewBox=f"0 0 {_value(width)} {_value(height)}",
        width=width,
        height=height,
        font_family=FONT,
        fill="currentColor",
        style="max-width:100%;height:auto",
    )


def text(words: str, x: float, y: float, size: float = 13, anchor: str = "start", **attributes: object) -> str:
    """`words` on a line whose baseline lies at `y`."""
    return element("text", escape(words), x=x, y=y, font_size=size, text_anchor=anchor, **attributes)


def tip(words: str) -> str:
    """What a pointer that rests on a shape shows."""
    return element("title", escape(words))


def filled(x: float, y: float, width: float, height: float, colours: Colours, *children: str) -> str:
    """A cell that is used, in the colours of its request."""
    return _box(x, y, width, height, *children, fill=colours.fill, stroke=colours.line)


def hatched(x: float, y: float, width: float, height: float, *children: str, gap: float = 6) -> str:
    """A cell that is there and unused: a dashed edge and slanted lines, so it needs no colour."""
    edge = _box(x, y, width, height, fill=IDLE, stroke=IDLE_LINE, stroke_dasharray="3 3")
    slants = "".join(_slants(x + 2, y + 2, width - 4, height - 4, gap))
    return element("g", *children, edge, line(slants, IDLE_LINE, 0.75, opacity=0.6))


def unused(x: float, y: float, side: float) -> str:
    """A small square that is there and unused: an outline with one slash through it."""
    slash = line(f"M{_value(x + 2)} {_value(y + side - 2)}L{_value(x + side - 2)} {_value(y + 2)}", IDLE_LINE)
    return _box(x, y, side, side, fill=IDLE, stroke=IDLE_LINE) + slash


def line(path: str, stroke: str = "currentColor", width: float = 1, **attributes: object) -> str:
    """A line along an SVG path, unfilled."""
    return element("path", d=path, fill="none", stroke=stroke, stroke_width=width, **attributes)


def _box(x: float, y: float, width: float, height: float, *children: str, **attributes: object) -> str:
    return element("rect", *children, x=x, y=y, width=width, height=height, rx=RADIUS, **attributes)


def _slants(x: float, y: float, width: float, height: float, gap: float) -> Iterable[str]:
    """Lines of 45 degrees inside a rectangle, rising to the right; on each, dx + dy is a multiple of gap."""
    total = gap
    while total < width + height:
        low, high = min(total, height), min(total, width)
        start = x + total - low, y + low
        end = x + high, y + total - high
        yield f"M{_value(start[0])} {_value(start[1])}L{_value(end[0])} {_value(end[1])}"
        total += gap


def _attribute(key: str) -> str:
    return key.rstrip("_").replace("_", "-") if key != "viewBox" else key


def _value(value: object) -> str:
    return f"{round(value, 2):g}" if isinstance(value, float) else escape(str(value))
