"""A scheduler for vLLM 0.32.0 that decides as vLLM does, and tells the bridge every decision.

    PYTHONPATH=. vllm serve MODEL --scheduler-cls engine.live.recorder.RecordingScheduler

The only module that imports vLLM. Its scheduler's interface isn't public, so another version is refused by name: such
a server is started without the recorder, and the bridge tells what it offers by itself.
"""

import logging
import os
from collections.abc import Callable
from dataclasses import fields
from typing import Any, Final

from vllm import __version__ as VLLM_VERSION
from vllm.v1.core.sched.async_scheduler import AsyncScheduler
from vllm.v1.core.sched.scheduler import Scheduler

from engine.live.recorder_link import RecorderLink
from engine.live.recorder_notes import Notes
from engine.live.recorder_wire import LANE_VARIABLE, PLAIN, PROMPTS_VARIABLE, PROTOCOL, Hello, default_path
from engine.settings import Settings

LOG: Final = logging.getLogger("vllm.engine_live")
"""Speaks where vLLM's own log speaks."""

KNOWN_VERSION: Final = "0.32.0"
"""The release whose scheduler this recorder knows."""

if VLLM_VERSION.partition("+")[0] != KNOWN_VERSION:
    raise ImportError(
        f"the recorder knows vLLM {KNOWN_VERSION}, and this is vLLM {VLLM_VERSION}: start the server without "
        "--scheduler-cls; the bridge then gives token times, metrics and KV events"
    )


class _Recording:
    """What is put before vLLM's scheduler, the synchronous or the asynchronous one."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        mine: Any = self
        keeps_prompts = _keeps_prompts()
        self._link = RecorderLink(default_path(), _hello(mine, keeps_prompts))
        self._notes = Notes(self._link, mine.block_size, keeps_prompts=keeps_prompts)
        pool = mine.kv_cache_manager.block_pool
        evict = pool._maybe_evict_cached_block

        def note_eviction(block: Any) -> bool:
            is_evicted = bool(evict(block))
            if is_evicted:
                self._notes.evicted.append(block.block_id)
            return is_evicted

        pool._maybe_evict_cached_block = note_eviction

    def _note(self, take: Callable[..., Any], *args: Any) -> Any:
        """Take a note. Whatever goes wrong with it is no concern of the server's: then there are no more notes."""
        try:
            return take(*args)
        except Exception:
            if not self._link.is_stopped:
                LOG.warning("the recorder can't follow this server and tells no more of it", exc_info=True)
            self._link.stop()
        return 0

    def add_request(self, request: Any) -> None:
        base: Any = super()
        base.add_request(request)
        self._note(self._notes.added, request, self)

    def finish_requests(self, request_ids: Any, finished_status: Any) -> Any:
        base: Any = super()
        gone = base.finish_requests(request_ids, finished_status)
        self._note(self._notes.left, gone)
        return gone

    def schedule(self, *args: Any, **kwargs: Any) -> Any:
        base: Any = super()
        mine: Any = self
        at = self._note(self._notes.before_plan, self)
        output = base.schedule(*args, **kwargs)
        self._note(self._notes.planned, at, output, mine.requests)
        return output

    def update_from_output(self, scheduler_output: Any, model_runner_output: Any) -> Any:
        base: Any = super()
        mine: Any = self
        results = base.update_from_output(scheduler_output, model_runner_output)
        self._note(self._notes.done, scheduler_output, results, mine.requests)
        return results

    def _preempt_request(self, request: Any, *args: Any, **kwargs: Any) -> Any:
        base: Any = super()
        self._notes.preempted.append(request.request_id)
        return base._preempt_request(request, *args, **kwargs)


# vLLM isn't installed where types are checked, so its classes are of no known type there.
class _RecordingScheduler(_Recording, Scheduler):  # type: ignore[misc]
    """One step at a time."""


class _RecordingAsyncScheduler(_Recording, AsyncScheduler):  # type: ignore[misc]
    """One step ahead."""


class RecordingScheduler:
    """What `--scheduler-cls` names: makes the recorder that fits the server's `async_scheduling`."""

    def __new__(cls, vllm_config: Any, *args: Any, **kwargs: Any) -> Any:
        """The scheduler, which takes what vLLM's own takes."""
        kind = _RecordingAsyncScheduler if vllm_config.scheduler_config.async_scheduling else _RecordingScheduler
        return kind(vllm_config, *args, **kwargs)


def _keeps_prompts() -> bool:
    """Whether whoever started the server asked for prompts in the recording. The log says so, or why not."""
    asked = os.environ.get(PROMPTS_VARIABLE, "")
    if asked == PLAIN:
        LOG.warning("%s=%s: recordings of this server hold the prompts of their requests", PROMPTS_VARIABLE, PLAIN)
    elif asked:
        LOG.warning("%s is %r, and %r is all that it may be: prompts stay hashed", PROMPTS_VARIABLE, asked, PLAIN)
    return asked == PLAIN


def _hello(scheduler: Any, keeps_prompts: bool) -> Hello:
    config = scheduler.vllm_config
    return Hello(
        protocol=PROTOCOL,
        version=VLLM_VERSION,
        model=str(config.model_config.served_model_name or config.model_config.model),
        lane=os.environ.get(LANE_VARIABLE) or f"replica {config.parallel_config.data_parallel_rank}",
        settings=_settings(scheduler),
        vocabulary=int(config.model_config.get_vocab_size()),
        lacks=list(_lacks(scheduler)),
        keeps_prompts=keeps_prompts,
    )


def _settings(scheduler: Any) -> dict[str, Any]:
    """The engine's settings under its own names, which are vLLM's."""
    config = scheduler.vllm_config
    found = {
        "num_blocks": scheduler.cache_config.num_gpu_blocks,
        "max_model_len": scheduler.max_model_len,
        "block_size": scheduler.block_size,
        "max_num_batched_tokens": scheduler.max_num_scheduled_tokens,
        "enable_prefix_caching": bool(scheduler.cache_config.enable_prefix_caching),
    }
    own = {field.name for field in fields(Settings)} - {"reject_unservable", "keep_stale_hashes"} - set(found)
    return found | {name: getattr(config.scheduler_config, name) for name in sorted(own)}


def _lacks(scheduler: Any) -> list[tuple[str, str]]:
    """What this server does that the engine doesn't: then its steps are told, and can't be replayed."""
    config = scheduler.vllm_config
    found = {
        "speculative decoding": config.speculative_config is not None,
        "LoRA adapters": config.lora_config is not None,
        "a KV connector": scheduler.connector is not None,
        "several KV cache groups": len(scheduler.kv_cache_config.kv_cache_groups) != 1,
        "pipeline parallelism": config.parallel_config.pipeline_parallel_size > 1,
    }
    return [("exact replay", f"the engine knows no such thing as {name}") for name, is_on in found.items() if is_on]
