"""What is wrong with a course beyond one block: lost ids, links that lead nowhere, options that tell by length."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from coursekit.evaluate import shared
from coursekit.validate import markdown_files, validate

CHECK = (
    "```check\nid: {id}\n{more}---\nWhich of {id}?\n\n- [x] {right}\n  > Yes.\n- [ ] That\n  > No.\n"
    "- [ ] These\n  > No.\n```\n\n"
)


def check(name: str, right: str = "It", more: str = "") -> str:
    return CHECK.format(id=name, right=right, more=more)


def problems(root: Path, **files: str) -> list[str]:
    """Write files into `root/docs` (`_` stands for a dot in names) and validate the whole course."""
    docs = root / "docs"
    docs.mkdir(exist_ok=True)
    for name, text in files.items():
        (docs / name.replace("_", ".")).write_text(text, encoding="utf-8")
    return [str(problem) for problem in validate(markdown_files([docs]), root, shared())]


def test_an_id_that_is_gone_is_told_at_its_line_of_the_list(tmp_path: Path) -> None:
    listed = "check kept\ncheck lost\npause lost\n"
    assert problems(tmp_path, a_md=check("kept"), ids_txt=listed) == [
        'docs/ids.txt:2:1: the check "lost" is gone, and students have work under it; write `alias: lost` in the check '
        "that took its place, or take this line out if it is meant to go",
        'docs/ids.txt:3:1: the pause "lost" is gone, and students have work under it; write its id again, or take this '
        "line out if it is meant to go",
    ]


def test_an_alias_stands_for_an_id_that_is_gone(tmp_path: Path) -> None:
    assert problems(tmp_path, a_md=check("new", more="alias: lost\n"), ids_txt="check lost\n") == []


def test_a_part_of_the_course_loses_nothing(tmp_path: Path) -> None:
    problems(tmp_path, a_md=check("kept"), b_md="# B\n", ids_txt="check kept\n")
    assert validate([tmp_path / "docs" / "b.md"], tmp_path, shared()) == []


def test_an_alias_of_what_is_still_there_is_refused(tmp_path: Path) -> None:
    text = check("one") + check("two", more="alias: one\n") + check("three", more="alias: gone\n")
    text += check("four", more="alias: gone\n")
    assert [line.partition("; ")[0] for line in problems(tmp_path, a_md=text)] == [
        'docs/a.md:14:1: the alias "one" is taken by docs/a.md:1',
        'docs/a.md:42:1: the alias "gone" is taken by docs/a.md:28',
    ]


@pytest.mark.parametrize(
    ("link", "problem"),
    [
        ("[x](b.md)", ""),
        ("[x](b.md#here)", ""),
        ("[x](b.md#a-plain-heading)", ""),
        ("[x](#check-one)", ""),
        ("[x](https://example.org/a)", ""),
        ("`[x](gone.md)`", ""),
        ("[x](gone.md)", 'the link "gone.md" leads to no file'),
        ("[x](b.md#there)", 'the link "b.md#there" leads to no #there in b.md'),
        ("[x](#nowhere)", 'the link "#nowhere" leads to no #nowhere in a.md'),
        ("[x](../docs)", 'the link "../docs" leads to no file'),
        ("[x](https:///a)", 'the link "https:///a" names no host'),
        ("![](b.md)", "an image has no text in place of it"),
    ],
)
def test_links_and_pictures_in_prose_and_in_checks(tmp_path: Path, link: str, problem: str) -> None:
    page = f"# A\n\nSee {link}.\n\n" + check("one").replace("Which of one?", f"Which, see {link}?")
    found = problems(tmp_path, a_md=page, b_md="# B\n\n## X { #here }\n\n## A `plain` heading\n")
    assert [line.partition("; ")[0] for line in found if "docs/a.md:3:" in line] == (
        [f"docs/a.md:3:5: {problem}"] if problem else []
    )
    assert bool([line for line in found if "docs/a.md:8:" in line]) == bool(problem)


def test_a_lesson_whose_longest_option_is_right_too_often(tmp_path: Path) -> None:
    longest, short = "It, and at length, as only a right answer is", "It"
    head = "---\nlesson: l\ntemplate: lesson.html\n---\n# L\n\n"
    telling = head + "".join(check(f"c{n}", longest if n < 3 else short) for n in range(4))
    [found] = problems(tmp_path, a_md=telling)
    assert found.startswith(
        "docs/a.md:7:1: the right option is the longest in 3 of 4 choices of this lesson: c0, c1, c2; "
    )
    even = head + "".join(check(f"c{n}", longest if n < 2 else short) for n in range(4))
    assert problems(tmp_path, a_md=even) == []


MAP = (
    "extra:\n  modules:\n    - title: M\n      lessons:\n        - title: Coming\n"
    "        - id: {id}\n          title: L\n{page}"
)
LESSON = "---\nlesson: paging\ntemplate: lesson.html\n---\n# L\n"


@pytest.mark.parametrize(
    ("settings", "lesson", "problem"),
    [
        ("", LESSON, ""),
        ("site_name: no map\n", LESSON, ""),
        (MAP.format(id="paging", page="          page: a/\n"), LESSON, ""),
        (MAP.format(id="pagin", page=""), "# no lesson\n", ""),
        (
            MAP.format(id="pagin", page="          page: a/\n"),
            LESSON,
            'the course map has no lesson "paging"; give its entry in extra.modules of mkdocs.yml `id: paging` and '
            "`page: a/`",
        ),
        (
            MAP.format(id="paging", page=""),
            LESSON,
            'the course map\'s entry "paging" names no page; write `page: a/` in its entry of extra.modules in '
            "mkdocs.yml",
        ),
        (
            MAP.format(id="paging", page="          page: b/\n"),
            LESSON,
            'the course map\'s entry "paging" leads to b/; write `page: a/` in its entry of extra.modules in '
            "mkdocs.yml",
        ),
        (
            "",
            LESSON.replace("template: lesson.html\n", ""),
            "the lesson has no template, so no notes, no bookmark and no *Mark complete*; add `template: lesson.html` "
            "to the front matter",
        ),
    ],
)
def test_a_lesson_has_its_template_and_its_entry_in_the_course_map(
    tmp_path: Path, settings: str, lesson: str, problem: str
) -> None:
    if settings:
        (tmp_path / "mkdocs.yml").write_text(settings, encoding="utf-8")
    found = [line for line in problems(tmp_path, a_md=lesson) if line.startswith("docs/")]
    assert found == ([f"docs/a.md:1:1: {problem}"] if problem else [])


def test_two_lessons_share_no_id(tmp_path: Path) -> None:
    assert problems(tmp_path, a_md=LESSON, b_md=LESSON) == [
        'docs/b.md:1:1: the lesson "paging" stands at docs/a.md too; give one of them another id'
    ]


def test_an_expression_that_is_never_closed_is_found_in_prose_and_in_checks(tmp_path: Path) -> None:
    text = "3{= 3 =} and `{=` and 4{= 4 }\n\n" + check("one").replace("Which of one?", "Which of 2{= 2?")
    assert problems(tmp_path, a_md=text) == [
        "docs/a.md:1:24: an expression is never closed; end it with `=}`",
        'docs/a.md:6:11: check "one": an expression is never closed; end it with `=}`',
    ]


def test_two_hundred_checks_take_less_than_two_seconds_of_this_process(tmp_path: Path) -> None:
    """Processor time, so that a busy machine doesn't decide. The engine's answers are asked for the first time."""
    number = (
        "```check\nid: n{n}\nkind: number\n---\nHow many for {n}, of `{n} + 1`?\n\n- [x] {two} = `2 * {n}`\n  > Yes.\n"
        "- [ ] {three} = `3 * {n} + 1`\n  > No.\n- [ ] otherwise\n  > See [it](a.md).\n\n## Hint\nOne.\n```\n\n"
    )
    text = "".join(number.format(n=n, two=2 * n, three=3 * n + 1) for n in range(1, 101))
    text += "".join(check(f"c{n}") for n in range(100))
    before = time.process_time()
    assert problems(tmp_path, a_md=text) == []
    assert time.process_time() - before < 2


LAB = {
    "__init__.py": "from labs.small import grading as grade\n",
    "grading.py": 'TITLE = "Small"\nTASKS = ()\n\n\ndef task(student): ...\n',
    "lab.py": '# %% id="task"\nclass Task: ...\n\n# %% id="grade-task"\ngrade.task(Task)\n',
}


def lab_problems_of(root: Path, **files: str | None) -> list[str]:
    """What is said of a lab in which these files (`init`, `grading`, `lab`) hold something else, or are missing."""
    (root / "labs" / "small").mkdir(parents=True)
    (root / "docs" / "labs").mkdir(parents=True)
    (root / "docs" / "labs" / "small.md").write_text("# Small\n", encoding="utf-8")
    for name, text in {
        **LAB,
        **{f"{name.replace('init', '__init__')}.py": text for name, text in files.items()},
    }.items():
        if text is not None:
            (root / "labs" / "small" / name).write_text(text, encoding="utf-8")
    return problems(root)


def test_nothing_is_wrong_with_a_whole_lab(tmp_path: Path) -> None:
    assert lab_problems_of(tmp_path) == []


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({"init": None}, 'labs/small/__init__.py:1:1: the lab "small" has no __init__.py; write it: `from labs.small'),
        ({"init": "x = 1\n"}, "labs/small/__init__.py:1:1: no grade is defined here; the file holds `from labs.small"),
        ({"grading": None}, 'labs/small/grading.py:1:1: the lab "small" has no grading.py; write it: the title'),
        ({"lab": None}, 'labs/small/lab.py:1:1: the lab "small" has no lab.py; write it: the notebook'),
        ({"lab": "x = (\n"}, "labs/small/lab.py:1:5: this isn't Python: '(' was never closed; mend the line"),
        ({"lab": "# %% [markdown]\nno()\n"}, "labs/small/lab.py:2:1: 'no()' stands in a markdown cell; begin it with"),
        ({"lab": '# %% id="grade-task"\n'}, 'labs/small/lab.py:1:1: no cell has the id "task"; give it to the cell'),
        (
            {"grading": "TITLE: str = ''\nTASKS = ()\n"},
            "labs/small/lab.py:4:1: grading.py has no function `task`; write it: this cell calls it",
        ),
    ],
)
def test_what_a_lab_lacks_is_told_before_the_build_stops_at_it(
    tmp_path: Path, files: dict[str, str | None], said: str
) -> None:
    found = lab_problems_of(tmp_path, **files)
    assert len(found) == 1
    assert found[0].startswith(said)


@pytest.mark.parametrize("name", ["labs/small/grading.py", "mkdocs.yml"])
def test_a_file_beside_the_lessons_that_is_no_utf8_is_told_by_its_line(tmp_path: Path, name: str) -> None:
    lab_problems_of(tmp_path)
    (tmp_path / name).write_bytes(b"# one\n# caf\xe9\n")
    assert problems(tmp_path) == [f"{name}:2:1: this line is no UTF-8 text; save the file as UTF-8"]


def test_a_lab_without_a_page_of_its_own_is_told(tmp_path: Path) -> None:
    lab_problems_of(tmp_path)
    (tmp_path / "docs" / "labs" / "small.md").unlink()
    assert problems(tmp_path)[0].startswith('docs/labs/small.md:1:1: the lab "small" has no page of its own; write it')


def test_an_entry_without_a_page_is_told_at_its_line(tmp_path: Path) -> None:
    (tmp_path / "mkdocs.yml").write_text(
        "nav:\n  - Lessons:\n      - a.md\n      - Gone: gone.md\n      - Elsewhere: https://example.org/x.md\n"
        "extra:\n  modules:\n    - lessons:\n        - {title: Coming}\n        - {title: Old, page: old/}\n"
        "        - {title: A, page: a/}\n",
        encoding="utf-8",
    )
    mend = "; write the page, mend the path, or take the entry away"
    assert problems(tmp_path, a_md="# A\n") == [
        f"mkdocs.yml:4:1: nav names gone.md, which isn't in docs/{mend}",
        f"mkdocs.yml:10:1: extra.modules leads to old/, where no page is{mend}",
    ]
