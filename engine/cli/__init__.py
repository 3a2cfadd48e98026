"""The command line of the engine. Each command is a module of its own; `COMMANDS` lists them.

A command's module has a docstring (its help), `add_arguments(parser)` and `run(arguments)`, which returns
the exit status: 0 for success, 1 for a difference that was asked about, 2 for an input that can't be used.
"""

import argparse
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from io import TextIOWrapper
from typing import Any, Final

from engine.cli.parser import Parser

COMMANDS: Final = (
    "simulate", "compare", "replay", "diff", "report", "hitrate", "convert", "fit", "predict", "read-server",
)  # fmt: skip
"""The modules of this package that are commands, in the order of the help."""
ABOUT: Final = "The engine of Inside the Batch. A file that is read may be -, standard input; one that is written, too."
"""The first words of the help."""
ENDED_BY_SIGNAL: Final = 128
"""What a shell adds to a signal's number: 130 after Ctrl-C, 141 after a closed pipe."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status; what can go wrong at any point of any ends it in one line."""
    if isinstance(sys.stdout, TextIOWrapper):
        # A name in a file may have signs that a terminal can't show, or that stand in no text.
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        arguments = _arguments(argv)
        status: int = arguments.run(arguments)
        if sys.stdout is not None:  # a shell can close it, with >&-
            sys.stdout.flush()
    except BrokenPipeError:
        # `| head` has read enough. Python flushes once more at its end, and would complain then.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return ENDED_BY_SIGNAL + 13
    except KeyboardInterrupt:
        return _complain("stopped", ENDED_BY_SIGNAL + 2)
    except OSError as error:
        return _complain(f"{error.filename or 'standard output'}: {error.strerror}", 2)
    except MemoryError:
        return _complain("this needs more memory than there is; give fewer requests or fewer blocks", 2)
    return status


def _arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = Parser(prog="python -m engine", description=ABOUT)
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    for name in COMMANDS:
        _add(commands, name)
    return parser.read(argv)


def _complain(words: str, status: int) -> int:
    print(words, file=sys.stderr)
    return status


def _add(commands: Any, name: str) -> None:
    module = import_module(f"engine.cli.{name.replace('-', '_')}")
    about = module.__doc__ or ""
    command = commands.add_parser(
        name,
        help=about.splitlines()[0],
        description=about,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    module.add_arguments(command)
    command.set_defaults(run=module.run, parser=command)
