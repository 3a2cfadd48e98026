"""Stands in for JupyterLite's installer of packages: this site has all that it needs, and asks no other host."""

from typing import NoReturn


async def install(*requirements: object, **options: object) -> NoReturn:
    """Say that nothing can be installed."""
    raise RuntimeError("nothing can be installed here: the labs use Python's standard library and the engine alone")
