"""Show what is wrong with a block in its page, and make a strict build fail."""

from __future__ import annotations

import html
import logging
import re
from collections.abc import Sequence

from coursekit.problems import Fault

# MkDocs counts the warnings below its own logger; with --strict one is enough to stop the build.
LOGGER = "mkdocs.coursekit"


def warn(message: str) -> None:
    """Say it in the build's log."""
    logging.getLogger(LOGGER).warning(message)


def _with_code(words: str) -> str:
    """Words as HTML, what stands between backquotes as code."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", html.escape(words))


def error_box(what: str, faults: Sequence[Fault], file: str = "", above: int = 0) -> str:
    """HTML that stands in the page instead of the block: for the author, at its place.

    Where `file` is known, lines are its own, and `above` says how many of them stand above the block's text.
    """
    for fault in faults:
        warn(f"{what}, line {fault.spot.line + above}{f' of {file}' if file else ''}: {fault}")
    items = "".join(f"<li>line {fault.spot.line + above}: {_with_code(str(fault))}</li>" for fault in faults)
    count = f"Lines are those of {html.escape(file)}." if file else "Lines count from the one below its first."
    return (
        f'<div class="course-error"><p><strong>This {html.escape(what)} can\'t be shown.</strong> '
        f"{count}</p><ul>{items}</ul></div>"
    )
