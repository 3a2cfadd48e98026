"""From what a text says to a server's settings."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from engine.readers.serve import command, lacks, log, settings
from engine.readers.serve.server import Found, Lack, Server, Told, machine_named

MOST_CHARACTERS = 8_000_000
"""No log of a start is longer; what comes behind it isn't read."""

SAID = "you said so"
"""Where a setting comes from that isn't in the text."""


_LOGIN = re.compile(r"(?<=://)[^/@\s]*@")
"""A name and a password in an address."""


@dataclass
class _Work:
    told: Told
    found: dict[str, Found]
    notes: list[str] = field(default_factory=list)
    lacks: list[Lack] = field(default_factory=list)


def read_server(text: str, machine: str | None = None, said: Mapping[str, int] = MappingProxyType({})) -> Server:
    """The server that a command line or the log of its start describes.

    `machine` is the name of one of `MACHINES`, for the seats and the budget that vLLM takes by default; a log
    mostly tells it by itself. `said` are settings that somebody knows beyond the text. Raises `ReadError` for a
    text that is neither; the message doesn't repeat it.
    """
    asked = machine_named(machine)
    text = text[:MOST_CHARACTERS]
    told = log.told(text) if log.is_log(text) else command.told(text)
    found, notes = settings.given_settings(told)
    work = _Work(told, found, [*told.notes, *notes], list(lacks.of(told.given)))
    work.found |= dict(settings.from_log(told, found))
    work.found |= {name: Found(value, SAID) for name, value in said.items()}
    kind = asked or settings.machine_of(told)
    _settle(work, settings.defaults(told, work.found, kind))
    _count_blocks(work)
    by_name = [lacks.HYBRID] if told.model and lacks.has_several_caches(told.model) else []
    work.lacks += [fact for fact in dict.fromkeys([*told.facts, *by_name]) if fact not in work.lacks]
    work.notes += _remarks(work)
    return _server(work)


def _settle(work: _Work, defaults: Iterator[tuple[str, Found]]) -> None:
    for name, value in list(defaults):
        work.found.setdefault(name, value)


def _count_blocks(work: _Work) -> None:
    """The blocks of the pool, from the tokens that it is said to hold.

    vLLM tells `int(num_blocks / blocks of one request * max_model_len)`, so this is the one number of blocks that
    makes it; where none does, the model has several kinds of cache.
    """
    told, found = work.told, work.found
    if told.kv_tokens is None or "max_model_len" not in found:
        return
    length, size = found["max_model_len"].value, found["block_size"].value
    if length < 1 or size < 1:
        return
    each = -(-length // size)
    blocks = -(-told.kv_tokens * each // length)
    stated = found.get("num_blocks")
    if blocks * length // each != told.kv_tokens or (stated is not None and stated.value != blocks):
        if lacks.HYBRID not in work.lacks:
            work.lacks.append(lacks.HYBRID)
        work.notes.append(
            f"{told.kv_tokens:,} tokens are no whole number of blocks of {size}: the block size is another one, "
            "or layers have caches of different kinds"
        )
    found.setdefault("num_blocks", Found(blocks, f"log: {told.kv_tokens:,} tokens in blocks of {size}"))


def _remarks(work: _Work) -> Iterator[str]:
    told = work.told
    if told.version is not None and told.version.split("+")[0] != settings.RELEASE:
        yield (
            f"this is vLLM {told.version}; the engine decides as {settings.RELEASE} does, and other versions differ in "
            "defaults, in block ids and in some decisions"
        )
    if told.version is None:
        yield f"the version isn't told: it is taken to be vLLM {settings.RELEASE}"
    if settings.number(told, "tensor_parallel_size") > 1:
        yield "tensor parallelism changes no decision, only how long a step lasts"
    if work.found["async_scheduling"].value:
        yield "asynchronous scheduling is simulated step by step, which takes longer"


def _server(work: _Work) -> Server:
    told, found = work.told, work.found
    bears = set(settings.OPTIONS) | set(lacks.WHEN) | {"model", "model_tag", "config"}
    idle = sorted(name for name in told.given if name in command.KNOWN and name not in bears)
    order = [setting for setting, _ in settings.OPTIONS.values() if setting]
    return Server(
        told.kind,
        told.version,
        told.model and _LOGIN.sub("", told.model),
        {name: found[name] for name in order if name in found},
        told.kv_tokens,
        _concurrency(told, found),
        tuple(work.lacks),
        tuple(settings.unknown(found)),
        tuple("--" + name.replace("_", "-") for name in idle),
        told.unrecognised,
        tuple(dict.fromkeys(work.notes)),
    )


def _concurrency(told: Told, found: dict[str, Found]) -> float | None:
    """Requests of full length that fit at once: as the log says, or by its formula."""
    if told.concurrency is not None:
        return told.concurrency
    if not {"num_blocks", "max_model_len", "block_size"} <= found.keys():
        return None
    each = -(-found["max_model_len"].value // max(1, found["block_size"].value))
    return round(found["num_blocks"].value / each, 2) if each > 0 else None
