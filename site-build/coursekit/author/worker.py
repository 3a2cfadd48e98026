"""Builds pages in a process that has MkDocs loaded already: `python -m coursekit.author.worker ROOT`.

Each line on standard input asks for one build, answered by one line of JSON on standard output: a list
of problems. A build happens in a fork, which imports `engine`, `labs` and `coursekit` anew. So an edit to
any of them counts at once, the slow imports are paid for once, and nothing that a build does can end
the worker.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import traceback
from contextlib import suppress
from importlib import import_module
from pathlib import Path

# What takes long to import and isn't edited here.
SLOW = (
    "jinja2.ext",
    "markdown",
    "markdown_it",
    "material.plugins.search.plugin",
    "mkdocs.commands.build",
    "mkdocs.config",
    "pygments.lexers",
    "pymdownx.superfences",
)


def main() -> None:
    """Answer requests until standard input ends, or nobody reads the answers any more."""
    # Ctrl+C reaches every process of the terminal: the preview ends its worker itself, between two builds.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for module in SLOW:
        import_module(module)
    # What a build prints is for the terminal; the answers have standard output to themselves.
    answers = os.dup(1)
    os.dup2(2, 1)
    with suppress(BrokenPipeError):
        for _ in sys.stdin:
            os.write(answers, json.dumps(_build_in_fork()).encode() + b"\n")


def _build_in_fork() -> list[str]:
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        _report(writer)
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as pipe:
        said = pipe.read()
    _, status = os.waitpid(child, 0)
    if not said:
        return [f"The build ended with status {os.waitstatus_to_exitcode(status)} and said nothing."]
    problems: list[str] = json.loads(said)
    return problems


def _report(writer: int) -> None:
    try:
        from coursekit.author.preview import build_preview
        from coursekit.project import Project

        problems = build_preview(Project(Path(sys.argv[1])))
    except BaseException:
        problems = [traceback.format_exc()]
    with os.fdopen(writer, "wb") as pipe:
        pipe.write(json.dumps(problems).encode())


if __name__ == "__main__":
    main()
