"""The built course, served by the bridge: page and bridge are then one origin, and no permission is asked."""

import mimetypes
import os
import stat
from pathlib import Path

from starlette.datastructures import Headers
from starlette.responses import FileResponse, Response
from starlette.staticfiles import NotModifiedResponse, PathLike, StaticFiles
from starlette.types import ASGIApp, Scope

from engine.live.bridge.encodings import ENCODINGS, choose_encoding

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


class _Site(StaticFiles):
    """Sends the compressed copy beside a file to whoever takes it. What stands outside of the folder is no copy."""

    def file_response(
        self, full_path: PathLike, stat_result: os.stat_result, scope: Scope, status_code: int = 200
    ) -> Response:
        """The file, its copy, or that neither has changed."""
        asked, path = Headers(scope=scope), os.fspath(full_path)
        copies = self._copies(path)
        encoding = choose_encoding(asked.get("accept-encoding", ""), copies)
        body, status = copies[encoding] if encoding else (path, stat_result)
        answer = FileResponse(body, status_code, stat_result=status, media_type=_type_of(path))
        # A course that was built anew must not be read together with what is left of the last one.
        answer.headers["Cache-Control"] = "no-cache"
        if copies:
            answer.headers["Vary"] = "Accept-Encoding"
        if encoding:
            answer.headers["Content-Encoding"] = encoding
            answer.headers["ETag"] = f'{answer.headers["etag"][:-1]}-{encoding}"'
        return NotModifiedResponse(answer.headers) if self.is_not_modified(answer.headers, asked) else answer

    def _copies(self, path: str) -> dict[str, tuple[str, os.stat_result]]:
        assert self.directory is not None
        name = os.path.relpath(path, os.path.realpath(self.directory))
        found = {encoding: self.lookup_path(name + suffix) for encoding, suffix in ENCODINGS.items()}
        return {
            encoding: (copy, status)
            for encoding, (copy, status) in found.items()
            if status is not None and stat.S_ISREG(status.st_mode)
        }


def _type_of(path: str) -> str:
    kind, packed = mimetypes.guess_type(path)
    return kind if kind and not packed else "application/octet-stream"


def site(folder: Path) -> ASGIApp:
    """The files of `folder`, as a static host would send them."""
    for suffix, kind in TYPES.items():
        mimetypes.add_type(kind, suffix)
    return _Site(directory=folder, html=True)
