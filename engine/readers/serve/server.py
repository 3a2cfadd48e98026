"""What is known of a server: its settings with the places they came from, and what isn't known or isn't simulated."""

from typing import Any, NamedTuple

from engine.readers.serve.machines import MACHINES, Machine
from engine.readers.text import ReadError


class Found(NamedTuple):
    """A setting's value, and where it came from, in words."""

    value: Any
    source: str


class Lack(NamedTuple):
    """Something of the server that the engine doesn't reproduce, and what that means for a simulation."""

    what: str
    why: str


class Unknown(NamedTuple):
    """A setting that the text doesn't tell, and how to find it out."""

    setting: str
    how: str


class Given(NamedTuple):
    """An option as somebody gave it: its value (None where there was none to keep) and the words for its place."""

    value: Any
    source: str


class Told(NamedTuple):
    """What a text says outright, before anything is concluded from it."""

    kind: str
    """`command` or `log`."""
    given: dict[str, Given]
    """Options by vLLM's name for them, `max_num_seqs`; secrets and what isn't needed have no value."""
    unrecognised: tuple[str, ...] = ()
    """Options that vLLM 0.32.0 doesn't have, as they were written, without values."""
    notes: tuple[str, ...] = ()
    version: str | None = None
    model: str | None = None
    machine: Machine | None = None
    max_model_len: int | None = None
    kv_tokens: int | None = None
    """Tokens that the KV cache is said to hold."""
    concurrency: float | None = None
    """Requests of `max_model_len` tokens that are said to fit at once."""
    budget: int | None = None
    block_size: int | None = None
    facts: tuple[Lack, ...] = ()
    """What a log says that the engine doesn't reproduce."""


class Server(NamedTuple):
    """A server's settings under the names of `engine.settings`, and how far they can be trusted."""

    kind: str
    version: str | None
    model: str | None
    settings: dict[str, Found]
    kv_tokens: int | None
    concurrency: float | None
    not_reproduced: tuple[Lack, ...]
    unknown: tuple[Unknown, ...]
    no_effect: tuple[str, ...]
    """Options that change nothing that a scheduler decides."""
    unrecognised: tuple[str, ...]
    notes: tuple[str, ...]

    def values(self) -> dict[str, Any]:
        """The settings alone, for `Settings.from_mapping`."""
        return {name: found.value for name, found in self.settings.items()}

    def to_mapping(self) -> dict[str, Any]:
        """All of it as plain data, for JSON."""
        return {
            "kind": self.kind,
            "version": self.version,
            "model": self.model,
            "settings": {name: found._asdict() for name, found in self.settings.items()},
            "kv_tokens": self.kv_tokens,
            "concurrency": self.concurrency,
            "not_reproduced": [lack._asdict() for lack in self.not_reproduced],
            "unknown": [unknown._asdict() for unknown in self.unknown],
            "no_effect": list(self.no_effect),
            "unrecognised": list(self.unrecognised),
            "notes": list(self.notes),
        }


def machine_named(name: str | None) -> Machine | None:
    """One of `MACHINES`. Raises `ReadError` for a name that is none of them."""
    if name is None:
        return None
    for machine in MACHINES:
        if machine.name == name:
            return machine
    raise ReadError(f"machine: got {name!r}, expected one of {', '.join(machine.name for machine in MACHINES)}")
