"""The command line of the bridge: `python -m engine.live --vllm URL`."""

import argparse
import asyncio
import os
import socket
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from engine.cli.options import whole
from engine.cli.parser import Parser
from engine.live.bridge.app import make_app
from engine.live.bridge.options import DEFAULT_PORT, Options, Replica
from engine.live.bridge.security import new_token
from engine.live.bridge.serving import server_of
from engine.live.bridge.target import Target

KEY_VARIABLE: Final = "ENGINE_LIVE_API_KEY"
"""Where the model server's key is looked for: a command line can be read by everybody on a machine."""


MOST_FILES: Final = 4_096
"""Files that the bridge opens at most: each request that is out is one, and so is each page."""


class Wrong(Exception):
    """An option that can't be; the message says which, and the mend."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Serve until it is stopped. 0 after that, 1 where it can't begin, 2 for a wrong option."""
    given = _parser().read(arguments)
    try:
        options = _options(given)
    except Wrong as wrong:
        return _complain(wrong, 2)
    try:
        listening = _listen(options.port)
    except Wrong as wrong:
        return _complain(wrong, 1)
    _allow_files()
    token = new_token()
    server = server_of(make_app(options, token))
    page = "live/" if options.site else ""
    print(f"The bridge to {options.target.url} listens (Ctrl+C stops it). Open, and give to nobody:")
    print(f"  http://127.0.0.1:{options.port}/{page}#live={token}", flush=True)
    # Once it has shut down, uvicorn raises the interrupt that ended it again.
    with listening, suppress(KeyboardInterrupt):
        asyncio.run(server.serve(sockets=[listening]))
    return 0


def _allow_files() -> None:
    """Take as many open files as the system lets us have: some begin with 256, and a run has more requests out."""
    with suppress(ImportError, ValueError, OSError):
        import resource

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = MOST_FILES if hard == resource.RLIM_INFINITY else min(hard, MOST_FILES)
        if soft != resource.RLIM_INFINITY and soft < wanted:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def _complain(wrong: Wrong, status: int) -> int:
    print(wrong, file=sys.stderr)
    return status


def _parser() -> Parser:
    parser = Parser(prog="python -m engine.live", description=__doc__)
    add = parser.add_argument
    add("--vllm", required=True, metavar="URL", help="the model server, such as http://127.0.0.1:8000")
    port = whole(1, DEFAULT_PORT, 65_535)
    add("--port", type=port, default=DEFAULT_PORT, help=f"where to listen on 127.0.0.1 (default {DEFAULT_PORT})")
    add("--site", type=Path, default=Path("build/site"), help="the built course to serve too (default build/site)")
    add("--allow-origin", action="append", default=[], metavar="ORIGIN", help="another origin whose pages may ask")
    add("--model", help="the model to ask, where the server has several")
    add(
        "--replica", action="append", default=[], metavar="NAME=URL", help="a server behind the router, for its metrics"
    )
    add(
        "--kv-events",
        action="append",
        default=[],
        metavar="[NAME=]tcp://HOST:PORT",
        help="where KV events are published",
    )
    add("--recorder", type=Path, metavar="PATH", help="the socket that recorders come to")
    add("--token-ids", metavar="FIRST-BEYOND", help="the token ids that prompts are made of")
    add("--api-key-env", default=KEY_VARIABLE, metavar="NAME", help=f"the server's key (default {KEY_VARIABLE})")
    return parser


def _options(given: argparse.Namespace) -> Options:
    return Options(
        target=Target(_server_url(given.vllm, "--vllm"), os.environ.get(given.api_key_env) or None),
        port=given.port,
        site=given.site if (given.site / "index.html").is_file() else None,
        origins=tuple(_origin(text) for text in given.allow_origin),
        model=given.model,
        replicas=_replicas(given.replica, given.kv_events),
        recorder_path=given.recorder,
        token_ids=_token_ids(given.token_ids),
    )


def _server_url(text: str, option: str) -> str:
    parts = urlsplit(text)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.fragment or parts.username:
        raise Wrong(f"{option}: {text!r} is no address of a server; give one like http://127.0.0.1:8000")
    return text.rstrip("/").removesuffix("/v1")


def _origin(text: str) -> str:
    parts = urlsplit(text)
    if parts.scheme not in ("http", "https") or not parts.netloc or text != f"{parts.scheme}://{parts.netloc}":
        raise Wrong(f"--allow-origin: {text!r} is no origin; give one like https://example.org, with no path")
    return text


def _replicas(named: list[str], events: list[str]) -> tuple[Replica, ...]:
    found: dict[str, Replica] = {}
    for text in named:
        name, sign, url = text.partition("=")
        if not sign or not name:
            raise Wrong(f"--replica: {text!r}; give NAME=URL")
        found[name] = Replica(name, _server_url(url, "--replica"))
    for text in events:
        name, sign, address = text.rpartition("=")
        if not address.startswith(("tcp://", "ipc://")) or (name and name not in found):
            raise Wrong(f"--kv-events: {text!r}; give tcp://HOST:PORT, with NAME= of a --replica before it")
        found[name] = found.get(name, Replica(name))._replace(kv_events=address)
    return tuple(found.values())


def _token_ids(text: str | None) -> tuple[int, int] | None:
    if text is None:
        return None
    first, sign, beyond = text.partition("-")
    if not (sign and first.isdecimal() and beyond.isdecimal() and int(first) < int(beyond)):
        raise Wrong(f"--token-ids: {text!r}; give two numbers like 1000-30000")
    return int(first), int(beyond)


def _listen(port: int) -> socket.socket:
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    # So that a bridge that has just ended doesn't block its port.
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind(("127.0.0.1", port))
    except (OSError, OverflowError) as error:
        listening.close()
        why = "is in use: does another bridge run?" if getattr(error, "errno", None) == 98 else f"can't be had: {error}"
        raise Wrong(f"port {port} {why} Give another with --port") from None
    listening.listen(128)
    return listening
