"""The log of a start: what it says outright. Lines of other programs between them don't matter."""

import ast
import re
from collections.abc import Iterator
from typing import Any

from engine.readers.serve import lacks
from engine.readers.serve.command import KEPT, KNOWN
from engine.readers.serve.machines import CPU
from engine.readers.serve.server import Given, Lack, Told
from engine.readers.serve.values import whole

_COLOUR = re.compile(r"\x1b\[[0-9;]*m")
_VERSION = re.compile(r"(?:\bversion |LLM engine \(v|vLLM API server version )v?(\d+\.\d+\.\d+[\w.+-]*)")
_OPTIONS = re.compile(r"non-default args: (\{.*\})")
_CONFIG = re.compile(r"LLM engine \(v[^)]*\) with config: (.*)")
_LENGTH = re.compile(r"Using max model len ([\d,_]+)")
_CAPACITY = re.compile(r"(\w{1,40}) KV cache size: ([\d,]+) tokens")
_CONCURRENCY = re.compile(r"Maximum concurrency for ([\d,]+) tokens per request: ([\d.]+)x")
_BLOCKS = re.compile(r"num_gpu_blocks_override=(\d+)|# (?:GPU|CPU) blocks: (\d+)|num_gpu_blocks[\"']?[=:] ?[\"']?(\d+)")
_BUDGET = re.compile(r"Chunked prefill is enabled with max_num_batched_tokens=(\d+)")
_BLOCK_SIZE = re.compile(r"Setting kv cache block size to (\d+)")
_HYBRID = re.compile(r"Setting attention block size to (\d+) tokens|hybrid model|[Mm]amba cache mode is set")
_OPEN, _CLOSE = "([{<", ")]}>"

MARKS = (_OPTIONS, _CONFIG, _LENGTH, _CAPACITY, _CONCURRENCY, _BUDGET, re.compile(r"\bINFO \d\d-\d\d "))
"""What no command line has."""


def is_log(text: str) -> bool:
    """Whether this is a log rather than a command."""
    return any(mark.search(text) for mark in MARKS)


def told(text: str) -> Told:
    """What the log says; of a log of several starts, the last one counts."""
    plain = _COLOUR.sub("", text)
    given = dict(_given(plain))
    length = _last(_LENGTH, plain) or _last(_CONCURRENCY, plain)
    capacity, concurrency = _every(_CAPACITY, plain), _every(_CONCURRENCY, plain)
    blocks = _every(_BLOCKS, plain)
    if blocks:
        given["num_gpu_blocks_override"] = Given(
            int(next(filter(None, blocks[-1].groups()))), "log: the number of blocks"
        )
    versions = _every(_VERSION, plain)
    return Told(
        "log",
        given,
        tuple(name for name in given if name not in KNOWN),
        version=versions[-1].group(1) if versions else None,
        model=_model(given, plain),
        machine=CPU if capacity and capacity[-1].group(1) == "CPU" else None,
        max_model_len=length,
        kv_tokens=whole(capacity[-1].group(2).replace(",", "")) if capacity else None,
        concurrency=float(concurrency[-1].group(2).rstrip(".")) if concurrency else None,
        budget=_last(_BUDGET, plain),
        block_size=_last(_BLOCK_SIZE, plain),
        facts=tuple(_facts(plain)),
    )


def _every(pattern: re.Pattern[str], text: str) -> list[re.Match[str]]:
    return list(pattern.finditer(text))


def _last(pattern: re.Pattern[str], text: str) -> int | None:
    found = _every(pattern, text)
    return whole(found[-1].group(1).replace(",", "")) if found else None


def _given(text: str) -> Iterator[tuple[str, Given]]:
    """Options that were given, and those that the engine's own line tells."""
    configs = _every(_CONFIG, text)
    for name, value in _pairs(configs[-1].group(1), "=") if configs else ():
        # What stands there of others is what vLLM made of them, and no wish.
        if name in ("enable_prefix_caching", "enable_chunked_prefill", "pipeline_parallel_size", "data_parallel_size",
                    "tensor_parallel_size", "decode_context_parallel_size", "speculative_config"):  # fmt: skip
            yield name, Given(_literal(value), "log: the engine's configuration")
    options = _every(_OPTIONS, text)
    for name, value in _pairs(options[-1].group(1)[1:-1], ":") if options else ():
        name = name.strip("'\"")
        yield name, Given(_literal(value) if name in KEPT | {"model", "model_tag"} else None, "log: non-default args")


def _pairs(text: str, between: str) -> Iterator[tuple[str, str]]:
    """Names and values that stand side by side, commas between them; what is inside brackets or quotes stays whole."""
    depth, quote, start, cut = 0, "", 0, -1
    for index, letter in enumerate([*text, ","]):
        if quote:
            quote = "" if letter == quote and text[index - 1] != "\\" else quote
        elif letter in "'\"":
            quote = letter
        elif letter in _OPEN:
            depth += 1
        elif letter in _CLOSE:
            depth -= 1
        elif depth <= 0 and letter == between and cut < start:
            cut = index
        elif depth <= 0 and letter == ",":
            if cut >= start:
                yield text[start:cut].strip(), text[cut + 1 : index].strip()
            start = index + 1


def _literal(text: str) -> Any:
    """A Python value as Python prints it; the text itself for an object's description."""
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError, TypeError):
        return text


def _model(given: dict[str, Given], text: str) -> str | None:
    for name in ("model_tag", "model"):
        if name in given and isinstance(given[name].value, str):
            return str(given[name].value)
    configs = _every(_CONFIG, text)
    values = dict(_pairs(configs[-1].group(1), "=")) if configs else {}
    model = _literal(values.get("model", "None"))
    return model if isinstance(model, str) else None


def _facts(text: str) -> Iterator[Lack]:
    if _HYBRID.search(text):
        yield lacks.HYBRID
