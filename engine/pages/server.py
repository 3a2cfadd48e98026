"""What the page *Your server* asks: a command line or a log as settings, and whether the engine can run with them."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from engine.readers.serve import Server, read_server
from engine.settings import Settings, SettingsError


def described(text: str, machine: str | None = None, said: Mapping[str, int] = MappingProxyType({})) -> dict[str, Any]:
    """The server that `text` starts, as plain data, with the `problem` that its settings have, if any.

    `machine` and `said` are what somebody knows beyond the text, as for `engine.readers.serve.read_server`. Raises
    `ReadError` for a text that is neither a command line nor a log; the message doesn't repeat it.
    """
    server = read_server(text, machine, said)
    return server.to_mapping() | {"problem": _problem(server)}


def _problem(server: Server) -> str | None:
    """Why the engine can't run with these settings; None where it can, and where some are still unknown."""
    if server.unknown:
        return None
    try:
        Settings.from_mapping(server.values())
    except SettingsError as error:
        return str(error)
    return None
