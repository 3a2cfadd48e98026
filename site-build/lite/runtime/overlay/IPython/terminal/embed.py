"""Stands in for IPython's shell in a terminal, which a browser doesn't have: half of IPython's loading time."""

from typing import NoReturn


def embed(*arguments: object, **options: object) -> NoReturn:
    """Say that there is no terminal."""
    raise RuntimeError("IPython.embed() needs a terminal: inspect values in the next cell instead")
