"""Assembles what runs Python in the browser: Pyodide, and JupyterLite's Notebook app."""

from coursekit.lite.jupyterlite import APP, build_lite
from coursekit.lite.lab_pages import build_lab_pages
from coursekit.lite.pyodide import Runtime, build_pyodide, read_runtime

__all__ = ["APP", "Runtime", "build_lab_pages", "build_lite", "build_pyodide", "read_runtime"]
