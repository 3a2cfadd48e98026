"""Asks the worker for builds, and starts another where one has gone."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path


class Builder:
    """One worker process at a time."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._worker: subprocess.Popen[str] | None = None

    def build(self) -> list[str]:
        """Build the preview; the problems come back."""
        worker = self._running()
        assert worker.stdin is not None
        assert worker.stdout is not None
        try:
            print("build", file=worker.stdin, flush=True)
            said = worker.stdout.readline()
        except BrokenPipeError:
            said = ""
        if not said:
            return [f"The building process ended with status {worker.wait()}; the next save starts another."]
        problems: list[str] = json.loads(said)
        return problems

    def stop(self) -> None:
        """End the worker."""
        if self._worker and self._worker.stdin:
            self._worker.stdin.close()
            self._worker.wait()

    def _running(self) -> subprocess.Popen[str]:
        if self._worker is None or self._worker.poll() is not None:
            self._worker = subprocess.Popen(
                [sys.executable, "-m", "coursekit.author.worker", str(self._root)],
                cwd=self._root,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
        return self._worker
