"""Any OpenAI-compatible server: it streams tokens, and says nothing of what it decides."""

from typing import Any, Final

import httpx
import msgspec

from engine.live.bridge.backends.backend import Backend, Lack
from engine.live.bridge.problems import Unreachable
from engine.live.bridge.target import fetch

ANSWERS_ARE_ITS_OWN: Final = Lack(
    "answers as the workload has them",
    "the model's are its own: a prompt that repeats one shares only what is before it",
)
"""No backend makes a model say what a workload says."""

LACKS: Final = (
    Lack("steps", "only vLLM 0.32.0 with the recorder tells what its scheduler decides"),
    Lack("metrics", "their names differ from server to server"),
    Lack("kv_events", "no common interface has them"),
    Lack("exact token counts", "a piece of text counts as one token where the server doesn't say how many it has"),
    Lack("answers of the length asked for", "the model may stop sooner: no common field forbids it"),
    ANSWERS_ARE_ITS_OWN,
)
"""What such a server can't tell."""


async def models_of(client: httpx.AsyncClient) -> list[dict[str, Any]]:
    """The models that the server offers. Raises `Unreachable`."""
    text = await fetch(client, "v1/models") or ""
    try:
        found = msgspec.json.decode(text)["data"]
        models = [dict(model) for model in found if isinstance(model["id"], str)]
    except (ValueError, KeyError, TypeError, RecursionError):
        models = []
    if not models:
        raise Unreachable("it lists no models", "is this the address of an OpenAI-compatible server?")
    return models


def choose(models: list[dict[str, Any]], wanted: str | None) -> dict[str, Any]:
    """The model to ask: the one that is wanted, or the first. Raises `Unreachable`."""
    for model in models:
        if wanted in (None, model["id"]):
            return model
    names = ", ".join(str(model["id"]) for model in models[:10])
    raise Unreachable(f"it has no model {wanted!r}", f"give one of these to --model: {names}")


def openai_backend(model: dict[str, Any]) -> Backend:
    """The backend that asks for this model."""
    return Backend(
        kind="openai",
        version=str(model.get("owned_by", ""))[:60],
        model=str(model["id"]),
        lacks=LACKS,
        asked={"model": model["id"], "stream_options": {"include_usage": True}},
    )
