"""The `source` fence: module names, one a line, become their source with a number and an address for each line.

A module's rules stand above it, each with its sentence and a link to its line.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import escape
from typing import Any

from markdown import Markdown
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer

from coursekit.problems import Fault, Spot
from coursekit.project import here
from coursekit.reporting import error_box
from coursekit.rules import Rule, rules_of


def source(text: str, language: str, css_class: str, options: dict[str, str], md: Markdown, **kwargs: Any) -> str:
    """Superfences' formatter for the fence."""
    html, faults = [], []
    rules = rules_of(here().engine)
    for number, name in enumerate(text.split("\n"), 1):
        module = name.strip()
        path = here().root / f"{module.replace('.', '/')}.py"
        if module and path.is_file() and module.startswith("engine."):
            html.append(_rules(rule for rule in rules if rule.module == module))
            html.append(_lines(path.read_text(encoding="utf-8"), module))
        elif module:
            mend = "name one, as engine.scheduler"
            faults.append(Fault(Spot(number), f"{module!r} is no module of the engine", mend))
    return error_box("source", faults) if faults else "".join(html)


def _rules(rules: Iterable[Rule]) -> str:
    items = [
        f'<li><a href="#{escape(rule.anchor)}">Line {rule.line}</a>, <code>{escape(rule.name)}</code>: '
        f"{_sentence(rule.sentence)}</li>"
        for rule in rules
    ]
    return f'<ul class="course-rules" data-search-exclude>{"".join(items)}</ul>' if items else ""


_FACT = re.compile(r"\{(\w+)(?::([^}]+))?\}")


def _sentence(sentence: str) -> str:
    """A rule's sentence with the names of its facts where their values will stand."""
    return _FACT.sub(lambda fact: f"<var>{fact[1]}</var>" + (f" {fact[2]}s" if fact[2] else ""), escape(sentence))


def _lines(text: str, module: str) -> str:
    formatter = HtmlFormatter(cssclass="highlight course-source", wrapcode=True, linenos="inline", linespans=module)
    page = str(highlight(text, PythonLexer(stripnl=False), formatter))
    # A long line scrolls sideways, and the keyboard has to reach what scrolls.
    named = f'tabindex="0" role="group" aria-label="The source of {escape(module)}"'
    return f"<div data-search-exclude>{page.replace('<pre>', f'<pre {named}>', 1)}</div>"
