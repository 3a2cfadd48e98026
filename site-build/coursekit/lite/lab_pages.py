"""What of the lab's application changes with the course: its page, and the notebooks that it opens."""

from __future__ import annotations

import html
import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from coursekit.digest import content_hash, file_hash
from coursekit.lite.jupyterlite import SETTINGS
from coursekit.steps import empty_folder

EXTENSION = "course-lab"

_STORES = {"contents": "files", "settings": "settings", "workspaces": "workspaces"}

# The shipped notebooks' date: before any that a student can have, and the same in every build.
_SHIPPED = "2020-01-01T00:00:00Z"


def build_lab_pages(
    out: Path,
    *,
    built: Path,
    lite: Path,
    tokens: Path,
    notebooks: Mapping[str, str],
    places: Mapping[str, str],
    course: tuple[str, str],
) -> None:
    """Leave in `out` what stands beside the application's own files.

    `built` is what `build_lite` left, `lite` the project's `site-build/lite`, `tokens` the course's style
    tokens, `notebooks` are JSON by file name, and `places` are the addresses of the runtime folder (`python`) and of
    the project's wheel (`wheel`), seen from the lab's root. `course` is its id and its title.
    """
    settings = json.loads((built / SETTINGS).read_text(encoding="utf-8"))
    home = f"course/{content_hash([lite / 'extension'], lite, file_hash(tokens))[:12]}"
    settings |= _named(*course)
    settings["course"] |= {**places, "id": course[0]}
    # JupyterLab looks for an extension's script in extensions/<name>/.
    settings["federated_extensions"] += [
        {"name": EXTENSION, "load": f"../../{home}/remoteEntry.js", "extension": "./plugin"}
    ]
    marks = {"BUNDLE": settings["course"].pop("bundle"), "COURSE": f"../{home}"}
    files = {
        "notebooks/index.html": _page((lite / "notebook.html").read_text(encoding="utf-8"), marks, settings),
        "api/contents/all.json": json.dumps(_folder(notebooks), indent=1),
        **{f"files/{name}": text for name, text in notebooks.items()},
    }
    empty_folder(out)
    for name, text in files.items():
        (out / name).parent.mkdir(parents=True, exist_ok=True)
        (out / name).write_text(text, encoding="utf-8")
    shutil.copytree(lite / "extension", out / home)
    (out / home / "tokens.css").write_text(_moved(tokens.read_text(encoding="utf-8"), home), encoding="utf-8")


def _named(course: str, title: str) -> dict[str, str]:
    """What the lab is called, and what JupyterLite calls its stores: courses on one host mustn't share them."""
    stores = {f"{what}StorageName": f"{course}/lab-{name}" for what, name in _STORES.items()}
    return {"appName": title, **stores}


def _moved(styles: str, home: str) -> str:
    """The tokens, with the addresses of the faces as seen from their place in the lab."""
    up = "../" * (home.count("/") + 2)
    return styles.replace('url("vendor/', f'url("{up}assets/course/vendor/')


def _page(template: str, marks: Mapping[str, str], settings: Mapping[str, Any]) -> str:
    # A closing tag inside the settings would end the script; JSON may write its slash as \\/.
    text = json.dumps(settings, separators=(",", ":")).replace("</", "<\\/")
    for mark, address in marks.items():
        template = template.replace(f"@{mark}@", html.escape(address))
    return template.replace("@SETTINGS@", text)


def _folder(notebooks: Mapping[str, str]) -> dict[str, Any]:
    """The listing that JupyterLite reads to learn what was shipped."""
    entries = [
        _entry(name, "notebook") | {"content": None, "size": len(text.encode())}
        for name, text in sorted(notebooks.items())
    ]
    return _entry("", "directory") | {"content": entries, "format": "json"}


def _entry(name: str, kind: str) -> dict[str, Any]:
    return {
        "name": name,
        "path": name,
        "type": kind,
        "created": _SHIPPED,
        "last_modified": _SHIPPED,
        "mimetype": None,
        "format": None,
        "writable": True,
    }
