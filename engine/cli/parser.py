"""The parser of every command line of the course: a fault is told first and shortly, and where the options stand."""

import argparse
from collections.abc import Sequence
from difflib import get_close_matches
from typing import NoReturn

from engine.cli.files import STANDARD
from engine.cli.options import input_file, output_file


class Parser(argparse.ArgumentParser):
    """As the standard library's, which prints all that a command takes before it says what was wrong."""

    def error(self, message: str) -> NoReturn:
        """Say what is wrong, and end with status 2."""
        self.exit(2, f"{self.prog}: {message}\n`{self.prog} --help` lists what it takes\n")

    def read(self, arguments: Sequence[str] | None = None) -> argparse.Namespace:
        """The values of a command line's arguments; a word that is none of them is refused.

        Where there are subcommands, each sets a default `parser`, itself: it is the one that knows its options.
        """
        found, unknown = self.parse_known_args(arguments)
        parser: Parser = getattr(found, "parser", self)
        if unknown:
            parser.refuse(unknown)
        parser.check_streams(found)
        return found

    def check_streams(self, found: argparse.Namespace) -> None:
        """End where a standard stream was named for two files at once."""
        for kind, words in (
            (input_file, "standard input, which is read once"),
            (output_file, "standard output, which is one"),
        ):
            named = [getattr(found, action.dest, None) for action in self._actions if action.type is kind]
            paths = [path for one in named for path in (one if isinstance(one, list) else [one])]
            if paths.count(STANDARD) > 1:
                self.error(f"- stands {paths.count(STANDARD)} times and is {words}; give the others' names")

    def refuse(self, unknown: Sequence[str]) -> NoReturn:
        """End over words that belong to no argument."""
        option = next((word.partition("=")[0] for word in unknown if word.startswith("-")), None)
        if option is None:
            self.error(f"got more than it takes: {' '.join(unknown)}")
        close = get_close_matches(option, self._option_string_actions, n=1)
        self.error(f"{option} is no option{f'; did you mean {close[0]}?' if close else ''}")
