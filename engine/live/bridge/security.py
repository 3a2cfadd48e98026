"""Who is let in: the Host that was asked for, the page that asks, the token, and how much may be sent.

A page of another origin must not use the bridge, whatever it knows: so the origin is looked at before the token,
and a name that merely points here (DNS rebinding) is refused by its Host header.
"""

import asyncio
import hmac
import json
import secrets
import time
from collections import deque
from collections.abc import Callable, Iterable, Mapping, MutableMapping
from typing import Any, Final

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from engine.live.bridge.limits import Limits
from engine.live.bridge.problems import Problem

ALLOWED_HEADERS: Final = "Authorization, Content-Type, Last-Event-ID"
"""What a page of an allowed origin may send."""
ONCE: Final = ("origin", "authorization", "last-event-id", "content-type", "content-length")
"""Headers that say one thing or nothing: of two, nobody knows which one another reader took."""
BODY_SECONDS: Final = 30.0
"""How long a body may take to come."""
ALLOWED_METHODS: Final = "GET, POST, DELETE"
"""And with which methods."""

WORDS: Final = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Content-Security-Policy": "frame-ancestors 'self'",
}
"""Headers of every answer."""


def new_token() -> str:
    """A token nobody guesses: 256 random bits."""
    return secrets.token_urlsafe(32)


