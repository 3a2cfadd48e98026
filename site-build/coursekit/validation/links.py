"""Links inside the course lead somewhere, and a picture has a text in place of it; in pages and in checks."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from urllib.parse import unquote, urlsplit

from coursekit.problems import Fault, Spot
from coursekit.source import Page, without_code

_LINK = re.compile(r"(?P<image>!)?\[(?P<text>[^\]\[]*)\]\(<?(?P<target>[^)\s>]+)>?(?:\s+\"[^\"]*\")?\)")
_ANCHOR = re.compile(r"""\bid=["'](?P<id>[\w-]+)["']|\{[^}\n]*#(?P<attr>[\w-]+)[^}\n]*\}""")
_MAKES_ANCHORS = "```reference"
"""A fence that makes headings of its own, which only the built page knows."""


def link_faults(page: Page, docs: Path) -> Iterator[tuple[Fault, int, int]]:
    """Each fault with the lines and columns before the text that it stands in."""
    for fault in _in_text(page.prose, page, docs, pictures=True):
        yield fault, 0, 0
    for fence in page.fences:
        if fence.kind in ("check", "pause"):
            for fault in _in_text(without_code(fence.body), page, docs, pictures=False):
                yield fault, fence.line, fence.indent


def _in_text(text: str, page: Page, docs: Path, *, pictures: bool) -> Iterator[Fault]:
    for match in _LINK.finditer(text):
        start = text.rfind("\n", 0, match.start()) + 1
        spot = Spot(text.count("\n", 0, match.start()) + 1, match.start() - start + 1)
        if pictures and match["image"] and not match["text"].strip():
            yield Fault(spot, "an image has no text in place of it", "write `![what it shows](file)`")
        denied = _unreachable(match["target"], page, docs)
        if denied:
            yield Fault(spot, f'the link "{match["target"]}" {denied[0]}', denied[1])


def _unreachable(target: str, page: Page, docs: Path) -> tuple[str, str] | None:
    """What is wrong with a target, and the mend; None where it can be reached, or can't be known here."""
    parts = urlsplit(target)
    if parts.scheme in ("http", "https"):
        return None if parts.hostname and "." in parts.hostname else ("names no host", "write its whole address")
    if parts.scheme or not page.path.is_relative_to(docs):
        return None
    path = (page.path.parent / unquote(parts.path)).resolve() if parts.path else page.path
    if not path.is_file():
        mend = "name the page's file, like `../labs/founding.md`" if path.is_dir() else "mend the path"
        return "leads to no file", mend
    if parts.fragment and path.suffix == ".md" and parts.fragment not in anchors(path):
        return f"leads to no #{parts.fragment} in {path.relative_to(docs).as_posix()}", "give the heading this id"
    return None


def anchors(path: Path) -> frozenset[str]:
    """What a link may name behind `#` in the page at `path`."""
    status = path.stat()
    return _anchors(path, status.st_mtime_ns, status.st_size)


class _Anchors(frozenset[str]):
    """Ids of a page. Where it makes some that only the build knows, every id is one."""

    open = False

    def __contains__(self, name: object) -> bool:
        return self.open or super().__contains__(name)


@cache
def _anchors(path: Path, modified: int, size: int) -> _Anchors:
    text = path.read_text(encoding="utf-8")
    found = {match["id"] or match["attr"] for match in _ANCHOR.finditer(text)}
    found |= {_slug(line.lstrip("#")) for line in text.split("\n") if line.startswith("#")}
    for kind in ("check", "pause"):
        found |= {f"{kind}-{name}" for name in re.findall(r"^[ >]*id:[ \t]*([a-z0-9-]+)", text, re.MULTILINE)}
    for kind in ("snippet", "figure", "chart"):
        found |= {f"{kind}-{name}" for name in re.findall(rf'{kind}[^\n]*\bid="([a-z0-9-]+)"', text)}
    anchors = _Anchors(found)
    anchors.open = _MAKES_ANCHORS in text
    return anchors


def _slug(heading: str) -> str:
    """A heading's id where its author gave none, as Python-Markdown makes it."""
    plain = unicodedata.normalize("NFKD", re.sub(r"[`*_]", "", heading)).encode("ascii", "ignore").decode()
    return re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", plain).strip().lower())
