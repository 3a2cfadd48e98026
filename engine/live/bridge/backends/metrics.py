"""A vLLM's own numbers: its `/metrics`, in the text format of Prometheus."""

import asyncio
from collections.abc import Iterator
from contextlib import suppress
from typing import Final

import httpx
from prometheus_client.parser import text_string_to_metric_families

from engine.codec import Scalar
from engine.live.bridge.backends.backend import Watched
from engine.live.bridge.problems import Unreachable
from engine.live.bridge.target import fetch

EVERY_SECONDS: Final = 0.5
"""How often they are asked for."""

WANTED: Final = {
    "vllm:num_requests_running": "running",
    "vllm:num_requests_waiting": "waiting",
    "vllm:kv_cache_usage_perc": "kv_cache_usage",
    "vllm:num_preemptions": "preemptions",
    "vllm:prefix_cache_queries": "prefix_queries",
    "vllm:prefix_cache_hits": "prefix_hits",
    "vllm:prompt_tokens": "prompt_tokens",
    "vllm:generation_tokens": "generation_tokens",
}
"""vLLM's names, and ours."""

CONFIG: Final = "vllm:cache_config_info"
"""The metric whose labels are settings."""


def numbers_of(text: str) -> dict[str, float]:
    """The wanted numbers in a page of metrics; those of several engines are added up. Raises `ValueError`."""
    found: dict[str, float] = {}
    for family in text_string_to_metric_families(text):
        name = WANTED.get(family.name)
        if name:
            samples = [sample.value for sample in family.samples if not sample.name.endswith("_created")]
            found[name] = sum(samples) / (len(samples) if name == "kv_cache_usage" and samples else 1)
    return found


def settings_of(text: str) -> dict[str, Scalar]:
    """The settings that a page of metrics tells. Raises `ValueError`."""
    labels: dict[str, str] = {}
    for family in text_string_to_metric_families(text):
        for sample in family.samples:
            if CONFIG in (family.name, sample.name):
                labels |= sample.labels
    return dict(_settings(labels))


def _settings(labels: dict[str, str]) -> Iterator[tuple[str, Scalar]]:
    for theirs, ours in (("num_gpu_blocks", "num_blocks"), ("block_size", "block_size")):
        if labels.get(theirs, "").isdecimal():
            yield ours, int(labels[theirs])
    if labels.get("enable_prefix_caching") in ("True", "False"):
        yield "enable_prefix_caching", labels["enable_prefix_caching"] == "True"


class Metrics:
    """Tells one server's numbers during a run, twice a second. A page that can't be read is left out."""

    def __init__(self, client: httpx.AsyncClient, url: str, lane: str, watched: Watched) -> None:
        self._client, self._url, self._lane, self._watched = client, url, lane, watched

    async def tell(self) -> None:
        """Ask again and again."""
        while True:
            await self._once()
            await asyncio.sleep(EVERY_SECONDS)

    async def finish(self) -> None:
        """Ask once more: the last numbers are the sums."""
        await self._once()

    async def _once(self) -> None:
        with suppress(Unreachable, ValueError, KeyError, IndexError):
            found = numbers_of(await fetch(self._client, self._url) or "")
            self._watched.feed.beside("metrics", **({"lane": self._lane} if self._lane else {}), **found)
