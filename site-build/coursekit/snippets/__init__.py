"""Run a lesson's code at build time, so that the output in the page is what the code printed."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from dataclasses import asdict, dataclass
from pathlib import Path

from coursekit.digest import content_hash, short_hash
from coursekit.evaluate import PATIENCE_SECONDS, python_environment
from coursekit.project import here
from coursekit.snippets.runner import FAILED

TIME_LIMIT_SECONDS = 10.0
"""Of processor time; by the clock it may be as late as the answer to an expression."""
_RUNNER = Path(__file__).with_name("runner.py")


@dataclass(frozen=True)
class Ran:
    """What a snippet printed. Where it failed, `error` says how and `line` where, counted in the snippet."""

    output: str
    error: str = ""
    line: int = 0


def run(code: str, time_limit_seconds: float = TIME_LIMIT_SECONDS) -> Ran:
    """Run `code` in a Python of its own that knows the engine, without a network's or a student's state."""
    too_long = Ran("", f"it didn't end within {time_limit_seconds:g} seconds", 1)
    try:
        done = subprocess.run(
            [sys.executable, str(_RUNNER), str(time_limit_seconds)],
            input=code,
            capture_output=True,
            encoding="utf-8",
            env=python_environment(),
            timeout=PATIENCE_SECONDS,
        )
    except subprocess.TimeoutExpired:
        return too_long
    if done.returncode == -signal.SIGPROF:
        return too_long
    if done.returncode == FAILED:
        complaint = json.loads(done.stderr.splitlines()[-1])
        return Ran(done.stdout, complaint["error"], complaint["line"])
    if done.returncode:
        return Ran(done.stdout, f"it ended the process with status {done.returncode}", 1)
    return Ran(done.stdout)


def run_once(code: str, cache: Path | None = None) -> Ran:
    """As `run`, but code that ran before with the same engine isn't run again."""
    folder = cache or here().build / "snippets"
    engine = content_hash([here().engine, _RUNNER], here().root)
    kept = folder / f"{short_hash(code, engine, sys.version)}.json"
    if kept.is_file():
        return Ran(**json.loads(kept.read_text(encoding="utf-8")))
    ran = run(code)
    folder.mkdir(parents=True, exist_ok=True)
    kept.write_text(json.dumps(asdict(ran)), encoding="utf-8")
    return ran
