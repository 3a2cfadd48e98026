"""The `reference` fence: module names, one a line, become their reference at that place."""

from __future__ import annotations

from typing import Any

from markdown import Markdown

from coursekit.problems import Fault, Spot
from coursekit.reference.read import NoSuchModule, module_names, public_modules
from coursekit.reference.render import module_html
from coursekit.reporting import error_box


def reference(
    source: str, language: str, css_class: str, options: dict[str, str], md: Markdown, **kwargs: Any
) -> str:
    """Superfences' formatter for the fence."""
    html, faults = [], []
    for number, name in enumerate(source.split("\n"), 1):
        if name.strip():
            try:
                html.append(module_html(module_names(name.strip())))
            except NoSuchModule as error:
                mend = f"name one of {', '.join(public_modules())}"
                faults.append(Fault(Spot(number), str(error), mend))
    return error_box("reference", faults) if faults else "".join(html)
