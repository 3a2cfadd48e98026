"""Content hashes: a file is what its bytes say, whatever its date."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from pathlib import Path

# Left behind by tools beside the sources; no step reads them.
IGNORED = {"__pycache__", "node_modules", ".DS_Store", ".ipynb_checkpoints"}


def files_under(path: Path) -> Iterator[Path]:
    """Every file of a folder in a stable order, or the file itself; nothing where nothing stands."""
    if path.is_file():
        yield path
    elif path.is_dir():
        for child in sorted(path.iterdir(), key=lambda entry: entry.name):
            if child.name not in IGNORED and not child.name.endswith(".pyc"):
                yield from files_under(child)


def file_hash(path: Path) -> str:
    """SHA-256 of a file's bytes, in hexadecimal."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def content_hash(paths: Iterable[Path], base: Path, extra: str = "") -> str:
    """One hash of the names (relative to `base`) and the bytes of all files in and under `paths`."""
    total = hashlib.sha256(extra.encode())
    for path in paths:
        for file in files_under(path):
            total.update(f"\0{file.relative_to(base).as_posix()}\0{file_hash(file)}".encode())
    return total.hexdigest()


def shape_hash(path: Path) -> str:
    """One hash of the names, sizes and dates of a tree: enough to see that it was touched or cut short."""
    total = hashlib.sha256()
    for file in files_under(path):
        status = file.stat()
        total.update(f"\0{file.relative_to(path)}\0{status.st_size}\0{status.st_mtime_ns}".encode())
    return total.hexdigest()


def short_hash(*parts: str) -> str:
    """Twelve hexadecimal digits for some texts: short, and long enough to tell versions apart."""
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:12]
