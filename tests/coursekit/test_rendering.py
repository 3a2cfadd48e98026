"""Fences and figures in prose, rendered by Python-Markdown as the site does it."""

from __future__ import annotations

import logging
from pathlib import Path
from types import SimpleNamespace

import pytest
from markdown import Markdown
from markdown.treeprocessors import Treeprocessor

from coursekit import fences

FIGURE = """```figure id="two" title="Two & slots"
jobs = {"a": 2, "b": 4, "c": 1}
run = continuous_batch(jobs, slots=2)
schedule_svg(run)
schedule_words(run)
---
**c** is done after 3{= run.finish_steps()["c"] =}.
```
"""


def markdown() -> Markdown:
    custom = [
        {"name": name, "class": name, "validator": fences.keep_options, "format": getattr(fences, name)}
        for name in ("check", "pause", "snippet", "figure")
    ]
    return Markdown(
        extensions=["coursekit.figures", "attr_list", "tables", "pymdownx.superfences"],
        extension_configs={"pymdownx.superfences": {"custom_fences": custom}},
    )


def test_a_figure_that_the_engine_confirms_is_shown(caplog: pytest.LogCaptureFixture) -> None:
    page = markdown().convert("It is **112{= sum(reserved_slots(n, 16) for n in (17, 31, 33)) =}** slots.")
    assert page == '<p>It is <strong><span class="computed">112</span></strong> slots.</p>'
    assert not caplog.records


def test_a_figure_that_the_engine_denies_is_a_warning_and_shows(caplog: pytest.LogCaptureFixture) -> None:
    page = markdown().convert("It is 113{= 7 * 16 =} slots.")
    assert '<span class="course-error">113 (the text says 113, the engine says 112; write 112' in page
    assert [(r.name, r.levelno) for r in caplog.records] == [("mkdocs.coursekit", logging.WARNING)]


def test_a_code_span_is_left_alone() -> None:
    assert markdown().convert("Write `112{= 1 =}`.") == "<p>Write <code>112{= 1 =}</code>.</p>"


def test_a_figures_names_can_be_used_in_prose_above_and_below_it() -> None:
    source = f'Before: 2{{= run.finish_steps()["a"] =}}.\n\n{FIGURE}\nAfter: three{{= run.finish_steps()["c"] =}}.\n'
    page = markdown().convert(source)
    assert 'Before: <span class="computed">2</span>.' in page
    assert 'After: <span class="computed">three</span>.' in page


def test_a_figure_has_a_picture_a_caption_words_and_settings() -> None:
    page = markdown().convert(FIGURE)
    assert page.startswith('<figure class="course-figure" id="figure-two">')
    assert '<div class="figure-pictures" data-search-exclude><svg' in page
    assert '<p class="figure-title">Two &amp; slots</p>' in page
    assert 'is done after <span class="computed">3</span>.</p>' in page
    assert "<summary>The same in words</summary><p>3 requests" in page
    assert "<summary>Settings of this figure</summary>" in page


def test_a_later_figure_may_use_an_earlier_one() -> None:
    later = FIGURE.replace("two", "three").split("\n")
    page = markdown().convert(FIGURE + "\n" + "\n".join([later[0], *later[3:]]))
    assert "course-error" not in page


def test_a_page_forgets_the_page_before_it() -> None:
    converter = markdown()
    converter.convert(FIGURE)
    assert "course-error" in converter.reset().convert("3{= run.finish_steps()['c'] =}")


def test_a_broken_check_shows_a_box_at_its_place(caplog: pytest.LogCaptureFixture) -> None:
    page = markdown().convert("Above.\n\n```check\nid: odd\nkind: riddle\n---\nWhich?\n```\n\nBelow.")
    assert "<p>Above.</p>" in page
    assert "<strong>This check &quot;odd&quot; can't be shown.</strong>" in page
    assert "line 2: no kind is called &quot;riddle&quot;" in page
    empty = markdown().convert("```check\nid: odd\n---\nWhich?\n\n- [x] It\n- [ ] That\n  > No.\n```\n")
    assert "add an indented line <code>&gt; why</code> below it" in empty
    assert caplog.records[0].levelno == logging.WARNING


def test_a_broken_check_tells_its_lines_of_the_file_where_that_is_known(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    text = "Above.\n\n1. A list\n\n    ```check\n    id: odd\n    kind: riddle\n    ---\n    Which?\n    ```\n"
    path = tmp_path / "odd.md"
    path.write_text(f"---\nlesson: odd\n---\n{text}", encoding="utf-8")
    converter = markdown()
    knows = Treeprocessor(converter)
    knows.file = SimpleNamespace(abs_src_path=str(path), src_uri="lessons/odd.md")  # type: ignore[attr-defined]
    converter.treeprocessors.register(knows, "relpath", 0)
    page = converter.convert(text)
    assert "Lines are those of lessons/odd.md.</p><ul><li>line 10: no kind is called &quot;riddle&quot;" in page
    assert caplog.messages[0].startswith('check "odd", line 10 of lessons/odd.md: no kind is called "riddle"')


def test_the_elements_stand_in_no_paragraph() -> None:
    source = (
        "```check\nid: a\n---\nWhich?\n\n- [x] This\n  > Yes.\n- [ ] That\n  > No.\n```\n\n"
        "```pause\nid: a\n---\nWhy?\n\n## Model answer\nSo.\n```\n\n"
        '```snippet id="a" title="A"\nprint(1)\n```\n\n<course-lab data-lab="founding"></course-lab>\n'
    )
    page = markdown().convert(source)
    assert "<p><course-" not in page
    for element in ("check", "pause", "snippet", "lab"):
        assert f"</course-{element}>" in page


def test_links_in_a_check_are_resolved_as_the_page_resolves_them() -> None:
    class Relpath(Treeprocessor):
        def path_to_url(self, target: str) -> str:
            return f"resolved/{target}"

    converter = markdown()
    converter.treeprocessors.register(Relpath(converter), "relpath", 0)
    page = converter.convert(
        "```check\nid: a\n---\nSee [it](b.md) ![that](c.png).\n\n- [x] This\n  > Yes.\n- [ ] That\n  > No.\n```"
    )
    assert '<a href="resolved/b.md">it</a> <img src="resolved/c.png" alt="that"' in page
