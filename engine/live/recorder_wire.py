"""What a recorder and the bridge say to each other: frames on a unix socket, each a length and a MessagePack array.

    ("hello", facts)                            once, first; `facts` are those of `Hello`
    ("state", at, fresh, requests)              asked for by the bridge with one byte: who is there, each as in "add"
    ("prompt", id, token_ids)                   before the "add" of a bridge's own request, where they were asked for
    ("add", at, id, num_prompt_tokens, max_tokens, priority, names)
    ("leave", at, ((id, num_output_tokens), …))                     aborted
    ("plan", at, number, rows, preempted, evicted)                  a row: id, num_tokens, computed, kind, new, hit
    ("done", at, number, ((id, num_tokens, reason, names), …), hook_ns)
    ("beat", at)                                nothing older than this will come: told where nothing happens
    ("lost", count)                             so many of these were lost, because the bridge read too slowly

Times are nanoseconds of the machine's monotonic clock and grow strictly. Names stand for the content of full blocks:
hashes under a key that only the recorder knows, so that they tell nothing of a prompt. Prompts
themselves are told only by a server that was started with `ENGINE_LIVE_PROMPTS=plain`, and only those that a bridge
made up: never anybody else's.
"""

import os
import stat
import tempfile
from pathlib import Path
from typing import Any, Final, NotRequired, TypedDict

PROTOCOL: Final = 1
"""The version of this protocol; the bridge refuses every other."""

PATH_VARIABLE: Final = "ENGINE_LIVE_RECORDER"
"""The environment variable that names the socket, for the server and for the bridge."""

LANE_VARIABLE: Final = "ENGINE_LIVE_LANE"
"""The environment variable that names a server, where several stand behind one router."""

PROMPTS_VARIABLE: Final = "ENGINE_LIVE_PROMPTS"
"""The environment variable with which whoever starts a server asks for prompts in the recording."""

PLAIN: Final = "plain"
"""Its one value."""

OWN_ID: Final = "itb-"
"""How the id begins that a bridge gives to each of its requests."""

ASK_STATE: Final = b"s"
"""What the bridge sends to be told who is there."""

KINDS: Final = ("running", "new", "resumed")
"""How a request came to its row, by the number that stands for it."""

LENGTH_BYTES: Final = 4
"""A frame's length, highest byte first."""

MOST_FRAME: Final = 16 << 20
"""Bytes of one frame at most."""

Message = tuple[Any, ...]
"""One of the messages above."""


class Hello(TypedDict):
    """Who records."""

    protocol: int
    version: str
    model: str
    lane: str
    settings: dict[str, Any]
    vocabulary: int
    lacks: list[tuple[str, str]]
    keeps_prompts: NotRequired[bool]


def default_path() -> Path:
    """Where the socket stands unless told otherwise: in a folder that is this user's alone."""
    named = os.environ.get(PATH_VARIABLE)
    if named:
        return Path(named)
    home = os.environ.get("XDG_RUNTIME_DIR") or tempfile.gettempdir()
    user = os.getuid() if hasattr(os, "getuid") else 0
    return Path(home) / f"inside-the-batch-{user}" / "recorder.sock"


def is_safe(folder: Path) -> bool:
    """Whether nobody else could have put a socket into `folder`: it's ours, or one where all keep to their own."""
    try:
        status = folder.stat()
    except OSError:
        return False
    others_write = status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
    return status.st_uid in (0, os.getuid()) and (not others_write or bool(status.st_mode & stat.S_ISVTX))
