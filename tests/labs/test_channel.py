"""The word to the page: only in a browser, in the shape that the page expects."""

import sys
from pathlib import Path
from types import ModuleType
from typing import Any, ClassVar

import pytest

from counting import TASK, Counter
from labs.kit.channel import find_page
from labs.kit.hand_in import hand_in
from labs.kit.version import course_of, lab_version


class FakeChannel:
    """A BroadcastChannel that keeps what is posted."""

    posted: ClassVar[list[tuple[str, Any]]] = []

    def __init__(self, name: str) -> None:
        self.name = name
        self.open = True

    @classmethod
    def new(cls, name: str) -> "FakeChannel":
        return cls(name)

    def postMessage(self, message: object) -> None:
        assert self.open
        self.posted.append((self.name, message))

    def close(self) -> None:
        self.open = False


@pytest.fixture
def browser(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, Any]]:
    """Pretends that Python runs in a browser, and gives what the page hears."""
    js: Any = ModuleType("js")
    js.BroadcastChannel = FakeChannel
    js.Object = type("Object", (), {"fromEntries": "fromEntries"})
    ffi: Any = ModuleType("pyodide.ffi")
    ffi.JsException = type("JsException", (Exception,), {})
    ffi.to_js = lambda value, dict_converter: (dict_converter, value)
    monkeypatch.setitem(sys.modules, "js", js)
    monkeypatch.setitem(sys.modules, "pyodide", ModuleType("pyodide"))
    monkeypatch.setitem(sys.modules, "pyodide.ffi", ffi)
    monkeypatch.setattr(sys, "platform", "emscripten")
    monkeypatch.setattr(FakeChannel, "posted", [])
    return FakeChannel.posted


@pytest.mark.parametrize("refuses", [True, False])
def test_a_browser_without_channels_grades_all_the_same(browser: list[tuple[str, Any]], refuses: bool) -> None:
    js: Any = sys.modules["js"]
    del js.BroadcastChannel
    if refuses:

        def new(name: str) -> None:
            raise sys.modules["pyodide.ffi"].JsException

        js.BroadcastChannel = type("BroadcastChannel", (), {"new": staticmethod(new)})
    assert hand_in(TASK, Counter, 9).result.passed
    assert browser == []


def test_in_a_browser_the_page_hears_of_a_result(browser: list[tuple[str, Any]]) -> None:
    hand_in(TASK, Counter, 9)
    [(name, (converter, told))] = browser
    assert (name, converter) == ("inside-the-batch/lab", "fromEntries")
    assert set(told) == {"type", "lab", "task", "passed", "lab_version", "engine_version", "seed"}
    assert (told["passed"], told["seed"]) == (True, 9)


def test_elsewhere_there_is_nobody_to_tell() -> None:
    assert find_page() is None


def test_a_built_lab_knows_its_version_and_its_course(tmp_path: Path) -> None:
    (tmp_path / "counting").mkdir()
    (tmp_path / "counting" / "_lab.json").write_text('{"version": "0123456789ab", "course": "my-course"}')
    assert lab_version("counting", tmp_path) == "0123456789ab"
    assert course_of("counting", tmp_path) == "my-course"


def test_a_checkout_has_no_version() -> None:
    assert lab_version("founding") == "dev"
