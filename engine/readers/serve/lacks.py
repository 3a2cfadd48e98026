"""What a server may do that the engine doesn't reproduce, by the option that asks for it."""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from engine.readers.serve.server import Given, Lack
from engine.readers.serve.values import is_true, whole

_SPECULATION = Lack(
    "speculative decoding",
    "drafted tokens share the budget and their blocks may be given back: here every answer token costs one step",
)
_LORA = Lack(
    "LoRA adapters",
    "max_loras limits who may run together, and each adapter has prefixes of its own: here all requests use one model",
)
_CONNECTOR = Lack(
    "a KV connector or KV offloading",
    "blocks come from and go to a place outside the GPU's memory: here an evicted block is gone",
)
_MEDIA = Lack("images, audio and video", "their encoder has a budget and a cache of its own: here prompts are text")
_HYBRID = Lack(
    "a hybrid model's cache",
    "sliding windows and state layers have block groups of their own: here every layer keeps every token",
)
_REPLICAS = Lack(
    "data parallel replicas",
    "each replica has a scheduler and a pool of its own: here it is one of them, so give it its share of the traffic",
)
_PIPELINE = Lack(
    "pipeline parallelism", "several batches are in flight at once: here one step ends before the next begins"
)
_CONTEXT = Lack(
    "context parallelism", "a block's tokens are spread over several ranks: here one pool holds whole blocks"
)
_SCHEDULER = Lack("a scheduler of your own", "what it decides can't be told from its name: here it is vLLM's own")
_QUEUE = Lack(
    "a limit on the queue",
    "vLLM refuses requests beyond it: here all of them wait, unless a scenario's limits say max_waiting",
)
_BUDGET = Lack(
    "a budget for scheduling alone",
    "max_num_scheduled_tokens is below the budget: here both are max_num_batched_tokens",
)
_PREFILL = Lack("spaced-out prefills", "prompts are only begun every so many steps: here in any step")
_POOLING = Lack("pooling and embedding", "such requests have no answer tokens: here every request generates some")
_OVERLAP = Lack("dual batch overlap", "a step's batch is split in two that overlap: here a step is one batch")
_RETENTION = Lack(
    "retention of cached prefixes",
    "which cached block is evicted first is another one: here the one that was used longest ago",
)
_DIFFUSION = Lack("a diffusion language model", "a step makes several tokens at once: here one a request")


def _is_set(value: Any) -> bool:
    return value is not None and value is not False and value not in ("", "None", "none", "null", {}, [])


def _above(least: int) -> Callable[[Any], bool]:
    # A value that can't be read counts as one that matters.
    return lambda value: (number := whole(value)) is None or number > least


def _is_other_runner(value: Any) -> bool:
    return value not in ("auto", "generate", None)


WHEN: Final[dict[str, tuple[Callable[[Any], bool], Lack]]] = {
    "speculative_config": (_is_set, _SPECULATION),
    "spec_method": (_is_set, _SPECULATION),
    "spec_model": (_is_set, _SPECULATION),
    "spec_tokens": (_is_set, _SPECULATION),
    "enable_lora": (is_true, _LORA),
    "lora_modules": (_is_set, _LORA),
    "default_mm_loras": (_is_set, _LORA),
    "kv_transfer_config": (_is_set, _CONNECTOR),
    "ec_transfer_config": (_is_set, _CONNECTOR),
    "kv_offloading_size": (_is_set, _CONNECTOR),
    "limit_mm_per_prompt": (_is_set, _MEDIA),
    "enable_mm_embeds": (is_true, _MEDIA),
    "mm_encoder_only": (is_true, _MEDIA),
    "mamba_block_size": (_is_set, _HYBRID),
    "mamba_cache_mode": (_is_set, _HYBRID),
    "enable_mamba_shared_prefix_checkpoint": (is_true, _HYBRID),
    "kv_sharing_fast_prefill": (is_true, _HYBRID),
    "data_parallel_size": (_above(1), _REPLICAS),
    "pipeline_parallel_size": (_above(1), _PIPELINE),
    "decode_context_parallel_size": (_above(1), _CONTEXT),
    "prefill_context_parallel_size": (_above(1), _CONTEXT),
    "scheduler_cls": (_is_set, _SCHEDULER),
    "max_num_queued_reqs": (_is_set, _QUEUE),
    "max_num_queued_tokens": (_is_set, _QUEUE),
    "max_num_scheduled_tokens": (_is_set, _BUDGET),
    "prefill_schedule_interval": (_above(1), _PREFILL),
    "runner": (_is_other_runner, _POOLING),
    "convert": (lambda value: value not in ("auto", "none", None), _POOLING),
    "enable_dbo": (is_true, _OVERLAP),
    "prefix_cache_retention_interval": (_above(0), _RETENTION),
    "prefix_match_unit": (_is_set, _RETENTION),
    "diffusion_config": (_is_set, _DIFFUSION),
}
"""The options that matter here: when their value does, and what is then not reproduced."""

HYBRID: Final = _HYBRID
"""For logs, which tell it in other ways."""


_SEVERAL_CACHES = re.compile(
    r"gpt-?oss|gemma-?[234]|mistral-7b-(?:instruct-)?v0\.1|jamba|mamba|bamba|zamba|granite-?4|nemotron-h|falcon-h1|"
    r"qwen3-next|qwen3\.5|lfm2|minimax-text|llama-?4|cohere|command-a|plamo2",
    re.IGNORECASE,
)


def has_several_caches(model: str) -> bool:
    """Whether a model of this name is of a family with sliding windows or state layers, as far as names tell it."""
    return _SEVERAL_CACHES.search(model) is not None


def of(given: Mapping[str, Given]) -> Iterator[Lack]:
    """What these options ask for that isn't reproduced, each once."""
    seen = set()
    for name, (matters, lack) in WHEN.items():
        if name in given and matters(given[name].value) and lack not in seen:
            seen.add(lack)
            yield lack
