"""Values of options: what is wrong with one says the option, the value, the range and an example."""

import argparse
from collections.abc import Callable
from math import inf
from pathlib import Path


def whole(least: int, example: int, most: int | None = None) -> Callable[[str], int]:
    """A whole number from `least` to `most`, for `type=` of an option."""

    def parse(text: str) -> int:
        try:
            value = int(text)
        except ValueError:
            value = least - 1
        if value < least or (most is not None and value > most):
            raise argparse.ArgumentTypeError(f"got {text!r}; give a whole number {_range(least, most)}, as {example}")
        return value

    return parse


def number(above: float, example: float, most: float = inf, *, least: bool = False) -> Callable[[str], float]:
    """A number above `above` (or from it on, with `least`) and up to `most`, for `type=` of an option."""

    def parse(text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            value = -inf
        within = value >= above if least else value > above
        if not (within and value <= most and value < inf):
            start = f"from {above:g}" if least else f"above {above:g}"
            end = "" if most == inf else f" up to {most:g}"
            raise argparse.ArgumentTypeError(f"got {text!r}; give a number {start}{end}, as {example:g}")
        return value

    return parse


def input_file(text: str) -> Path:
    """A file to read, for `type=` of an argument; `-` is standard input, which the parser lets stand once."""
    return _path(text)


def output_file(text: str) -> Path:
    """A file to write, for `type=` of an argument; `-` is standard output, which the parser lets stand once."""
    return _path(text)


def _path(text: str) -> Path:
    if not text:
        raise argparse.ArgumentTypeError("got ''; give a file's name")
    return Path(text)


def _range(least: int, most: int | None) -> str:
    return f"of {least} or more" if most is None else f"from {least} to {most}"
