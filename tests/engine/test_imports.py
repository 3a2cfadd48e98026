"""The engine needs the standard library alone, and has no way to the clock, to chance or to the world outside."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ENGINE = Path(__file__).parents[2] / "engine"

WORLD = set(
    "asyncio datetime http locale multiprocessing os platform random secrets select signal socket ssl subprocess "
    "tempfile threading time urllib uuid".split()
)
"""Modules through which a run could depend on more than what it is given."""

SERVING = ("bridge", "recorder")
"""Parts of the live link that run beside a server, in no browser: they need packages."""

FILES = [
    path
    for path in sorted(ENGINE.rglob("*.py"))
    if not any(path.is_relative_to(ENGINE / "live" / name) or path.match(f"live/{name}*.py") for name in SERVING)
]

EDGES = ("cli", "live", "pages")
"""The command line and what pages ask read and write files; the live link is there to reach a server."""

PURE = [path for path in FILES if path.relative_to(ENGINE).parts[0] not in EDGES]
"""All but the edges."""


def imported(path: Path) -> Iterator[tuple[str, str]]:
    """Module and name of every import, wherever it stands."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((name.name.split(".")[0], "") for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: a relative import"
            yield from ((str(node.module).split(".")[0], name.name) for name in node.names)


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ENGINE.parent)))
def test_a_module_imports_nothing_but_the_standard_library_and_the_engine(path: Path) -> None:
    modules = {module for module, _ in imported(path)}
    assert modules <= {*sys.stdlib_module_names, "engine"}


@pytest.mark.parametrize("path", PURE, ids=lambda path: str(path.relative_to(ENGINE.parent)))
def test_a_module_depends_on_nothing_but_what_it_is_given(path: Path) -> None:
    # `random.Random` with a seed of its own is no chance.
    reached = {module for module, name in imported(path) if module in WORLD and (module, name) != ("random", "Random")}
    assert not reached


@pytest.mark.parametrize("path", PURE, ids=lambda path: str(path.relative_to(ENGINE.parent)))
def test_a_module_calls_nothing_that_looks_outside(path: Path) -> None:
    names = {node.id for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(node, ast.Name)}
    assert not names & {"open", "input", "__import__", "eval", "exec"}


def test_nothing_of_the_engine_knows_the_live_link() -> None:
    for path in (path for path in FILES if not path.is_relative_to(ENGINE / "live")):
        tree = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        names = {str(node.module) for node in tree if isinstance(node, ast.ImportFrom)}
        assert not [name for name in names if name.startswith("engine.live")], path
