"""The colours of pictures: the custom properties of the page, each with a value for where there are none.

The course's pages define these properties for both themes (DESIGN.md, *The look*); a notebook elsewhere
doesn't, so each name carries the light theme's colour. Colour is never the only sign: every filled cell also
shows its request's name, and what is unused is hatched.
"""

from collections.abc import Iterable
from typing import NamedTuple


class Colours(NamedTuple):
    """How one request is painted."""

    fill: str
    ink: str
    """What is written on the fill."""
    line: str
    """The fill's outline."""


def _pencil(number: int, fill: str, ink: str, line: str) -> Colours:
    name = f"--course-request-{number}"
    return Colours(f"var({name},{fill})", f"var({name}-ink,{ink})", f"var({name}-line,{line})")


PENCILS = (
    _pencil(1, "#2f55a8", "#ffffff", "#1f3d80"),
    _pencil(2, "#f0b845", "#16201b", "#8a6209"),
    _pencil(3, "#27a89c", "#0d1512", "#0d6a62"),
    _pencil(4, "#5e1048", "#ffffff", "#430a33"),
    _pencil(5, "#9cd4ec", "#16201b", "#3b7793"),
    _pencil(6, "#e2611f", "#0d1512", "#9c3c0c"),
)
"""The six pencils of the course, in their order."""

IDLE = "var(--course-idle,none)"
"""The ground of what is unused."""
IDLE_LINE = "var(--course-idle-line,#7d8570)"
"""Its outline and its hatching."""
BAD = "var(--course-bad,#c8511f)"
"""Marks the step that a picture is about. Its fallback is readable on light and on dark."""


def pencils(names: Iterable[str]) -> dict[str, Colours]:
    """A pencil for each name, in the order of arrival; after six they come round again."""
    return {name: PENCILS[place % len(PENCILS)] for place, name in enumerate(dict.fromkeys(names))}
