"""A compiled fence, whatever its kind."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from coursekit.problems import Fault


@dataclass(frozen=True)
class Block:
    """A compiled fence. `html` is whole only where there are no faults."""

    fence: str
    """What the author wrote on its first line: check, pause, snippet, figure or chart."""
    id: str
    title: str
    html: str
    faults: tuple[Fault, ...]
    facts: dict[str, Any] = field(default_factory=dict)
    """What whoever looks at a whole lesson wants to know: kind, alias, options. Plain data."""
