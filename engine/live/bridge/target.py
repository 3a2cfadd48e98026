"""The one model server that this bridge asks: where it is, what it says of itself, and a stream of its tokens."""

import json
from collections.abc import AsyncGenerator, AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

import httpx

from engine.live.bridge.limits import Limits
from engine.live.bridge.problems import Unreachable

MOST_LINE: Final = 1 << 20
"""Bytes of one event of a model server. A longer one is rubbish."""

MOST_ANSWER: Final = 8 << 20
"""Bytes of an answer that isn't streamed, such as /metrics."""

PROBE_SECONDS: Final = 5.0
"""How long the server may take to say who it is."""


class Broken(Exception):
    """An answer that ended before its end; `refused` if the server didn't even begin one."""

    def __init__(self, why: str, *, refused: bool = False) -> None:
        super().__init__(why)
        self.why, self.refused = why, refused


class Chunk(NamedTuple):
    """A piece of an answer: tokens in it, and why it is the last one, if it is."""

    num_tokens: int
    reason: str | None = None


@dataclass(frozen=True)
class Target:
    """A model server's address and key. The key goes to this server and nowhere else: it is in no answer and no log."""

    url: str
    key: str | None = field(default=None, repr=False)

    def headers(self) -> dict[str, str]:
        """What every request to the server carries."""
        key = {"Authorization": f"Bearer {self.key}"} if self.key else {}
        return {"Accept-Encoding": "identity", **key}


def new_client(target: Target, limits: Limits) -> httpx.AsyncClient:
    """A client that goes to the target and nowhere else: no redirects, no proxies from the environment."""
    return httpx.AsyncClient(
        base_url=target.url.rstrip("/") + "/",
        headers=target.headers(),
        follow_redirects=False,
        trust_env=False,
        timeout=httpx.Timeout(10.0, read=float(limits.max_silence_seconds), pool=None),
        limits=httpx.Limits(max_connections=None, max_keepalive_connections=64),
    )


async def fetch(client: httpx.AsyncClient, path: str, *, must: bool = True) -> str | None:
    """A small answer's text; None where there is none and none must be. Raises `Unreachable`."""
    try:
        request = client.build_request("GET", path, timeout=PROBE_SECONDS)
        if path.startswith("http"):
            # A replica is asked for its metrics, which need no key.
            request.headers.pop("Authorization", None)
        answer = await client.send(request, stream=True)
        try:
            text, status = await _small(answer), answer.status_code
        finally:
            await answer.aclose()
    except httpx.TimeoutException:
        raise Unreachable("it doesn't answer", "look whether it has finished starting") from None
    except httpx.HTTPError:
        raise Unreachable("nothing answers there", "start the server, or give its address to --vllm") from None
    if status in (401, 403):
        raise Unreachable("it refuses the key", "give its key in the environment: ENGINE_LIVE_API_KEY") from None
    if 300 <= status < 400:
        raise Unreachable("it sends us elsewhere, and redirects aren't followed", "give its final address to --vllm")
    if status == 200:
        return text
    if must:
        raise Unreachable(f"it answers with status {status}", "is this the address of an OpenAI-compatible server?")
    return None


async def _small(answer: httpx.Response) -> str:
    pieces, size = [], 0
    async for piece in answer.aiter_raw():
        size += len(piece)
        if size > MOST_ANSWER:
            raise Unreachable("its answer is too long", "is this the address of an OpenAI-compatible server?")
        pieces.append(piece)
    return b"".join(pieces).decode("utf-8", "replace")


async def complete(
    client: httpx.AsyncClient, prompt: Sequence[int], asked: Mapping[str, Any], headers: Mapping[str, str]
) -> AsyncGenerator[Chunk, None]:
    """The pieces of one answer as they come. Raises `Broken`."""
    body = {"prompt": list(prompt), "stream": True, "temperature": 0, **asked}
    try:
        async with client.stream("POST", "v1/completions", json=body, headers=dict(headers)) as answer:
            if answer.status_code != 200:
                raise Broken(f"the server answered with status {answer.status_code}", refused=True)
            counter = _Counter()
            async for data in _events(answer):
                if data == b"[DONE]":
                    break
                yield counter.chunk(data)
            if counter.reason is None:
                raise Broken("the answer ended without saying why")
    except httpx.TimeoutException:
        raise Broken("the server was silent for too long") from None
    except httpx.ConnectError:
        raise Broken("the server can't be reached", refused=True) from None
    except httpx.HTTPError:
        raise Broken("the connection to the server broke") from None


async def _events(answer: httpx.Response) -> AsyncIterator[bytes]:
    """The data of server-sent events, one line each, as OpenAI-compatible servers send them."""
    rest = b""
    async for piece in answer.aiter_raw():
        *lines, rest = (rest + piece).split(b"\n")
        for line in lines:
            if line.startswith(b"data:"):
                yield line[5:].strip()
        if len(rest) > MOST_LINE:
            raise Broken("the server streams rubbish: a line without an end")


class _Counter:
    """Counts the tokens of an answer: as the server says, where it does, and else one for each piece of text."""

    def __init__(self) -> None:
        self._counted = 0
        self.reason: str | None = None

    def chunk(self, data: bytes) -> Chunk:
        try:
            value = json.loads(data)
            choices, usage = value.get("choices") or [], value.get("usage") or {}
            text = choices[0].get("text") if choices else ""
            reason = choices[0].get("finish_reason") if choices else None
            said = usage.get("completion_tokens")
            failed = "error" in value
        except (ValueError, AttributeError, TypeError, LookupError, RecursionError):
            raise Broken("the server streams rubbish: what came is no completion") from None
        if failed:
            raise Broken("the server broke the answer off with an error")
        self.reason = self.reason or (str(reason) if reason else None)
        count = said - self._counted if type(said) is int else int(bool(text))
        count = min(max(count, 0), 1 << 20)
        self._counted += count
        return Chunk(count, str(reason) if reason else None)
