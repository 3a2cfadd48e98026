"""What a backend gives, what it can't, and how requests to it look."""

from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from engine.codec import Scalar
from engine.live.bridge.feed import Feed

Source = Callable[[Feed], Coroutine[Any, Any, None]]
"""Tells a run something beside its tokens, until it is cancelled."""


class Lack(NamedTuple):
    """What can't be told here, and why."""

    what: str
    why: str


@dataclass(frozen=True, kw_only=True)
class Backend:
    """A model server as the bridge found it."""

    kind: Literal["recorder", "vllm", "openai"]
    version: str
    model: str
    settings: Mapping[str, Scalar] = field(default_factory=dict)
    """The engine's settings under vLLM's names, as far as they are known."""
    gives: tuple[str, ...] = ("tokens",)
    lacks: tuple[Lack, ...] = ()
    lanes: tuple[str, ...] = ()
    """The replicas behind one router, where there are several."""
    asked: Mapping[str, Any] = field(default_factory=dict)
    """Fields of every request."""
    vocabulary: int | None = None
    """How many token ids the model knows, where that is known."""
    sources: tuple[Source, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """What a page is told."""
        return {
            "kind": self.kind,
            "version": self.version,
            "model": self.model,
            "settings": dict(self.settings),
            "gives": list(self.gives),
            "lacks": [lack._asdict() for lack in self.lacks],
            "lanes": list(self.lanes),
        }
