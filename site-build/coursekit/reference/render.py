"""The names of a module as HTML that reads well without a style.

What is said of the modules that stand at the top is searched, and the names of their classes and functions; of a module
inside a package only its own name, as the page's heading. The rest isn't, because the index is part of every page's
weight.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from html import escape

from coursekit.checks.prose import Prose, Resolve, parse
from coursekit.highlighting import highlight
from coursekit.reference.read import Entry, Field, ModuleNames


def module_html(module: ModuleNames, resolve: Resolve = str) -> str:
    """One module: what it is, what it offers, each class and function, then its constants."""
    searched = module.path.count(".") < 2
    return (
        f'<article class="course-reference" id="{escape(module.path)}"{"" if searched else " data-search-exclude"}>'
        f"{prose_html(module.doc, resolve)}"
        f"{_offered(module.offered)}"
        f"{''.join(entry_html(entry, 3, resolve, searched) for entry in module.entries)}"
        f"{_fields('Constants and types', module.constants, resolve, _constant_anchor(module.path))}"
        "</article>"
    )


def entry_html(entry: Entry, level: int, resolve: Resolve = str, searched: bool = False) -> str:
    """One class, function, method or property, and what it holds; `searched` lets its name into the index."""
    unsearched = "" if searched else " data-search-exclude"
    heading = (
        f'<h{level} id="{escape(entry.path)}"{unsearched}><code>{escape(entry.name)}</code> '
        f'<span class="course-reference-kind">{entry.kind}</span></h{level}>'
    )
    return (
        f'<section class="course-reference-entry"{unsearched}>{heading}'
        f"{_signature(entry)}<div data-search-exclude>{prose_html(entry.doc, resolve)}</div>"
        f"{_fields('Fields', entry.fields, resolve, lambda field: f'{entry.path}.{field.name}')}"
        f"{''.join(entry_html(member, level + 1, resolve) for member in entry.members)}"
        f"{_source(entry) if level == 3 else ''}</section>"
    )


def prose_html(doc: str, resolve: Resolve = str) -> str:
    """A docstring, which is Markdown."""
    return Prose(tuple(parse(doc))).html(resolve)


def _signature(entry: Entry) -> str:
    return f"<div data-search-exclude>{highlight(entry.signature, 'python')}</div>" if entry.signature else ""


def _source(entry: Entry) -> str:
    summary = f"<summary>The source of <code>{escape(entry.name)}</code></summary>"
    return f"<details data-search-exclude>{summary}{highlight(entry.source, 'python')}</details>"


def _offered(names: Iterable[str]) -> str:
    links = [f'<li><a href="#{escape(path)}"><code>{escape(path)}</code></a></li>' for path in names]
    return f"<p>It offers:</p><ul>{''.join(links)}</ul>" if links else ""


def _constant_anchor(module: str) -> Callable[[Field], str]:
    return lambda field: f"{module}.{field.name}"


def _fields(caption: str, fields: Iterable[Field], resolve: Resolve, anchor: Callable[[Field], str]) -> str:
    items = "".join(_field(field, resolve, anchor(field)) for field in fields)
    label = f'<p class="course-reference-label" data-search-exclude>{caption}</p>'
    return f"{label}<dl data-search-exclude>{items}</dl>" if items else ""


def _field(field: Field, resolve: Resolve, anchor: str) -> str:
    written = field.name
    written += f": {field.type}" if field.type else ""
    written += f" = {field.default}" if field.default else ""
    name = f'<dt id="{escape(anchor)}"><code>{escape(written)}</code></dt>'
    return f"{name}<dd>{prose_html(field.doc, resolve)}</dd>"
