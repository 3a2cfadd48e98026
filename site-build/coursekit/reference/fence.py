"""The `reference` fence: module names, one a line, become their reference at that place."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from markdown import Markdown

from coursekit import checks, highlighting
from coursekit.kept import kept_here
from coursekit.problems import Fault, Spot
from coursekit.project import here
from coursekit.reference.read import NoSuchModule, module_names, public_modules
from coursekit.reference.render import module_html
from coursekit.reporting import error_box


def reference(source: str, language: str, css_class: str, options: dict[str, str], md: Markdown, **kwargs: Any) -> str:
    """Superfences' formatter for the fence."""
    html, faults = [], []
    for number, name in enumerate(source.split("\n"), 1):
        if name.strip():
            try:
                html.append(_module_html(name.strip()))
            except NoSuchModule as error:
                mend = f"name one of {', '.join(public_modules())}"
                faults.append(Fault(Spot(number), str(error), mend))
    return error_box("reference", faults) if faults else "".join(html)


def _module_html(name: str) -> str:
    # Reading every docstring anew takes longer than all the rest of a preview's build.
    renderers = (Path(__file__).parent, Path(highlighting.__file__), Path(checks.__file__).with_name("prose.py"))
    kept = kept_here("reference", here().engine, *renderers)
    if name not in kept.known:
        kept.add(name, {"html": module_html(module_names(name))})
    html: str = kept.known[name]["html"]
    return html
