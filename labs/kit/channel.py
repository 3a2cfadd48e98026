"""Tells the page around the notebook how a task went; silent wherever there is no page.

The kernel is a worker of the page's own origin, so a BroadcastChannel reaches it. A worker can't write to
local storage: the page keeps the result.
"""

import sys
from collections.abc import Callable
from importlib import import_module

from labs.kit.result import Result
from labs.kit.version import course_of

Message = dict[str, str | int | bool]


def message(result: Result) -> Message:
    """What the page is told about a result."""
    return {
        "type": "lab-result",
        "lab": result.lab,
        "task": result.task,
        "passed": result.passed,
        "lab_version": result.lab_version,
        "engine_version": result.engine_version,
        "seed": result.seed,
    }


def find_page() -> Callable[[Message], None] | None:
    """What sends a message to the page, or None outside a browser."""
    return _broadcast if sys.platform == "emscripten" else None


def _broadcast(told: Message) -> None:
    js, ffi = import_module("js"), import_module("pyodide.ffi")
    try:
        channel = js.BroadcastChannel.new(f"{course_of(str(told['lab']))}/lab")
    except (AttributeError, ffi.JsException):  # a browser that has none, or refuses it; the page says so
        return
    channel.postMessage(ffi.to_js(told, dict_converter=js.Object.fromEntries))
    channel.close()
