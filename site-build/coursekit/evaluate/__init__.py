"""Ask the engine: evaluate an author's expression in a process of its own, within a time limit.

Authors are trusted, so nothing is forbidden to an expression. A hang is not trusted: a build that never
ends tells nobody where. A subprocess can be killed whatever it is doing, which a namespace in this
process can't promise; one process serves all expressions of a build, so that a question costs
well under a millisecond.
"""

from __future__ import annotations

import atexit
import functools
import json
import os
import subprocess
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import IO, Any

from coursekit.evaluate.errors import ExpressionError
from coursekit.evaluate.needed import needed
from coursekit.kept import KeptAnswers, kept_here
from coursekit.project import here

TIME_LIMIT_SECONDS = 5.0
"""Of processor time: on a busy machine an answer may be late, and is one."""
PATIENCE_SECONDS = 120.0
"""By the clock: what waits for something uses no processor."""


def python_environment() -> dict[str, str]:
    """The environment of a Python that imports the engine and gives the same bytes every time."""
    mine = {"PYTHONPATH": str(here().root), "PYTHONHASHSEED": "0", "PYTHONIOENCODING": "utf-8"}
    return dict(os.environ) | mine


_WORKER = Path(__file__).with_name("worker.py")


__all__ = ["Evaluator", "ExpressionError", "python_environment", "shared"]


class Evaluator:
    """Evaluates expressions over the engine's public names, as it was when the first of them came.

    Keeps every answer, and where `kept` is given, beyond its own life. It serves one build; a preview that outlives
    an edit starts another for each. The process starts with the first question that nothing kept answers.
    """

    def __init__(self, time_limit_seconds: float = TIME_LIMIT_SECONDS, kept: KeptAnswers | None = None) -> None:
        self._time_limit_seconds = time_limit_seconds
        self._kept = kept
        self._process: subprocess.Popen[str] | None = None
        self._known: dict[str, Any] = dict(kept.known) if kept else {}

    def value(self, expression: str, given: Sequence[str] = ()) -> Any:
        """The value of one expression as plain data; tuples come back as lists.

        `given` are statements that run before it, those of a page's figures, as far as it needs them. Raises
        ExpressionError.
        """
        return self._ask({"ask": "value", "source": expression, "given": needed(given, expression)})

    def shown(self, source: str, given: Sequence[str] = ()) -> list[Any]:
        """Run statements and return the values of those that are bare expressions, in order."""
        shown = self._ask({"ask": "shown", "source": source, "given": needed(given, source)})
        assert isinstance(shown, list)
        return shown

    def close(self) -> None:
        """End the process, if one runs. The next question starts another."""
        if self._process is None:
            return
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()
        self._process = None

    def _ask(self, question: dict[str, Any]) -> Any:
        key = json.dumps(question)
        if key not in self._known:
            self._known[key] = self._answer(key)
        answer = self._known[key]
        if "error" in answer:
            raise ExpressionError(answer["error"], answer.get("line"))
        return answer["value"]

    def _answer(self, question: str) -> Any:
        stdin, stdout = self._pipes()
        timer = threading.Timer(PATIENCE_SECONDS, self._kill)
        timer.start()
        try:
            stdin.write(question + "\n")
            stdin.flush()
            line = stdout.readline()
        except BrokenPipeError:
            line = ""
        finally:
            timer.cancel()
        if not line:
            self.close()
            return {"error": f"it gave no answer within {self._time_limit_seconds:g} seconds"}
        answer = json.loads(line)
        if self._kept:
            self._kept.add(question, answer)
        return answer

    def _kill(self) -> None:
        if self._process is not None:
            self._process.kill()

    def _pipes(self) -> tuple[IO[str], IO[str]]:
        if self._process is None:
            self._process = subprocess.Popen(
                [sys.executable, str(_WORKER), str(self._time_limit_seconds)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                env=python_environment(),
                text=True,
                encoding="utf-8",
            )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        return self._process.stdin, self._process.stdout


@functools.cache
def shared() -> Evaluator:
    """The evaluator of this process. Its subprocess ends with it."""
    evaluator = Evaluator(kept=kept_here("answers", here().engine, _WORKER.parent))
    atexit.register(evaluator.close)
    return evaluator
