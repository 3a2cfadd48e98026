"""Puts the finished site together from what the steps left."""

from __future__ import annotations

import filecmp
import os
import shutil
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from coursekit.compress import compressed_copies
from coursekit.digest import files_under
from coursekit.failures import BuildFailed
from coursekit.waiting import Watch

# Sources of bundles and tests stay on the author's side: the trace player is served as one file.
NOT_SERVED = {"vendor-src", "tsconfig.json", "trace-player.js", "trace"}


def browser_files(browser: Path) -> Iterator[Path]:
    """The modules, styles and pictures that the pages load."""
    for file in files_under(browser):
        if not NOT_SERVED.intersection(file.relative_to(browser).parts):
            yield file


def tree(folder: Path, at: str) -> dict[str, Path]:
    """What a whole folder puts into the site under the address `at` (no slash at the ends)."""
    return {_join(at, file.relative_to(folder)): file for file in files_under(folder)}


def _join(at: str, name: Path) -> str:
    return f"{at}/{name.as_posix()}" if at else name.as_posix()


def lay_out(parts: Iterable[Mapping[str, Path]]) -> dict[str, Path]:
    """All parts as one plan of address to file. Two files for one address are a mistake."""
    plan: dict[str, Path] = {}
    for part in parts:
        for address, file in part.items():
            if address in plan:
                raise BuildFailed(f"{address} would come from {plan[address]} and from {file}: rename one")
            plan[address] = file
    return plan


def with_compressed(plan: Mapping[str, Path], cache: Path, watch: Watch | None = None) -> dict[str, Path]:
    """The plan, with the compressed copies beside the files that shrink."""
    copies = compressed_copies(set(plan.values()), cache, watch)
    beside = {address + suffix: copy for address, file in plan.items() for suffix, copy in copies.get(file, {}).items()}
    # MkDocs writes a compressed sitemap of its own accord; both say the same.
    return {**beside, **plan}


def write_site(plan: Mapping[str, Path], site: Path) -> int:
    """Make the folder `site` hold what the plan says and nothing else; the number of files written.

    Only what differs is written, each file whole, so a server may go on serving meanwhile.
    """
    written = sum(_place(file, site / address) for address, file in plan.items())
    wanted = {site / address for address in plan}
    for file in list(files_under(site)):
        if file not in wanted:
            file.unlink()
    for folder, _, _ in os.walk(site, topdown=False):
        if not any(Path(folder).iterdir()):
            Path(folder).rmdir()
    return written


def _place(source: Path, target: Path) -> bool:
    wanted = source.stat()
    if target.is_file():
        present = target.stat()
        if (present.st_size, present.st_mtime_ns) == (wanted.st_size, wanted.st_mtime_ns):
            return False
        if filecmp.cmp(source, target, shallow=False):
            os.utime(target, ns=(wanted.st_atime_ns, wanted.st_mtime_ns))
            return False
    target.parent.mkdir(parents=True, exist_ok=True)
    draft = target.with_name(f".{target.name}.draft")
    shutil.copy2(source, draft)
    draft.replace(target)
    return True
