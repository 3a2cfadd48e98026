"""Formatters for superfences: what `check`, `pause`, `snippet`, `figure` and `chart` fences become in a page.

A formatter is told neither file nor line. `coursekit check` reads whole files and names them; here a fault
shows in the page at its place.
"""

from __future__ import annotations

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


def keep_options(
    language: str, inputs: dict[str, str], options: dict[str, str], attrs: dict[str, str], md: Markdown
) -> bool:
    """Superfences' validator: what stands on a fence's first line is for the formatter, all of it."""
    options.update(inputs)
    return True


def check(source: str, language: str, css_class: str, options: dict[str, str], md: Markdown, **kwargs: Any) -> str:
    """A knowledge check."""
    return _page_html(compile_check(source, shared().value, _resolver(md)))


def pause(source: str, language: str, css_class: str, options: dict[str, str], md: Markdown, **kwargs: Any) -> str:
    """Pause and reason."""
    return _page_html(compile_pause(source, shared().value, _resolver(md)))


def snippet(source: str, language: str, css_class: str, options: dict[str, str], md: Markdown, **kwargs: Any) -> str:
    """Runnable code with its output."""
    return _page_html(compile_snippet(options, source))


def figure(source: str, language: str, css_class: str, options: dict[str, str], md: Markdown, **kwargs: Any) -> str:
    """A figure that the engine draws, or a chart: the fence's own name says which."""
    given = extension_of(md).given(before=options.get("id"))
    engine = shared()
    return _page_html(compile_figure(options, source, given, engine.shown, engine.value, _resolver(md), language))


def _page_html(block: Block) -> str:
    return error_box(f'{block.fence} "{block.id}"', block.faults) if block.faults else block.html


def _resolver(md: Markdown) -> Resolve:
    """How the page turns a link's target into an address: MkDocs' own way where MkDocs renders.

    MkDocs registers a tree processor that knows the page. It isn't public, so a generator without it
    leaves targets as they are.
    """
    if "relpath" not in md.treeprocessors:
        return str
    resolve = getattr(md.treeprocessors["relpath"], "path_to_url", None)
    return resolve if callable(resolve) else str
