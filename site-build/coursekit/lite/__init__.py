"""Assembles what runs Python in the browser: Pyodide, and JupyterLite's Notebook app."""

from coursekit.lite.jupyterlite import APP, build_lite, first_visit_files
from coursekit.lite.lab_pages import build_lab_pages
from coursekit.lite.pyodide import NOTEBOOK, SNIPPET_FILES, build_pyodide, read_runtime

__all__ = [
    "APP",
    "NOTEBOOK",
    "SNIPPET_FILES",
    "build_lab_pages",
    "build_lite",
    "build_pyodide",
    "first_visit_files",
    "read_runtime",
]
