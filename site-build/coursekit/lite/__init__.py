"""Assembles what runs Python in the browser: Pyodide, and JupyterLite's Notebook app."""

from coursekit.lite.jupyterlite import build_lite
from coursekit.lite.pyodide import Runtime, build_pyodide, read_runtime

__all__ = ["Runtime", "build_lite", "build_pyodide", "read_runtime"]
