"""Answers questions about the engine, one JSON line each. Runs as a script.

What it is given is a limit in seconds of processor time: a question that takes longer ends the process.
"""

from __future__ import annotations

import ast
import builtins
import contextlib
import importlib
import io
import json
import pkgutil
import signal
import sys
import traceback
from types import ModuleType
from typing import Any

ASKED = "<asked>"
SKIPPED = ("live", "__main__")  # they need a network or are a program


def engine_names() -> dict[str, Any]:
    """Every public name of the engine's modules. One name for two things stays out: ask by its module."""
    engine = importlib.import_module("engine")
    names: dict[str, Any] = {}
    twice: set[str] = set()
    for info in pkgutil.iter_modules(engine.__path__):
        if info.name in SKIPPED:
            continue
        for name, thing in public(importlib.import_module(f"engine.{info.name}")).items():
            if names.setdefault(name, thing) is not thing:
                twice.add(name)
    return {name: thing for name, thing in names.items() if name not in twice} | {"engine": engine}


def public(module: ModuleType) -> dict[str, Any]:
    """What a module offers: its `__all__`, else the names without an underscore that the engine defines."""
    listed = getattr(module, "__all__", None)
    if listed is not None:
        return {name: getattr(module, name) for name in listed}
    return {
        name: thing
        for name, thing in vars(module).items()
        if not name.startswith("_") and getattr(thing, "__module__", "").startswith("engine")
    }


def run(source: str, names: dict[str, Any]) -> list[Any]:
    """Run statements; return the values of the bare expressions among them."""
    shown = []
    for statement in ast.parse(source, ASKED).body:
        if isinstance(statement, ast.Expr):
            shown.append(eval(compile(ast.Expression(statement.value), ASKED, "eval"), names))
        else:
            exec(compile(ast.Module([statement], []), ASKED, "exec"), names)
    return shown


def value(source: str, names: dict[str, Any]) -> Any:
    """The value of a single expression; in prose it may run over a line's end."""
    return eval(compile(" ".join(source.split("\n")).strip(), ASKED, "eval"), names)


def plain(thing: Any) -> Any:
    """A value as JSON can carry it; refuses what couldn't be shown or compared."""
    if thing is None or isinstance(thing, bool | int | float | str):
        return thing
    if isinstance(thing, list | tuple):
        return [plain(item) for item in thing]
    if isinstance(thing, dict) and all(isinstance(key, str) for key in thing):
        return {key: plain(item) for key, item in thing.items()}
    raise TypeError(f"it gives a {type(thing).__name__}, which is no number, text or list of these")


def complaint(error: BaseException) -> dict[str, Any]:
    """The error in a line, and the line of the asked source that it happened in."""
    if isinstance(error, SyntaxError):
        return {"error": f"it isn't Python: {error.msg}", "line": error.lineno}
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == ASKED]
    return {"error": f"{type(error).__name__}: {error}", "line": lines[-1] if lines else None}


def answer(question: dict[str, Any], engine: dict[str, Any]) -> dict[str, Any]:
    """Answer one question. What it prints goes nowhere: the answers own the output."""
    names = {"__builtins__": builtins, **engine}
    with contextlib.redirect_stdout(io.StringIO()):
        try:
            for given in question["given"]:
                run(given, names)
            ask = value if question["ask"] == "value" else run
            return {"value": plain(ask(question["source"], names))}
        except Exception as error:
            return complaint(error)


def main() -> None:
    """Read questions until there are none."""
    try:
        engine, broken = engine_names(), None
    except Exception as error:
        engine, broken = {}, {"error": f"the engine can't be imported: {type(error).__name__}: {error}"}
    limit = float(sys.argv[1])
    for line in sys.stdin:
        signal.setitimer(signal.ITIMER_PROF, limit)
        reply = broken or answer(json.loads(line), engine)
        signal.setitimer(signal.ITIMER_PROF, 0)
        sys.stdout.write(json.dumps(reply, ensure_ascii=False) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
