"""Ctrl-C, and a process that is killed, while a command works in several side by side."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from command_line import ROOT


def started(*arguments: object, hears: bool = True) -> subprocess.Popen[str]:
    """A command in a group of its own, as a shell starts it: one that hears Ctrl-C, or one behind an ampersand.

    These tests may stand behind one themselves, and a process has from the one that starts it what it ignores.
    """
    command = [sys.executable, "-m", "engine", *map(str, arguments)]
    before = signal.signal(signal.SIGINT, signal.default_int_handler if hears else signal.SIG_IGN)
    try:
        return subprocess.Popen(
            command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
        )
    finally:
        signal.signal(signal.SIGINT, before)


def workers(process: subprocess.Popen[str]) -> list[int]:
    """Those processes of a command that have begun their work: from then on Python hears of no Ctrl-C there."""
    listed = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text()
    return [int(number) for number in listed.split() if not _hears(Path(f"/proc/{number}/status").read_text())]


def _hears(status: str) -> bool:
    caught = next(line.split()[1] for line in status.splitlines() if line.startswith("SigCgt:"))
    return bool(int(caught, 16) & 1 << signal.SIGINT - 1)


@pytest.mark.parametrize(
    ("which", "sign", "status", "words"),
    [
        ("all", signal.SIGINT, 130, "stopped\n"),
        (
            "one",
            signal.SIGKILL,
            2,
            "--jobs: one of the processes was ended, most likely for want of memory; give fewer\n",
        ),
    ],
)
def test_processes_side_by_side_end_in_one_line(which: str, sign: signal.Signals, status: int, words: str) -> None:
    """Each told of Ctrl-C with a traceback of its own."""
    process = started("compare", "--num-requests", 300_000, "--jobs", 2)
    while process.poll() is None and len(begun := workers(process)) < 2:
        time.sleep(0.05)
    if which == "all":
        os.killpg(process.pid, sign)
    else:
        os.kill(begun[0], sign)
    assert process.communicate(timeout=60)[1] == words
    assert process.returncode == status


def test_what_stands_behind_an_ampersand_goes_on_whatever_is_stopped_before_it() -> None:
    process = started("compare", "--num-requests", 100_000, "--jobs", 2, hears=False)
    while process.poll() is None and len(workers(process)) < 2:
        time.sleep(0.05)
    os.killpg(process.pid, signal.SIGINT)
    printed, words = process.communicate(timeout=60)
    assert (process.returncode, words) == (0, "")
    assert "fcfs" in printed
