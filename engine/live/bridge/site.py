"""The built course, served by the bridge: page and bridge are then one origin, and no permission is asked."""

import mimetypes
from pathlib import Path

from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp

TYPES = {
    ".mjs": "text/javascript",
    ".js": "text/javascript",
    ".wasm": "application/wasm",
    ".whl": "application/zip",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
    ".ipynb": "application/json",
    ".data": "application/octet-stream",
}
"""What a system's own table may lack, or have otherwise."""


def site(folder: Path) -> ASGIApp:
    """The files of `folder`, as a static host would send them."""
    for suffix, kind in TYPES.items():
        mimetypes.add_type(kind, suffix)
    return StaticFiles(directory=folder, html=True)
