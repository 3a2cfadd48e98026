"""A table of HTML that a screen reader can walk: a caption, and heads that say what they are heads of."""

from collections.abc import Iterable, Sequence
from html import escape


def html_table(caption: str, heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table; the first item of each row is the row's head."""
    top = "".join(f'<th scope="col">{escape(head)}</th>' for head in heads)
    body = "".join(_row(row) for row in rows)
    return (
        f'<table class="course-table"><caption>{escape(caption)}</caption>'
        f"<thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>"
    )


def _row(row: Sequence[str]) -> str:
    head, *cells = row
    return f'<tr><th scope="row">{escape(head)}</th>' + "".join(f"<td>{escape(cell)}</td>" for cell in cells) + "</tr>"
