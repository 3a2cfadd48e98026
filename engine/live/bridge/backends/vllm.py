"""Plain vLLM: token times, its metrics, and its KV events where they are published. Any version."""

from functools import partial
from typing import Any

import httpx

from engine.codec import Scalar
from engine.live.bridge.backends.backend import Backend, Lack, MakeSource
from engine.live.bridge.backends.kv_events import KVEvents
from engine.live.bridge.backends.metrics import Metrics, settings_of
from engine.live.bridge.backends.openai import ANSWERS_ARE_ITS_OWN
from engine.live.bridge.options import Replica
from engine.live.bridge.target import fetch

NO_STEPS = "start it with --scheduler-cls engine.live.recorder.RecordingScheduler: vLLM 0.32.0 only"
"""Why a plain vLLM tells no steps."""


async def vllm_backend(
    client: httpx.AsyncClient, version: str, model: dict[str, Any], replicas: tuple[Replica, ...]
) -> Backend:
    """The backend of a vLLM of that version. Raises `Unreachable`."""
    page = await fetch(client, "metrics", must=False)
    publishes = any(one.kv_events for one in replicas)
    lacks = [Lack("steps", NO_STEPS)]
    if page is None:
        lacks.append(Lack("metrics", "the server has no /metrics"))
    if not publishes:
        lacks.append(Lack("kv_events", "give --kv-events the address where the server publishes them"))
    known = (("metrics", page is not None), ("kv_events", publishes))
    several = len(replicas) > 1
    return Backend(
        kind="vllm",
        version=version[:60],
        model=str(model["id"]),
        settings=_settings(page, model),
        gives=("tokens", *(name for name, is_there in known if is_there)),
        lacks=(*lacks, ANSWERS_ARE_ITS_OWN),
        lanes=tuple(one.name for one in replicas) if several else (),
        asked={
            "model": model["id"],
            "ignore_eos": True,
            "stream_options": {"include_usage": True, "continuous_usage_stats": True},
        },
        sources=tuple(_sources(client, replicas, page is not None)),
    )


def _settings(page: str | None, model: dict[str, Any]) -> dict[str, Scalar]:
    try:
        found = settings_of(page or "")
    except (ValueError, KeyError, IndexError):
        found = {}
    if type(model.get("max_model_len")) is int:
        found["max_model_len"] = model["max_model_len"]
    return found


def _sources(client: httpx.AsyncClient, replicas: tuple[Replica, ...], has_metrics: bool) -> list[MakeSource]:
    several = len(replicas) > 1
    with_url = [one for one in replicas if one.url]
    pages = [(f"{one.url}/metrics", one.name) for one in with_url] or [("metrics", "")] * has_metrics
    published = [(one.kv_events, one.name) for one in replicas if one.kv_events]
    return [
        *(partial(Metrics, client, page, name if several else "") for page, name in pages),
        *(partial(KVEvents, address, name if several else "") for address, name in published),
    ]
