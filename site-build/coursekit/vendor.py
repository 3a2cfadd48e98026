"""What npm packages give the browser: bundles made by esbuild, one file an entry, and the fonts."""

from __future__ import annotations

from pathlib import Path

from coursekit.fonts import copy_fonts
from coursekit.node import run_node
from coursekit.project import Project
from coursekit.steps import empty_folder


def build_vendor(project: Project, out: Path) -> None:
    """Bundle every `browser/vendor-src/*.js` into `out` as an ES module of the same name, fonts beside."""
    empty_folder(out)
    copy_fonts(project.node_modules, out / "fonts")
    entries = sorted((project.browser / "vendor-src").glob("*.js"))
    if entries:
        run_node(project, [project.site_build / "bundle.mjs", out, *entries])
