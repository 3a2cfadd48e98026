"""From a `snippet` fence to its HTML: the code in colour, the code to run, and what it printed."""

from __future__ import annotations

import html
from collections.abc import Callable, Iterator

from coursekit.checks.block import Block
from coursekit.checks.header import ID
from coursekit.digest import short_hash
from coursekit.highlighting import highlight
from coursekit.problems import Fault, Spot
from coursekit.snippets import Ran, run_once


def compile_snippet(options: dict[str, str], code: str, run: Callable[[str], Ran] = run_once) -> Block:
    """Compile the body of a `snippet` fence, whose first line has the `options`."""
    code = code.rstrip("\n") + "\n"
    name, title = options.get("id", ""), options.get("title", "")
    faults = list(_option_faults(options))
    ran = run(code)
    if ran.error:
        faults.append(Fault(Spot(ran.line), f"the snippet fails: {ran.error}", "mend its code"))
    elif not ran.output.strip():
        faults.append(Fault(Spot(1), "the snippet prints nothing", "print what the reader should see"))
    return Block("snippet", name, title, _snippet_html(name, title, code, ran.output), tuple(faults))


def _option_faults(options: dict[str, str]) -> Iterator[Fault]:
    example = 'begin with ```snippet id="my-snippet" title="What it does"'
    if not ID.fullmatch(options.get("id", "")):
        yield Fault(Spot(0), f'the snippet\'s id is "{options.get("id", "")}"', example)
    if not options.get("title"):
        yield Fault(Spot(0), "the snippet has no title", example)


def _snippet_html(name: str, title: str, code: str, output: str) -> str:
    anchor = f'id="snippet-{html.escape(name)}" data-id="{html.escape(name)}"'
    data = f'{anchor} data-hash="{short_hash(code)}" data-title="{html.escape(title)}"'
    return (
        f"<course-snippet {data}>\n"
        f"{highlight(code, 'python')}\n"
        f'<template class="snippet-source" data-search-exclude>{html.escape(code)}</template>\n'
        f'<div class="snippet-output"><pre>{html.escape(output.rstrip())}</pre></div>\n'
        "</course-snippet>"
    )
