"""The browser's wheel: the engine and the graders, none of the answers, the same bytes every time."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from coursekit.failures import BuildFailed
from coursekit.wheels import build_browser_wheel

SOURCES = {
    "pyproject.toml": (
        '[project]\nname = "inside-the-batch"\nversion = "0.1.0"\nrequires-python = ">=3.11"\n'
        'dependencies = ["something-else"]\n[tool.other]\nkey = 1\n'
    ),
    "engine/__init__.py": '"""The engine."""\n',
    "engine/blocks.py": "SIZE = 16\n",
    "engine/live/client.py": "CLIENT = 1\n",
    "engine/live/bridge.py": "BRIDGE = 1\n",
    "engine/live/recorder/__init__.py": "RECORDER = 1\n",
    "labs/__init__.py": "",
    "labs/founding/__init__.py": "",
    "labs/founding/grading.py": "TASKS = ()\n",
    "labs/founding/batcher/rules.py": "RULES = ()\n",
    "labs/founding/lab.py": "# %% the starter\n",
    "labs/founding/solution.py": "ANSWER = 42\n",
    "labs/founding/wrong.py": "ANSWER = 41\n",
    "tests/test_blocks.py": "",
    "docs/index.md": "",
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for name, text in SOURCES.items():
        path = tmp_path / "checkout" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path / "checkout"


def contents(wheel: Path) -> dict[str, str]:
    with zipfile.ZipFile(wheel) as archive:
        return {name: archive.read(name).decode() for name in archive.namelist()}


def test_what_students_get(root: Path, tmp_path: Path) -> None:
    wheel = build_browser_wheel(root, tmp_path / "wheels", {"founding": '{"version": "abc"}'})
    assert wheel.name == "inside_the_batch-0.1.0-py3-none-any.whl"
    packed = contents(wheel)
    assert sorted(name for name in packed if ".dist-info/" not in name) == [
        "engine/__init__.py",
        "engine/blocks.py",
        "engine/live/client.py",
        "labs/__init__.py",
        "labs/founding/__init__.py",
        "labs/founding/_lab.json",
        "labs/founding/batcher/rules.py",
        "labs/founding/grading.py",
    ]
    assert packed["labs/founding/_lab.json"] == '{"version": "abc"}'


def test_it_requires_nothing(root: Path, tmp_path: Path) -> None:
    packed = contents(build_browser_wheel(root, tmp_path / "wheels", {}))
    [metadata] = [text for name, text in packed.items() if name.endswith("METADATA")]
    assert "Requires-Dist" not in metadata


def test_the_same_sources_give_the_same_bytes_and_the_same_address(root: Path, tmp_path: Path) -> None:
    first = build_browser_wheel(root, tmp_path / "one", {})
    (root / "engine" / "blocks.py").touch()
    second = build_browser_wheel(root, tmp_path / "two", {})
    assert first.read_bytes() == second.read_bytes()
    assert first.parent.name == second.parent.name
    (root / "engine" / "blocks.py").write_text("SIZE = 32\n")
    assert build_browser_wheel(root, tmp_path / "two", {}).parent.name != first.parent.name


def test_an_answer_at_an_unforeseen_place_is_refused(root: Path, tmp_path: Path) -> None:
    (root / "labs" / "founding" / "batcher" / "solution.py").write_text("ANSWER = 42\n")
    with pytest.raises(BuildFailed, match=r"labs/founding/batcher/solution\.py, which must not reach students"):
        build_browser_wheel(root, tmp_path / "wheels", {})
