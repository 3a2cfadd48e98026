"""The lab's application: JupyterLite with the Notebook app alone, and the course's extension."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from coursekit.digest import content_hash
from coursekit.failures import BuildFailed
from coursekit.lite.joining import JOINED, join_parts
from coursekit.steps import empty_folder

APP = "app"
SETTINGS = "settings.json"
_KERNEL = "@jupyterlite/pyodide-kernel-extension"

# Of what JupyterLite leaves: other apps' leftovers, its own build's files, and its way of finding settings.
_DROPPED = (
    "api/contents", "bootstrap.js", "config-utils.js", "doc", "files", "icon-*.png", "index.html", "jupyter-lite.*",
    "jupyterlite.schema.v0.json", "manifest.webmanifest", "package.json", "rspack.config*",
    "notebooks/build", "notebooks/index.html", "notebooks/jupyter-lite.*", "notebooks/package.json",
    f"extensions/{_KERNEL}/static/*.map", f"extensions/{_KERNEL}/static/coincident*",
    f"extensions/{_KERNEL}/static/pypi", f"extensions/{_KERNEL}/install.json",
)  # fmt: skip


def build_lite(out: Path, *, lite: Path, labextension: Path) -> None:
    """Leave the application in `out/app`, and in `out/settings.json` what its page must say.

    `lite` is the project's `site-build/lite`, and `labextension` the folder of JupyterLite's Pyodide kernel.
    """
    with tempfile.TemporaryDirectory() as scratch:
        built = _jupyter_lite_build(Path(scratch), labextension)
        settings = _settings(built, json.loads((lite / "settings.json").read_text(encoding="utf-8")))
        for pattern in _DROPPED:
            for path in built.glob(pattern):
                shutil.rmtree(path) if path.is_dir() else path.unlink()
        join_parts(built / "build", lite / "first-visit.txt")
        _name_by_content(built, settings)
        shutil.move(built, empty_folder(out) / APP)
    (out / SETTINGS).write_text(json.dumps(settings, indent=1), encoding="utf-8")


def first_visit_files(app: Path) -> list[Path]:
    """The large files of the application in `app` that every first visit loads."""
    patterns = (f"app/*/{JOINED}", "app/*/schemas/all.json", f"extensions/{_KERNEL}/static/comlink.worker.*.js")
    return [path for pattern in patterns for path in app.glob(pattern)]


def _name_by_content(built: Path, settings: dict[str, Any]) -> None:
    """Put the application's files under a hash of them, so that browsers may keep them for ever."""
    home = f"app/{content_hash([built / 'build'], built)[:12]}"
    (built / "app").mkdir()
    shutil.move(built / "build", built / home)
    settings["fullStaticUrl"] = f"./{home}"
    settings["settingsUrl"] = f"./{home}/schemas"
    settings["themesUrl"] = f"./{home}/themes"
    settings["course"]["bundle"] = f"../{home}/{JOINED}"


def _jupyter_lite_build(scratch: Path, labextension: Path) -> Path:
    config = {
        "apps": ["notebooks"],
        "no_sourcemaps": True,
        "no_unused_shared_packages": True,
        "ignore_sys_prefix": True,
        "federated_extensions": [str(labextension)],
        "output_dir": "site",
    }
    (scratch / "jupyter_lite_config.json").write_text(json.dumps({"LiteBuildConfig": config}), encoding="utf-8")
    command = [sys.executable, "-m", "jupyterlite_core", "build", "--lite-dir", "."]
    done = subprocess.run(command, cwd=scratch, capture_output=True, text=True, check=False)
    if done.returncode:
        raise BuildFailed(f"jupyter lite build: exit {done.returncode}\n{done.stdout}\n{done.stderr.strip()}")
    return scratch / "site"


def _settings(built: Path, ours: Mapping[str, Any]) -> dict[str, Any]:
    """JupyterLite's settings and ours, as its own start-up would merge them; `course.kernel` is found here."""
    text = (built / "jupyter-lite.json").read_text(encoding="utf-8")
    settings: dict[str, Any] = json.loads(text)["jupyter-config-data"]
    [kernel] = (built / "extensions" / _KERNEL / "static").glob("comlink.worker.*.js")
    return settings | {
        "baseUrl": "./",
        "appUrl": "/notebooks",
        "notebookPage": "notebooks",
        "faviconUrl": "./notebooks/favicon.ico",
        "contentsAllJsonFile": "all.json",
        **ours,
        "course": {"kernel": kernel.relative_to(built).as_posix()},
    }
