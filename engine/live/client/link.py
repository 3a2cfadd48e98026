"""The bridge's endpoints: what can be asked of it, and what its refusals say."""

import json
import sys
from collections.abc import Iterator
from typing import Any, Final, NamedTuple
from urllib.parse import urlsplit

from engine.codec import encode_object
from engine.live.client import native, page
from engine.live.client.transport import Answer, Cut, Request, Send, content
from engine.readers.own import WORKLOAD_FORMAT, WORKLOAD_SCHEMA
from engine.workload.records import Arrival, Workload

MOST_WORDS: Final = 1 << 20
"""Bytes of an answer that isn't a stream, at most."""


class LinkError(Exception):
    """The bridge can't be used, or refused: what happened, where, and what to do about it."""

    def __init__(self, what: str, mend: str = "", where: str = "") -> None:
        super().__init__(": ".join(filter(None, (where, what))) + (f" ({mend})" if mend else ""))
        self.what, self.mend, self.where = what, mend, where


class Link(NamedTuple):
    """A bridge's address and its token."""

    address: str
    token: str

    async def ask(self, method: str, path: str, body: Any = None, last: int = 0) -> Answer:
        """Send one request to `/api/…`. Raises `Cut`."""
        headers = {"Authorization": f"Bearer {self.token}"}
        if body is not None:
            headers["Content-Type"] = "application/json"
        if last:
            headers["Last-Event-ID"] = str(last)
        text = None if body is None else json.dumps(body).encode()
        return await sender()(Request(method, f"{self.address}/api/{path}", headers, text))

    async def value(self, method: str, path: str, body: Any = None) -> Any:
        """Ask, and give the JSON that comes back. Raises `LinkError`."""
        try:
            answer = await self.ask(method, path, body)
            text = await content(answer, MOST_WORDS)
        except Cut as cut:
            raise LinkError(
                f"no bridge answered: {cut}", "is it running? it prints its address", self.address
            ) from None
        return self.checked(answer.status, text)

    def checked(self, status: int, text: bytes) -> Any:
        """The JSON of an answer. Raises `LinkError` for a refusal, with the bridge's words, and for no JSON."""
        try:
            value = json.loads(text) if text.strip() else None
        except ValueError:
            raise LinkError("what answered there is no bridge", "look at the address", self.address) from None
        if status < 400:
            return value
        words = value if isinstance(value, dict) else {}
        what = str(words.get("error") or f"refused with status {status}")
        raise LinkError(what, str(words.get("mend") or ""), str(words.get("where") or ""))


def sender() -> Send:
    """How requests go out of this Python."""
    return page.send if sys.platform == "emscripten" else native.send


async def find_link(address: str | None, token: str | None) -> Link:
    """The bridge of these arguments, or in a browser the one that the page is connected to. Raises `LinkError`."""
    if token is None and address and "#live=" in address:
        address, _, token = address.partition("#live=")
    if (address is None or token is None) and sys.platform == "emscripten":
        known = await page.known_link()
        if known is None:
            raise LinkError("no page of this browser is connected to a bridge", "connect on the Live page first")
        address, token = address or known[0], token or known[1]
    if address is None or token is None:
        raise LinkError(
            "address and token are needed", "give address= and token=, or the whole link that the bridge printed"
        )
    parts = urlsplit(address)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise LinkError(f"{address!r} is no address of a bridge", "give one like http://127.0.0.1:8811")
    return Link(f"{parts.scheme}://{parts.netloc}", token)


def workload_body(workload: Workload) -> dict[str, Any]:
    """What `POST /api/runs` is sent. An answer's length is asked for as its limit: nothing else could set it."""
    head = {"format": WORKLOAD_FORMAT, "schema": WORKLOAD_SCHEMA, "name": workload.name}
    return {"workload": head | {"requests": list(map(_request, workload))}}


def _request(arrival: Arrival) -> dict[str, Any]:
    return dict(_renamed(encode_object(arrival)))


def _renamed(fields: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    for name, value in fields.items():
        yield ("max_tokens" if name == "num_output_tokens" else name), value
