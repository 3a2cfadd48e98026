"""`coursekit serve`: build what changed and serve the site."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from contextlib import suppress
from functools import partial

from coursekit.build import build_site
from coursekit.commands.build import say
from coursekit.failures import BuildFailed
from coursekit.project import here
from coursekit.serve.answer import answer
from coursekit.serve.ports import open_server, words
from engine.cli.parser import Parser


def main(arguments: Sequence[str]) -> int:
    """Build, then serve until stopped."""
    options = parse(arguments, "serve")
    try:
        site = build_site(here(), say)
        server = open_server(options.host, options.port, partial(answer, mounts=[("/", site)]))
    except BuildFailed as failure:
        print(f"\n{failure}", file=sys.stderr)
        return 1
    with server:
        print("\n".join(["", *words(server, options.port)]), flush=True)
        with suppress(KeyboardInterrupt):
            server.serve_forever()
    return 0


def parse(arguments: Sequence[str], command: str) -> argparse.Namespace:
    """Host and port, as `make serve HOST=… PORT=…` hands them on."""
    parser = Parser(prog=f"python -m coursekit {command}")
    parser.add_argument("--host", default="127.0.0.1", help="address to serve on (default %(default)s)")
    parser.add_argument("--port", default=8000, type=port_number, help="port (default %(default)s; 0: any)")
    return parser.read(arguments)


def port_number(text: str) -> int:
    """A port from its text; refuses with the reason what can't be one."""
    if not text.isdecimal() or int(text) > 65535:
        raise argparse.ArgumentTypeError(f"PORT={text} is no port: a number from 0 to 65535 is")
    return int(text)
