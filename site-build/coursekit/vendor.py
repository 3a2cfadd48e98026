"""Bundles of npm packages for the browser, made by esbuild: one file an entry."""

from __future__ import annotations

from pathlib import Path

from coursekit.node import run_node
from coursekit.project import Project
from coursekit.steps import empty_folder


def build_vendor(project: Project, out: Path) -> None:
    """Bundle every `browser/vendor-src/*.js` into `out`, minified, as an ES module of the same name."""
    empty_folder(out)
    entries = sorted((project.browser / "vendor-src").glob("*.js"))
    if entries:
        run_node(project, [project.site_build / "bundle.mjs", out, *entries])
