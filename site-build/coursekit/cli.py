"""The command line of the course's build tools: `python -m coursekit COMMAND`."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from importlib import import_module

from engine.cli.parser import Parser

# Each command's module has `main(arguments) -> exit status`; it is imported only when called.
COMMANDS = {
    "build": ("coursekit.commands.build", "build the site into build/site"),
    "serve": ("coursekit.commands.serve", "build what changed and serve the site"),
    "author": ("coursekit.commands.author", "preview for authors, reloading as they save"),
    "test": ("coursekit.commands.test", "run every test, the browser tests included"),
    "standards": ("coursekit.commands.standards", "check style, types, import contracts and lessons"),
    "bench": ("coursekit.commands.bench", "measure how fast the scheduler decides"),
    "bench-web": ("coursekit.commands.bench_web", "measure how long a student waits for Python"),
    "lock": ("coursekit.commands.lock", "pin anew what the build asks for"),
    "ids": ("coursekit.commands.ids", "add new ids to docs/ids.txt"),
    "analyse": ("coursekit.commands.analyse", "report on a class's results, from the files that students saved"),
    "export": ("coursekit.commands.export", "write the checks as QTI 2.1 for a learning platform"),
    "check": ("coursekit.commands.check", "check lessons, checks, figures and labs"),
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; its exit status comes back."""
    parser = Parser(prog="python -m coursekit", description=__doc__)
    subparsers = parser.add_subparsers(dest="command", required=True)
    for name, (_, help_text) in COMMANDS.items():
        subparsers.add_parser(name, help=help_text, add_help=False)
    chosen, rest = parser.parse_known_args(arguments)
    module, _ = COMMANDS[chosen.command]
    command: Callable[[Sequence[str]], int] = import_module(module).main
    try:
        return command(rest)
    except KeyboardInterrupt:
        return 130
    except OSError as error:
        if error.filename is None:
            raise
        print(f"{error.filename}: {error.strerror}", file=sys.stderr)
        return 2
