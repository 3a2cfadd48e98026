"""What the bridge was started with."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, NamedTuple

from engine.live.bridge.limits import Limits
from engine.live.bridge.target import Target

DEFAULT_PORT: Final = 8811
"""Where the bridge listens unless told otherwise."""

FIRST_TOKEN_ID: Final = 1_000
"""The first token id of generated prompts, away from the special tokens at a vocabulary's start."""

VOCABULARY: Final = 30_000
"""Token ids of generated prompts are below it: nearly every model knows them."""


class Replica(NamedTuple):
    """One of several servers behind the router: its own address for /metrics, and where it publishes KV events."""

    name: str
    url: str | None = None
    kv_events: str | None = None


@dataclass(frozen=True, kw_only=True)
class Options:
    """Which server, where to listen, whom to let in."""

    target: Target
    port: int = DEFAULT_PORT
    site: Path | None = None
    origins: tuple[str, ...] = ()
    model: str | None = None
    replicas: tuple[Replica, ...] = ()
    recorder_path: Path | None = None
    token_ids: tuple[int, int] | None = None
    limits: Limits = field(default_factory=Limits)
