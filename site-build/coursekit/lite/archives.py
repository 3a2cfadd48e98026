"""Zip archives whose bytes depend on nothing but their content."""

from __future__ import annotations

import zipfile
from collections.abc import Mapping
from pathlib import Path

# Archives are stored, not deflated: a host's brotli makes the whole smaller than it makes deflated parts.
_MOMENT = (2020, 1, 1, 0, 0, 0)


def read_archive(path: Path) -> dict[str, bytes]:
    """The files of an archive by name."""
    with zipfile.ZipFile(path) as archive:
        return {info.filename: archive.read(info) for info in archive.infolist() if not info.is_dir()}


def write_stored(path: Path, files: Mapping[str, bytes]) -> None:
    """Write `files` uncompressed, in the order of their names, all with the same date."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as archive:
        for name in sorted(files):
            info = zipfile.ZipInfo(name, _MOMENT)
            info.external_attr = 0o644 << 16
            archive.writestr(info, files[name])
