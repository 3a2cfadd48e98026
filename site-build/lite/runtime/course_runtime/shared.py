"""What every run in a page stands on comes back after each as it was: a lesson invites to change things."""

import ast
import builtins
import importlib
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from types import ModuleType
from typing import Any

COURSE = "engine", "labs"
"""The packages that lessons look into; Python's own are too many to look after."""

_MISSING = object()
_BUILTINS, _MODULES = vars(builtins), sys.modules


def load_course(code: ast.AST) -> None:
    """Import what `code` imports of the course, so that it is known as it was. What can't be had is told by the run."""
    for name in _imported(code):
        if _is_course(name):
            with suppress(ImportError):
                importlib.import_module(name)


@contextmanager
def given_back() -> Iterator[None]:
    """Inside, anything may be changed or taken away: Python's own functions, its modules, a method of the engine."""
    builtins_before, modules_before = _BUILTINS.copy(), _MODULES.copy()
    course = [(owner, dict(vars(owner))) for owner in _course(modules_before)]
    try:
        yield
    finally:
        # By methods first: the code may have taken away any function.
        _BUILTINS.update(builtins_before)
        _MODULES.update(modules_before)
        for owner, before in course:
            _give_back(owner, before)


def _imported(code: ast.AST) -> Iterator[str]:
    for node in ast.walk(code):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def _is_course(name: str) -> bool:
    return name.partition(".")[0] in COURSE


def _course(modules: Mapping[str, ModuleType]) -> Iterator[Any]:
    """The course's modules that are loaded, and their classes."""
    for name, module in modules.items():
        if _is_course(name):
            yield module
            of_module = vars(module).values()
            yield from (value for value in of_module if isinstance(value, type) and value.__module__ == name)


def _give_back(owner: Any, before: Mapping[str, Any]) -> None:
    """Set what isn't there any more as it was. What was added stays: importing a module adds it to its package."""
    now = vars(owner)
    for name in [name for name, value in before.items() if now.get(name, _MISSING) is not value]:
        setattr(owner, name, before[name])
