"""Small pages that hold the course's elements, in the markup that the course kit makes."""

from __future__ import annotations

import json
from pathlib import Path

from coursekit.checks.compile import Block, compile_check, compile_pause
from coursekit.snippets import Ran
from coursekit.snippets.compile import compile_snippet
from tests.browser.elements import kinds_pages

CHOICE = """\
id: batch-gain
kind: choice
title: Where the gain comes from
---
Where does continuous batching gain?

- [x] It leaves no slot idle
  > A free slot is taken in the next step.
- [ ] It makes a step faster
  > A step costs the same.
- [ ] It needs less memory
  > Memory is another matter.

## Hint
Look at the hatched cells.

## Explanation
Slots that nobody used are used.
"""

NUMBER = """\
id: reserved
kind: number
title: Reserved slots
unit: slots
---
How many slots are reserved?

- [x] 112 = `112`
  > Every request rounds up by itself.
- [ ] 96 = `96`
  > That rounds once, at the end.
- [ ] otherwise
  > Count the pages of one request first.
"""

PAUSE = """\
id: equal-lengths
title: What if all are equally long?
---
What if all requests are equally long?

## Model answer
Then the two schedules are the same.
"""

SNIPPET = 'print("one")\nprint("two")\n'
PRINTED = Ran("one\ntwo\n")

MAP = {
    "course": "inside-the-batch",
    "lessons": [
        {
            "id": "founding",
            "title": "Batching",
            "url": "lesson.html",
            "headings": [{"id": "slots", "text": "Slots"}, {"id": "pages", "text": "Pages"}],
            "checks": [
                {"id": "batch-gain", "kind": "choice", "title": "Where the gain comes from"},
                {"id": "reserved", "kind": "number", "title": "Reserved slots"},
            ],
            "pauses": [{"id": "equal-lengths", "title": "What if all are equally long?"}],
            "snippets": [{"id": "two-slots", "title": "A batcher"}],
            "labs": ["founding"],
        }
    ],
    "labs": [
        {
            "id": "founding",
            "title": "Build a batcher",
            "url": "lab.html",
            "version": "2",
            "tasks": [{"id": "batcher", "title": "The batcher"}, {"id": "pages", "title": "The pages"}],
        }
    ],
}


def _document(title: str, body: str, head: str = "") -> str:
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
        f'<meta name="viewport" content="width=device-width,initial-scale=1">'
        f'<link rel="icon" href="data:,"><meta name="course-root" content=".">{head}'
        f'<script type="module" src="assets/course/course.js"></script></head><body><main>{body}</main></body></html>'
    )


def _whole(block: Block) -> str:
    assert not block.faults, block.faults
    return block.html


def snippet(name: str) -> str:
    """A snippet that has printed two lines."""
    return _whole(compile_snippet({"id": name, "title": "A batcher"}, SNIPPET, lambda _: PRINTED))


def lesson(*, choice: str = CHOICE) -> str:
    """A lesson page with one of each element."""
    filler = "<p>Text.</p>" * 40
    body = f"""<course-storage></course-storage>
<article><h1>Batching</h1><course-bookmark data-id="founding"></course-bookmark>
<h2 id="slots">Slots <a class="headerlink" href="#slots">¶</a></h2>
{_whole(compile_check(choice, evaluate=float))}
{_whole(compile_check(NUMBER, evaluate=float))}
{_whole(compile_pause(PAUSE, evaluate=float))}
{snippet("two-slots")}
<h2 id="pages">Pages</h2>{filler}
<course-complete data-id="founding"></course-complete></article>
<aside aria-label="Your notes"><course-notes data-id="founding"></course-notes></aside>"""
    return _document("Lesson", body, '<meta name="course-lesson" content="founding">')


NOTEBOOK = "<course-review></course-review><course-notebook></course-notebook>"
PROGRESS = "".join(f"<course-{name}></course-{name}>" for name in ("progress", "answers", "results"))


def write_pages(site: Path) -> None:
    """All pages, and the course map that they read."""
    turned = dict(reversed(kinds_pages.EVERY.items()))
    renamed = {"new": kinds_pages.MULTI.replace("id: breaks-reuse", "id: reuse-broken\nalias: breaks-reuse")}
    pages = {
        "lesson.html": lesson(),
        "changed.html": lesson(choice=CHOICE.replace("leaves no slot idle", "fills idle slots")),
        "kinds.html": _document("Kinds", f"<h1>Kinds</h1>{kinds_pages.checks()}"),
        "kinds-turned.html": _document("Kinds", f"<h1>Kinds</h1>{kinds_pages.checks(sources=turned)}"),
        "renamed.html": _document("Renamed", f"<h1>Renamed</h1>{kinds_pages.checks(sources=renamed)}"),
        "two-snippets.html": _document("Two", f"<h1>Two</h1>{snippet('one')}{snippet('another')}"),
        "notebook.html": _document("My notebook", f"<h1>My notebook</h1>{NOTEBOOK}"),
        "progress.html": _document("Progress", f"<h1>Progress</h1>{PROGRESS}"),
        "home.html": _document("Home", '<h1>Home</h1><course-resume><a href="lesson.html">Start</a></course-resume>'),
    }
    for name, text in pages.items():
        (site / name).write_text(text, encoding="utf-8")
    (site / "assets/course/course-map.json").write_text(json.dumps(MAP), encoding="utf-8")