class Door:
    """Decides about one request after another; `clock` gives seconds."""

    def __init__(
        self,
        token: str,
        port: int,
        origins: Iterable[str] = (),
        limits: Limits | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        names = ("127.0.0.1", "localhost", "[::1]")
        self.hosts = frozenset(f"{name}:{port}" for name in names)
        self.own = frozenset(f"http://{host}" for host in self.hosts)
        self.origins = self.own | frozenset(origins)
        self._token = token.encode()
        self._limits = limits = limits or Limits()
        self._clock = clock
        self._ends = clock() + limits.token_hours * 3600
        self._wrong: deque[float] = deque(maxlen=limits.wrong_tokens_a_minute)

    def check_host(self, headers: Mapping[str, str]) -> None:
        """Raise `Problem` unless the request was meant for this very address."""
        host = headers.get("host", "")
        if host.lower() not in self.hosts:
            raise Problem(421, f"this is no address of {host[:80]!r}", "open the address that was printed", "Host")

    def check_once(self, headers: Headers) -> None:
        """Raise `Problem` if a header that decides something was sent twice, or a body has two lengths."""
        for name in ONCE:
            if len(headers.getlist(name)) > 1:
                raise Problem(400, f"{name} was sent twice", "send it once", name)
        if "transfer-encoding" in headers and "content-length" in headers:
            raise Problem(400, "the body has a length and comes in pieces, too", "send one of the two", "body")

    def check_origin(self, headers: Mapping[str, str]) -> None:
        """Raise `Problem` if a page of another origin asks. Without the header it's no page, or the bridge's own."""
        origin = headers.get("origin")
        if origin is not None and origin not in self.origins:
            raise Problem(
                403,
                f"pages of {origin[:80]!r} may not use this bridge",
                f"open the bridge's own pages, or start it with --allow-origin {origin[:80]}",
                "Origin",
            )

    def check_token(self, headers: Mapping[str, str]) -> None:
        """Raise `Problem` without the right token, after its time, and while somebody guesses."""
        now = self._clock()
        while self._wrong and now - self._wrong[0] >= 60:
            self._wrong.popleft()
        if len(self._wrong) == self._limits.wrong_tokens_a_minute:
            raise Problem(429, "too many wrong tokens", "wait a minute", "Authorization")
        scheme, _, given = headers.get("authorization", "").partition(" ")
        right = hmac.compare_digest(given.strip().encode("utf-8", "surrogateescape"), self._token)
        if scheme.lower() != "bearer" or not right:
            if given:
                self._wrong.append(now)
            what = "the token is wrong: it is new with each start of the bridge" if given else "the token is missing"
            raise Problem(401, what, "copy the newest link from its terminal, with what follows the #", "Authorization")
        if now >= self._ends:
            raise Problem(
                401,
                f"the token has expired after {self._limits.token_hours} hours",
                "start the bridge again",
                "Authorization",
            )


class Guard:
    """ASGI middleware: nothing under `/api/` is reached but through the `Door`, and every answer has the headers."""

    def __init__(self, app: ASGIApp, door: Door, limits: Limits) -> None:
        self._app, self._door, self._limits = app, door, limits

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse, answer a preflight, or hand on."""
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        is_api = scope["path"].startswith("/api/")
        sending = _with_headers(send, self._extra(headers, is_api))
        try:
            self._door.check_host(headers)
            if not is_api:
                await self._app(scope, receive, sending)
                return
            self._door.check_once(headers)
            self._door.check_origin(headers)
            if scope["method"] == "OPTIONS":
                await _answer(sending, 204, b"")
                return
            self._door.check_token(headers)
            body = await self._body(scope, headers, receive)
        except Problem as problem:
            await _answer(sending, problem.status, json.dumps(problem.body()).encode())
            return
        await self._app(scope, _replayed(body, receive), sending)

    def _extra(self, headers: Headers, is_api: bool) -> dict[str, str]:
        extra = dict(WORDS)
        if not is_api:
            return extra
        extra |= {"Cache-Control": "no-store", "Vary": "Origin", "Cross-Origin-Resource-Policy": "same-origin"}
        origin = headers.get("origin")
        if origin in self._door.origins:
            extra |= {"Access-Control-Allow-Origin": str(origin)}
            if "access-control-request-method" in headers:
                extra |= {
                    "Access-Control-Allow-Methods": ALLOWED_METHODS,
                    "Access-Control-Allow-Headers": ALLOWED_HEADERS,
                    "Access-Control-Max-Age": "600",
                }
            if headers.get("access-control-request-private-network") == "true":
                extra |= {"Access-Control-Allow-Private-Network": "true"}
        if origin in self._door.origins - self._door.own:
            extra |= {"Cross-Origin-Resource-Policy": "cross-origin"}
        return extra

    async def _body(self, scope: Scope, headers: Headers, receive: Receive) -> bytes:
        """The whole body, within the limit; only what has one is waited for."""
        if scope["method"] != "POST":
            return b""
        most = self._limits.max_body_bytes
        too_long = Problem(413, f"the body is longer than {most} bytes", "send a smaller workload", "body")
        stated = headers.get("content-length", "0")
        if not stated.isdecimal() or int(stated[:18]) > most:
            raise too_long
        kind = headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind != "application/json":
            raise Problem(415, f"the body is {kind[:60] or 'of no type'!r}", "send application/json", "Content-Type")
        try:
            async with asyncio.timeout(BODY_SECONDS):
                body = await _received(receive, most)
        except TimeoutError:
            raise Problem(408, f"the body took longer than {BODY_SECONDS:g} s", "send it at once", "body") from None
        if body is None:
            raise too_long
        return body


async def _received(receive: Receive, most: int) -> bytes | None:
    """The body as it comes, None where it is longer than `most`; nothing from somebody who hung up."""
    pieces, size = [], 0
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            return b""
        piece = message.get("body", b"")
        size += len(piece)
        if size > most:
            return None
        pieces.append(piece)
        if not message.get("more_body"):
            return b"".join(pieces)


def _replayed(body: bytes, receive: Receive) -> Receive:
    """A `receive` that gives the body that was read already, and then what comes."""
    is_given = False

    async def again() -> Message:
        nonlocal is_given
        if is_given:
            return await receive()
        is_given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return again


def _with_headers(send: Send, extra: Mapping[str, str]) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            names = {name.lower().encode() for name in extra}
            kept = [(name, value) for name, value in message.get("headers", ()) if name.lower() not in names]
            added = [(name.lower().encode(), value.encode("latin-1", "replace")) for name, value in extra.items()]
            changed: MutableMapping[str, Any] = {**message, "headers": kept + added}
            message = changed
        await send(message)

    return sending


async def _answer(send: Send, status: int, body: bytes) -> None:
    headers = [(b"content-length", str(len(body)).encode())]
    if body:
        headers.append((b"content-type", b"application/json"))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
