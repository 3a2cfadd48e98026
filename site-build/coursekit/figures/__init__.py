"""The Markdown extension of the course: figures in prose that the engine confirms.

`112{= sum(reserved_slots(n, 16) for n in (17, 31, 33)) =}` shows 112. Where the engine says otherwise, the
page shows what it says and the build fails. What the page's `figure` fences set can be used.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element

from markdown import Markdown
from markdown.extensions import Extension
from markdown.inlinepatterns import InlineProcessor
from markdown.preprocessors import Preprocessor

from coursekit.evaluate import shared
from coursekit.figures.code import given_by
from coursekit.reporting import warn
from coursekit.source import Fence, take_apart
from coursekit.stated import ASSERTION, contradiction

# Superfences takes the fences away at 25; code spans are recognised at 190, escapes at 180.
_BEFORE_FENCES = 26
_AFTER_CODE_SPANS = 185


BLOCKS = [
    *("course-check", "course-pause", "course-snippet"),
    *("trace-player", "course-batch", "course-lab", "course-notebook", "course-progress", "course-resume"),
    *("course-playground", "course-server", "course-live"),
]
"""The course's own elements. Known as blocks, or each would be put into a paragraph, which ends at the first
block inside it."""


class CourseExtension(Extension):
    """Knows the fences of the page that is being rendered, and renders figures in prose."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.fences: Sequence[Fence] = ()

    def extendMarkdown(self, md: Markdown) -> None:
        """Called by Python-Markdown once for each instance."""
        md.registerExtension(self)
        md.block_level_elements += BLOCKS
        md.preprocessors.register(_Reader(md, self), "course-reader", _BEFORE_FENCES)
        md.inlinePatterns.register(_Assertion(md, self), "course-assertion", _AFTER_CODE_SPANS)

    def reset(self) -> None:
        """Called before another page."""
        self.fences = ()

    def given(self, before: str | None = None) -> list[str]:
        """What the page's figures set: all of them, or those above the figure with the id `before`."""
        found: list[str] = []
        for given in given_by(self.fences):
            if given.figure == before:
                break
            found.append(given.source)
        return found


class _Reader(Preprocessor):
    def __init__(self, md: Markdown, extension: CourseExtension) -> None:
        super().__init__(md)
        self._extension = extension

    def run(self, lines: list[str]) -> list[str]:
        self._extension.fences = take_apart(Path(), "\n".join(lines)).fences
        return lines


class _Assertion(InlineProcessor):
    def __init__(self, md: Markdown, extension: CourseExtension) -> None:
        super().__init__(ASSERTION.pattern, md)
        self._extension = extension

    def handleMatch(self, m: re.Match[str], data: str) -> tuple[Element, int, int]:  # type: ignore[override]
        given = self._extension.given()
        denied = contradiction(m["stated"], m["expression"], lambda e: shared().value(e, given))
        element = Element("span", {"class": "computed"})
        element.text = m["stated"]
        if denied:
            warn(f"figure in prose: {denied}")
            element.set("class", "course-error")
            element.text = f"{m['stated']} ({denied})"
        return element, m.start(0), m.end(0)


def extension_of(md: Markdown) -> CourseExtension:
    """The course's extension of a Markdown instance; one that knows no page where it isn't installed."""
    installed = (item for item in md.registeredExtensions if isinstance(item, CourseExtension))
    return next(installed, CourseExtension())


def makeExtension(**kwargs: Any) -> CourseExtension:
    """What Python-Markdown calls for `coursekit.figures`."""
    return CourseExtension(**kwargs)
