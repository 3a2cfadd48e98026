"""The command line of the engine. Each command is a module of its own; `COMMANDS` lists them.

A command's module has a docstring (its help), `add_arguments(parser)` and `run(arguments)`, which returns
the exit status: 0 for success, 1 for a difference that was asked about, 2 for an input that can't be used.
"""

import argparse
from collections.abc import Sequence
from importlib import import_module
from typing import Any, Final

COMMANDS: Final = ("simulate", "compare", "replay", "diff", "report", "hitrate", "convert", "fit")
"""The modules of this package that are commands, in the order of the help."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status."""
    parser = argparse.ArgumentParser(prog="python -m engine", description="The engine of Inside the Batch.")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    for name in COMMANDS:
        _add(commands, name)
    arguments = parser.parse_args(argv)
    status: int = arguments.run(arguments)
    return status


def _add(commands: Any, name: str) -> None:
    module = import_module(f"engine.cli.{name}")
    about = module.__doc__ or ""
    command = commands.add_parser(
        name,
        help=about.splitlines()[0],
        description=about,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    module.add_arguments(command)
    command.set_defaults(run=module.run)
