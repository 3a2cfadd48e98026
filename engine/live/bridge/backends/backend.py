"""What a backend gives, what it can't, and how requests to it look."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, Protocol

from engine.codec import Scalar
from engine.live.bridge.feed import Feed
from engine.live.recorder_wire import OWN_ID
from engine.workload.records import Workload


class SourceLost(Exception):
    """Somebody who told a run what happens is gone, or what it told is; the message says so."""


class Watched(NamedTuple):
    """A run, for a source."""

    name: str
    workload: Workload
    feed: Feed


class Source(Protocol):
    """Tells a run something beside what its answers bring."""

    async def tell(self) -> None:
        """Tell, until cancelled. Raises `SourceLost`."""

    async def finish(self) -> None:
        """All is answered: tell what is still on its way. Raises `SourceLost`."""


MakeSource = Callable[[Watched], Source]
"""Makes a source for a run."""


def own_number(run: str, name: str) -> int | None:
    """The place in the workload of the request that a server calls `name`; None for somebody else's."""
    # vLLM puts "cmpl-" before our X-Request-Id, and the prompt's number and eight random letters after it.
    found = re.fullmatch(rf"cmpl-{OWN_ID}{re.escape(run)}-(\d+)-0(?:-[0-9a-f]{{8}})?", name)
    return int(found[1]) if found else None


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
    keeps_prompts: bool = False
    """Whether the server was asked to keep prompts: then a recording holds them in plain."""
    sources: tuple[MakeSource, ...] = ()

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
            "keeps_prompts": self.keeps_prompts,
        }
