"""Runs a command whose words are passed on as they come, with a word from us where none come for a while."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from select import select
from shutil import get_terminal_size

from coursekit.waiting import OFTEN

LOOK_SECONDS = 0.5


def run_aloud(
    name: str, command: Sequence[str], *, cwd: Path, environment: Mapping[str, str], often: float = OFTEN
) -> int:
    """Run it and return its exit status; after `often` quiet seconds, say that it goes on."""
    begun = heard = time.monotonic()
    with subprocess.Popen(
        command, cwd=cwd, env={**environment, **_terminal()}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    ) as process:
        assert process.stdout is not None
        words = process.stdout.fileno()
        # A browser that outlives its test may hold the pipe open: the end of the command is the end.
        while process.poll() is None or select([words], [], [], 0)[0]:
            now = time.monotonic()
            if select([words], [], [], LOOK_SECONDS)[0]:
                said = os.read(words, 65_536)
                if not said:
                    break
                _pass_on(said)
                heard = now
            elif now - heard >= often:
                _pass_on(f"\n  {name}: goes on after {now - begun:.0f} s\n".encode())
                heard = now
    return process.returncode


def _pass_on(said: bytes) -> None:
    sys.stdout.flush()
    sys.stdout.buffer.write(said)
    sys.stdout.buffer.flush()


def _terminal() -> dict[str, str]:
    """What a program behind a pipe can't see: that there are colours, and how wide it is."""
    if not sys.stdout.isatty():
        return {}
    return {"FORCE_COLOR": "1", "COLUMNS": str(get_terminal_size().columns)}
