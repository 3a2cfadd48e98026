"""Pages are taken apart with every line and column where the author put it."""

from __future__ import annotations

from pathlib import Path

from coursekit.source import Page, read_page, take_apart, without_code

PAGE = """---
lesson: paging
---

# A title

Some `code{= 1 =}` and
``two
lines`` here.

## Section { #section }

```check
id: a
---
body
```

1. A list
   ~~~figure id="f" title='A "figure"'
   x = 1

   y = 2
   ~~~

````md
```check
id: only shown
```
````

```pause
never closed
"""


def page() -> Page:
    return take_apart(Path("page.md"), PAGE)


def test_fences_are_found_with_line_indent_and_options() -> None:
    assert [(f.kind, f.line, f.indent, f.options) for f in page().fences] == [
        ("check", 13, 0, {}),
        ("figure", 20, 3, {"id": "f", "title": 'A "figure"'}),
    ]
    assert page().fences[0].body == "id: a\n---\nbody\n"
    assert page().fences[1].body == "x = 1\n\ny = 2\n"


def test_a_fence_that_is_only_shown_is_none() -> None:
    assert "only shown" not in "".join(fence.body for fence in page().fences)


def test_an_open_fence_is_a_fault() -> None:
    assert [(f.spot.line, f.what) for f in page().faults] == [(32, "the pause is never closed")]


def test_prose_keeps_lines_and_columns_and_loses_code() -> None:
    prose = page().prose.split("\n")
    assert len(prose) == len(PAGE.split("\n"))
    assert prose[6] == "Some               and"
    assert prose[8] == "        here."
    assert prose[13] == ""


def test_headings_carry_the_authors_id() -> None:
    assert [(h.level, h.text, h.id, h.line) for h in page().headings] == [
        (1, "A title", "", 5),
        (2, "Section", "section", 11),
    ]


def test_front_matter_is_read_and_broken_front_matter_is_a_fault() -> None:
    assert page().front_matter == {"lesson": "paging"}
    broken = take_apart(Path("p.md"), "---\na: 1\nb: [\n---\ntext\n")
    assert [(f.spot.line, f.what) for f in broken.faults] == [(4, "the front matter isn't YAML")]
    no_mapping = take_apart(Path("p.md"), "---\n- a\n---\ntext\n")
    assert [f.what for f in no_mapping.faults] == ["the front matter isn't a mapping"]


def test_single_backquotes_in_prose_stay() -> None:
    assert without_code("a ` b {= 1 =}") == "a ` b {= 1 =}"


def test_a_file_that_is_no_text_is_a_fault_at_its_line(tmp_path: Path) -> None:
    path = tmp_path / "page.md"
    path.write_bytes(b"# Title\n\n\xff\xfe\n")
    (fault,) = read_page(path).faults
    assert (fault.spot.line, str(fault)) == (3, "this line is no UTF-8 text; save the file as UTF-8")
    (fault,) = read_page(tmp_path / "gone.md").faults
    assert "the file can't be read: No such file or directory" in str(fault)


def test_a_byte_order_mark_hides_no_front_matter(tmp_path: Path) -> None:
    path = tmp_path / "page.md"
    path.write_bytes(b"\xef\xbb\xbf---\r\nlesson: one\r\n---\r\n# Title\r\n")
    page = read_page(path)
    assert (page.front_matter, page.faults) == ({"lesson": "one"}, ())
