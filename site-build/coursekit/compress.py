"""Copies that a host can send as they are: `.br` and `.gz` beside every file that shrinks."""

from __future__ import annotations

import gzip
import os
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import get_ident

import brotli

from coursekit.digest import file_hash
from coursekit.waiting import Watch

# Pictures, fonts in woff2 and deflated archives don't shrink; a wheel does when it is only stored.
SUFFIXES = {
    ".css", ".data", ".html", ".ipynb", ".js", ".json", ".map", ".mjs", ".svg", ".ttf", ".txt", ".wasm",
    ".webmanifest", ".whl", ".xml", ".zip",
}  # fmt: skip
SMALLEST_BYTES = 1024  # under about one packet there is nothing to win
WORTH_IT = 0.95  # of the raw size, at most


def _brotli(raw: bytes) -> bytes:
    small: bytes = brotli.compress(raw, quality=11, lgwin=24)
    return small


def _gzip(raw: bytes) -> bytes:
    return gzip.compress(raw, compresslevel=9, mtime=0)


_ENCODERS = {".br": _brotli, ".gz": _gzip}


def is_compressible(path: Path) -> bool:
    """Whether a file is of a kind and a size that compression is tried on."""
    return path.suffix in SUFFIXES and path.stat().st_size >= SMALLEST_BYTES


def compressed_copies(files: Iterable[Path], cache: Path, watch: Watch | None = None) -> dict[Path, dict[str, Path]]:
    """For each file, the paths of its compressed copies by suffix (`.br`, `.gz`), kept in `cache`.

    The cache is keyed by content, so a file is compressed once however often the site is built. A copy
    that saves less than a twentieth is left out, and remembered as an empty file.
    """
    cache.mkdir(parents=True, exist_ok=True)
    # Largest first, so that the last one running is a small one.
    wanted = sorted(filter(is_compressible, files), key=lambda file: -file.stat().st_size)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        made = [pool.submit(_copies_of, file, cache) for file in wanted]
        if watch is not None:
            watch.how_far = lambda: f"{sum(one.done() for one in made):,} of {len(made):,} files compressed"
        copies = [one.result() for one in made]
    return dict(zip(wanted, copies, strict=True))


def wire_bytes(files: Iterable[Path], cache: Path) -> int:
    """Bytes that a browser which takes brotli is sent for these files."""
    wanted = list(files)
    copies = compressed_copies(wanted, cache)
    return sum(copies.get(file, {}).get(".br", file).stat().st_size for file in wanted)


def _copies_of(file: Path, cache: Path) -> dict[str, Path]:
    digest = file_hash(file)
    copies: dict[str, Path] = {}
    for suffix, encode in _ENCODERS.items():
        kept = cache / f"{digest}{suffix}"
        if not kept.exists():
            raw = file.read_bytes()
            small = encode(raw)
            _write_whole(kept, small if len(small) <= WORTH_IT * len(raw) else b"")
        if kept.stat().st_size:
            copies[suffix] = kept
    return copies


def _write_whole(path: Path, data: bytes) -> None:
    """Write so that a build cut short leaves no half file under a name that says it is whole."""
    # Two files of the same content are compressed by two threads at once.
    draft = path.with_name(f"{path.name}.{os.getpid()}.{get_ident()}")
    draft.write_bytes(data)
    draft.replace(path)
