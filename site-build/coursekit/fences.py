"""Formatters for superfences: what `check`, `pause`, `snippet`, `figure` and `chart` fences become in a page.

A formatter is told neither file nor line. `coursekit check` reads whole files and names them; here a fault
shows in the page at its place. Where MkDocs renders, it knows the page's file, and the line follows.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from markdown import Markdown

from coursekit.checks.block import Block
from coursekit.checks.compile import compile_check, compile_pause
from coursekit.checks.prose import Resolve
from coursekit.evaluate import shared
from coursekit.figures import extension_of
from coursekit.figures.figure import compile_figure
from coursekit.reporting import error_box
from coursekit.snippets.compile import compile_snippet
from coursekit.source import read_page


def keep_options(
    language: str, inputs: dict[str, str], options: dict[str, str], attrs: dict[str, str], md: Markdown
) -> bool:
    """Superfences' validator: what stands on a fence's first line is for the formatter, all of it."""
    options.update(inputs)
    return True


def check(source: str, language: str, css_class: str, options: dict[str, str], md: Markdown, **kwargs: Any) -> str:
    """A knowledge check."""
    return _page_html(compile_check(source, shared().value, _resolver(md)), source, md)


def pause(source: str, language: str, css_class: str, options: dict[str, str], md: Markdown, **kwargs: Any) -> str:
    """Pause and reason."""
    return _page_html(compile_pause(source, shared().value, _resolver(md)), source, md)


def snippet(source: str, language: str, css_class: str, options: dict[str, str], md: Markdown, **kwargs: Any) -> str:
    """Runnable code with its output."""
    return _page_html(compile_snippet(options, source), source, md)


def figure(source: str, language: str, css_class: str, options: dict[str, str], md: Markdown, **kwargs: Any) -> str:
    """A figure that the engine draws, or a chart: the fence's own name says which."""
    given = extension_of(md).given(before=options.get("id"))
    engine = shared()
    block = compile_figure(options, source, given, engine.shown, engine.value, _resolver(md), language)
    return _page_html(block, source, md)


def _page_html(block: Block, source: str, md: Markdown) -> str:
    if not block.faults:
        return block.html
    return error_box(f'{block.fence} "{block.id}"', block.faults, *_place(source, md))


def _place(source: str, md: Markdown) -> tuple[str, int]:
    """The page's name and the line of the fence with this text in it; nothing where they can't be known."""
    file = getattr(_from_mkdocs(md), "file", None)
    path = getattr(file, "abs_src_path", None)
    for fence in read_page(Path(path)).fences if path else ():
        if fence.body.strip() == source.strip():
            return str(getattr(file, "src_uri", path)), fence.line
    return "", 0


def _resolver(md: Markdown) -> Resolve:
    """How the page turns a link's target into an address: MkDocs' own way where MkDocs renders."""
    resolve = getattr(_from_mkdocs(md), "path_to_url", None)
    return resolve if callable(resolve) else str


def _from_mkdocs(md: Markdown) -> object:
    """The tree processor by which MkDocs knows the page. It isn't public, and other generators have none."""
    if "relpath" not in md.treeprocessors:
        return None
    return md.treeprocessors["relpath"]
