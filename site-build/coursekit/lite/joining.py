"""Joins the parts of JupyterLite that every visit loads: one request in place of ninety, and fewer bytes."""

from __future__ import annotations

from pathlib import Path

from coursekit.failures import BuildFailed

JOINED = "lab.js"
_BUNDLE = "notebooks/bundle.js"


def join_parts(app: Path, listing: Path) -> None:
    """Leave `app/lab.js`: the parts that `listing` names, then the bundle that starts them.

    A part only appends itself to a list that the bundle reads when it starts, so parts may come before it.
    """
    names = [
        name for line in listing.read_text(encoding="utf-8").splitlines() if line[:1] != "#" for name in line.split()
    ]
    parts = [_part(app, name, listing) for name in names]
    # Each part keeps its own strictness; the bundle must stay outermost, for what it declares is global.
    texts = [f"(()=>{{{part.read_text(encoding='utf-8')}\n}})();\n" for part in parts]
    bundle = app / _BUNDLE
    (app / JOINED).write_text("".join([*texts, bundle.read_text(encoding="utf-8")]), encoding="utf-8")
    for file in [*parts, bundle]:
        file.unlink()


def _part(app: Path, name: str, listing: Path) -> Path:
    found = list(app.glob(f"{name}.*.js"))
    if len(found) != 1:
        raise BuildFailed(
            f"{listing}: JupyterLite has {len(found)} parts named {name}, not one. It has moved: make the list anew, "
            "as its head says"
        )
    return found[0]
