"""Which options of `vllm serve` are settings of the engine, and what is concluded where they aren't given."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from engine.readers.serve.machines import CPU, Machine, of_budget
from engine.readers.serve.server import Found, Given, Told, Unknown
from engine.readers.serve.values import is_true, real, whole

RELEASE: Final = "0.32.0"
"""The version of vLLM whose decisions the engine makes."""

OPTIONS: Final[dict[str, tuple[str, Callable[[Any], Any]]]] = {
    "num_gpu_blocks_override": ("num_blocks", whole),
    "max_model_len": ("max_model_len", whole),
    "block_size": ("block_size", whole),
    "max_num_seqs": ("max_num_seqs", whole),
    "max_num_active_seqs": ("max_num_active_seqs", whole),
    "max_num_batched_tokens": ("max_num_batched_tokens", whole),
    "enable_prefix_caching": ("enable_prefix_caching", is_true),
    "enable_chunked_prefill": ("enable_chunked_prefill", is_true),
    "long_prefill_token_threshold": ("long_prefill_token_threshold", whole),
    "long_prefill_token_threshold_adaptive": ("long_prefill_token_threshold_adaptive", is_true),
    "scheduling_policy": ("policy", lambda value: value if value in ("fcfs", "priority") else None),
    "watermark": ("watermark", real),
    "scheduler_reserve_full_isl": ("scheduler_reserve_full_isl", is_true),
    "async_scheduling": ("async_scheduling", is_true),
    "tensor_parallel_size": ("", whole),
    "performance_mode": ("", lambda value: value),
}
"""vLLM's name for an option, the engine's name for the setting (none where it only bears on others), and its value."""

_HOW: Final = {
    "num_blocks": "look in the start-up log for “KV cache size: … tokens” and divide by the block size, or in /metrics "
    "for num_gpu_blocks of vllm:cache_config_info",
    "max_model_len": "look in the start-up log for “Using max model len …”, or in the model's config.json for "
    "max_position_embeddings",
    "max_num_seqs": "it depends on the machine: say which one it is",
    "max_num_batched_tokens": "it depends on the machine: say which one it is, or look in the start-up log for "
    "“Chunked prefill is enabled with max_num_batched_tokens=…”",
}
_UNREADABLE: Final = "{} has a value that can't be read: a shell fills it in, or it is no {}"


def given_settings(told: Told) -> tuple[dict[str, Found], list[str]]:
    """The settings that are given outright, and notes on values that can't be read."""
    found, notes = {}, []
    for option, (setting, read) in OPTIONS.items():
        if not setting or option not in told.given:
            continue
        value, source = told.given[option]
        if value in (None, "None") or (option == "max_model_len" and str(value).lower() in ("-1", "auto")):
            continue
        read_value = read(value)
        if read_value is None:
            kind = "policy of vLLM" if option == "scheduling_policy" else "number"
            notes.append(_UNREADABLE.format(source, kind))
        else:
            found[setting] = Found(read_value, source)
    return found, notes


def from_log(told: Told, found: dict[str, Found]) -> Iterator[tuple[str, Found]]:
    """What a log says of settings; it was written later than the options, so it is right where they differ."""
    if told.max_model_len is not None:
        yield "max_model_len", Found(told.max_model_len, "log: Using max model len")
    if told.budget is not None:
        yield "max_num_batched_tokens", Found(told.budget, "log: Chunked prefill is enabled")
    if told.block_size is not None:
        yield "block_size", Found(told.block_size, "log: Setting kv cache block size")


def defaults(told: Told, found: Mapping[str, Found], machine: Machine | None) -> Iterator[tuple[str, Found]]:
    """What vLLM takes where nobody says, as far as it is known here."""
    size = 128 if machine is CPU else 16
    note = "vLLM's default; some attention backends take another" if size == 16 else "vLLM's default on a CPU"
    yield "block_size", Found(size, note)
    for name, value in (("enable_prefix_caching", True), ("enable_chunked_prefill", True), ("policy", "fcfs")):
        yield name, Found(value, "vLLM's default")
    yield "scheduler_reserve_full_isl", Found(True, "vLLM's default")
    yield "async_scheduling", Found(machine is not CPU and _is_asynchronous(told), "vLLM's default for these options")
    if machine is not None:
        yield from _batch(told, found, machine)


def machine_of(told: Told) -> Machine | None:
    """The class of machine, as far as a log tells it: by its device, or by the budget that it got by default."""
    if told.machine is not None:
        return told.machine
    if told.budget is not None and "max_num_batched_tokens" not in told.given:
        return of_budget(told.budget)
    return None


def unknown(found: Mapping[str, Found]) -> Iterator[Unknown]:
    """What is needed and isn't known."""
    for name, how in _HOW.items():
        if name not in found:
            yield Unknown(name, how)


def _is_asynchronous(told: Told) -> bool:
    given: Mapping[str, Given] = told.given
    stages = whole(given["pipeline_parallel_size"].value) if "pipeline_parallel_size" in given else 1
    speculates = any(
        name in given and given[name].value not in (None, "None")
        for name in ("speculative_config", "spec_method", "spec_model")
    )
    return not speculates and stages in (None, 1)


def _batch(told: Told, found: Mapping[str, Found], machine: Machine) -> Iterator[tuple[str, Found]]:
    """The seats and the budget, by the rules of the release's `_set_default_max_num_seqs_and_batched_tokens_args`."""
    ranks = number(told, "tensor_parallel_size") * number(told, "pipeline_parallel_size") if machine.grows else 1
    doubled = 2 if "performance_mode" in told.given and told.given["performance_mode"].value == "throughput" else 1
    seats, budget = machine.max_num_seqs * ranks * doubled, machine.max_num_batched_tokens * ranks * doubled
    length = found["max_model_len"].value if "max_model_len" in found else None
    chunks = found["enable_chunked_prefill"].value if "enable_chunked_prefill" in found else True
    if "max_num_seqs" in found:
        seats = found["max_num_seqs"].value
    if length is not None:
        budget = min(seats * length, budget if chunks else max(length, budget))
    if "max_num_batched_tokens" in found:
        budget = found["max_num_batched_tokens"].value
    source = f"vLLM's default on {machine.words}"
    yield "max_num_batched_tokens", Found(budget, source)
    yield "max_num_seqs", Found(min(seats, budget), source)


def number(told: Told, option: str) -> int:
    """How many of something that option asks for; 1 where nobody asks."""
    return (whole(told.given[option].value) if option in told.given else 1) or 1
