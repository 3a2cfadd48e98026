"""The names of a module as HTML that reads well without a style.

Names and what is said of them are searched; signatures, fields and source aren't, because the index is part of
every page's weight.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from html import escape

from coursekit.checks.prose import Prose, Resolve, parse
from coursekit.highlighting import highlight
from coursekit.reference.read import Entry, Field, ModuleNames


def module_html(module: ModuleNames, resolve: Resolve = str) -> str:
    """One module: what it is, what it offers, each class and function, then its constants."""
    return (
        f'<div class="course-reference" id="{escape(module.path)}">'
        f"{prose_html(module.doc, resolve)}"
        f"{_offered(module.offered)}"
        f"{''.join(entry_html(entry, 3, resolve) for entry in module.entries)}"
        f"{_fields('Constants and types', module.constants, resolve, _constant_anchor(module.path))}"
        "</div>"
    )


def entry_html(entry: Entry, level: int, resolve: Resolve = str) -> str:
    """One class, function, method or property, and what it holds."""
    heading = (
        f'<h{level} id="{escape(entry.path)}"><code>{escape(entry.name)}</code> '
        f'<span class="course-reference-kind">{entry.kind}</span></h{level}>'
    )
    return (
        f'<section class="course-reference-entry">{heading}'
        f"{_signature(entry)}{prose_html(entry.doc, resolve)}"
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
    return f'<p class="course-reference-label">{caption}</p><dl data-search-exclude>{items}</dl>' if items else ""


def _field(field: Field, resolve: Resolve, anchor: str) -> str:
    written = field.name
    written += f": {field.type}" if field.type else ""
    written += f" = {field.default}" if field.default else ""
    name = f'<dt id="{escape(anchor)}"><code>{escape(written)}</code></dt>'
    return f"{name}<dd>{prose_html(field.doc, resolve)}</dd>"
