"""What to answer to a request for a file: decided here, sent elsewhere."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Protocol
from urllib.parse import quote, unquote, urlsplit

from coursekit.digest import file_hash
from engine.live.bridge.encodings import ENCODINGS, choose_encoding

TEXT = "; charset=utf-8"
TYPES = {
    ".css": "text/css" + TEXT,
    ".data": "application/octet-stream",
    ".gif": "image/gif",
    ".html": "text/html" + TEXT,
    ".ico": "image/x-icon",
    ".ipynb": "application/json",
    ".jpg": "image/jpeg",
    ".js": "text/javascript" + TEXT,
    ".json": "application/json",
    ".map": "application/json",
    ".mjs": "text/javascript" + TEXT,
    ".png": "image/png",
    ".py": "text/x-python" + TEXT,
    ".svg": "image/svg+xml",
    ".ttf": "font/ttf",
    ".txt": "text/plain" + TEXT,
    ".wasm": "application/wasm",
    ".webmanifest": "application/manifest+json",
    ".webp": "image/webp",
    ".whl": "application/zip",
    ".woff": "font/woff",
    ".woff2": "font/woff2",
    ".xml": "application/xml",
    ".zip": "application/zip",
}

# Addresses that carry a hash of what they name, in a folder or in the file's name: what stands there
# never changes. Everything else is asked for again, and answered "not modified" where it wasn't.
HASHED = re.compile(
    r"^/(?:py|wheels|lab/app|lab/course)/[0-9a-f]{8,}/|"
    r"/[^/]*[.-](?=[a-f]*[0-9])[0-9a-f]{7,}\.(?:[a-z.]+\.)?[a-z0-9]+$"
)
FOREVER = "public, max-age=31536000, immutable"
ASK_AGAIN = "no-cache"


@dataclass(frozen=True)
class Answer:
    """A status, headers and the file whose bytes follow; no file for an answer without a body."""

    status: int
    headers: Mapping[str, str] = field(default_factory=dict)
    file: Path | None = None


class Asked(Protocol):
    """The headers of a request, whose names the server takes in any case."""

    def get(self, name: str, default: str, /) -> str:
        """The value of a header, or the default."""


# Folders by the address (with its closing slash) under which their files stand; the first that has one wins.
Mounts = Sequence[tuple[str, Path]]


def answer(target: str, headers: Asked, mounts: Mounts) -> Answer:
    """Answer a GET for `target`, which is looked for in each of `mounts` in turn."""
    asked = urlsplit(target)
    address = unquote(asked.path)
    found = find(address, mounts)
    if found is None:
        return _not_found(mounts)
    if found.is_dir():
        query = f"?{asked.query}" if asked.query else ""
        return Answer(301, {"Location": quote(f"{_name(address)}/") + query, "Content-Length": "0"})
    return _file_answer(found, address, headers)


def find(address: str, mounts: Mounts) -> Path | None:
    """The file at an address; a folder where the address lacks its closing slash; None for nothing.

    An address never leads out of the folders, whatever dots it has.
    """
    if ".." in address.split("/") or "\0" in address:
        return None
    for prefix, folder in mounts:
        if not address.startswith(prefix):
            continue
        place = folder.joinpath(*filter(None, address.removeprefix(prefix).split("/")))
        if (place / "index.html").is_file():
            return place / "index.html" if address.endswith("/") else place
        if place.is_file() and not address.endswith("/"):
            return place
    return None


def _name(address: str) -> str:
    return address.rsplit("/", 1)[-1]


def _not_found(mounts: Mounts) -> Answer:
    page = find("/404.html", mounts)
    if page is None:
        return Answer(404, {"Content-Length": "0", "Cache-Control": ASK_AGAIN})
    headers = {"Content-Type": TYPES[".html"], "Content-Length": str(page.stat().st_size)}
    return Answer(404, {**headers, "Cache-Control": ASK_AGAIN}, page)


def _file_answer(file: Path, address: str, asked: Asked) -> Answer:
    copies = {name: file.with_name(file.name + suffix) for name, suffix in ENCODINGS.items()}
    present = {name: copy for name, copy in copies.items() if copy.is_file()}
    encoding = choose_encoding(asked.get("Accept-Encoding", ""), present)
    body = present[encoding] if encoding else file
    tag = f'"{etag(file)}{"-" + encoding if encoding else ""}"'
    headers = {
        "ETag": tag,
        "Cache-Control": FOREVER if HASHED.search(address) else ASK_AGAIN,
        "X-Content-Type-Options": "nosniff",
    }
    if present:
        headers["Vary"] = "Accept-Encoding"
    if tag in re.findall(r'"[^"]*"', asked.get("If-None-Match", "")):
        return Answer(304, headers)
    headers["Content-Type"] = TYPES.get(file.suffix, "application/octet-stream")
    headers["Content-Length"] = str(body.stat().st_size)
    if encoding:
        headers["Content-Encoding"] = encoding
    return Answer(200, headers, body)


def etag(file: Path) -> str:
    """A short hash of the file's bytes, so that a rebuilt file that says the same stays the same."""
    status = file.stat()
    return _hash_at(file, status.st_mtime_ns, status.st_size)


@lru_cache(maxsize=4096)
def _hash_at(file: Path, _mtime_ns: int, _size: int) -> str:
    return file_hash(file)[:20]
