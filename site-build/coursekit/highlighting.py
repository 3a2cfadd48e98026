"""Code in colour, in the markup that the theme styles."""

from __future__ import annotations

from pygments import highlight as _highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name
from pygments.lexers.special import TextLexer
from pygments.util import ClassNotFound

_FORMATTER = HtmlFormatter(cssclass="highlight", wrapcode=True)


def highlight(code: str, language: str) -> str:
    """`<div class="highlight">` with the code, its tokens marked; an unknown language stays plain text."""
    try:
        lexer = get_lexer_by_name(language, stripnl=False)
    except ClassNotFound:
        lexer = TextLexer(stripnl=False)
    return str(_highlight(code, lexer, _FORMATTER)).strip()
