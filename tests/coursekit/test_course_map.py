"""The course map finds what students' work is kept under, and where it stands."""

from __future__ import annotations

from pathlib import Path

from coursekit.course_map import address, collect
from coursekit.source import read_page

LESSON = """---
lesson: paging
---

# What a *page* costs

## The `block` table { #table }

```check
id: waste
kind: number
---
How many token slots?

- [x] 1 = `1`
  > Yes.
```

```pause
id: why
title: Why so
---
Why?
```

```snippet id="count" title="Count"
print(1)
```

<course-lab data-lab="paging"></course-lab>

## Sources { #sources }
"""


def test_a_lesson_is_mapped_by_the_authors_ids(tmp_path: Path) -> None:
    page = tmp_path / "docs" / "lessons" / "paging" / "index.md"
    page.parent.mkdir(parents=True)
    page.write_text(LESSON)
    (tmp_path / "docs" / "index.md").write_text("# Home\n")
    assert collect(tmp_path, tmp_path / "pages") == {
        "course": "inside-the-batch",
        "lessons": [
            {
                "id": "paging",
                "title": "What a page costs",
                "url": "lessons/paging/",
                "headings": [{"id": "table", "text": "The block table"}, {"id": "sources", "text": "Sources"}],
                "checks": [{"id": "waste", "kind": "number", "title": "How many token slots?"}],
                "pauses": [{"id": "why", "title": "Why so"}],
                "snippets": [{"id": "count", "title": "Count"}],
                "labs": ["paging"],
            }
        ],
        "labs": [],
    }


def test_addresses_are_those_of_mkdocs(tmp_path: Path) -> None:
    assert address(tmp_path / "index.md", tmp_path) == ""
    assert address(tmp_path / "notebook.md", tmp_path) == "notebook/"
    assert address(tmp_path / "labs" / "founding.md", tmp_path) == "labs/founding/"


def test_a_front_matters_title_comes_first(tmp_path: Path) -> None:
    from coursekit.course_map import lesson_title

    page = tmp_path / "a.md"
    page.write_text("---\ntitle: Mine\n---\n# Other\n")
    assert lesson_title(read_page(page)) == "Mine"
