"""Whole files: every problem at once, each at its line and column in the file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from coursekit.commands.check import main
from coursekit.evaluate import shared
from coursekit.validate import validate

GOOD = "```check\nid: good\n---\nWhich?\n\n- [x] This\n  > Yes.\n- [ ] That\n  > No.\n```\n"


def problems(root: Path, **pages: str) -> list[str]:
    """Write the pages into `root` and validate them."""
    files = []
    for name, text in pages.items():
        files.append(root / f"{name}.md")
        files[-1].write_text(text, encoding="utf-8")
    return [str(problem) for problem in validate(files, root, shared())]


def test_a_page_without_faults_has_no_problems(tmp_path: Path) -> None:
    assert problems(tmp_path, a=f"# A\n\n112{{= 7 * 16 =}}\n\n{GOOD}") == []


def test_a_wrong_figure_is_found_at_its_line_and_column(tmp_path: Path) -> None:
    text = "---\ntitle: T\n---\n# A\n\nIt is 113{= 7 * 16 =}, and\nfour{= 1 +\n3 =}, `5{= 1 =}` and six{= 5 =}.\n"
    assert problems(tmp_path, a=text) == [
        "a.md:6:7: the text says 113, the engine says 112; write 112, or mend `7 * 16`",
        "a.md:8:22: the text says six, the engine says 5; write 5, or mend `5`",
    ]


def test_faults_of_a_fence_are_at_their_line_of_the_file(tmp_path: Path) -> None:
    wrong = (
        "# A\n\n1. A list\n\n   ```check\n   id: waste-31\n   kind: number\n   colour: red\n   ---\n   Which?\n\n"
        "   - [x] 17 = `internal_waste(31, 16)`\n     > Yes.\n   - [ ] otherwise\n     > No.\n   ```\n"
    )
    assert problems(tmp_path, a=wrong) == [
        'a.md:8:12: check "waste-31": unknown key "colour"; the keys are '
        "alias, confidence, draw, id, kind, seed, title, tolerance, unit, variants, where",
        'a.md:12:4: check "waste-31": the key says 17, the engine says 1; write 1, or mend `internal_waste(31, 16)`',
    ]


def test_snippets_and_figures_are_run(tmp_path: Path) -> None:
    text = (
        '# A\n\n```snippet id="s" title="S"\nprint(1)\n1 / 0\n```\n\n'
        '```figure id="f" title="F"\njobs = {"a": 1}\nschedule_svg(jobs)\n---\nIt is 3{= len(jobs) =}.\n```\n'
    )
    found = problems(tmp_path, a=text)
    assert found[0] == 'a.md:5:1: snippet "s": the snippet fails: ZeroDivisionError: division by zero; mend its code'
    assert found[1].startswith('a.md:10:1: figure "f": the figure fails: AttributeError')
    assert found[2] == ('a.md:12:8: figure "f": the caption says 3, the engine says 1; write 1, or mend `len(jobs)`')


def test_a_figure_needs_a_title_a_picture_and_words(tmp_path: Path) -> None:
    text = '```figure id="f"\nx = 1\nx\n```\n\n```figure id="g" title="G"\nblocks_svg([("a", 3)], 2)\n```\n'
    found = problems(tmp_path, a=text)
    assert [line.partition("; ")[0] for line in found] == [
        'a.md:1:1: figure "f": the figure has no title',
        'a.md:2:1: figure "f": the figure shows no picture',
        'a.md:7:1: figure "g": the figure has no words and no table',
    ]


def test_two_figures_may_not_set_one_name(tmp_path: Path) -> None:
    figure = '```figure id="{}" title="F"\n\njobs = [("a", 3)]\nblocks_svg(jobs, 2)\nblocks_words(jobs, 2)\n```\n'
    assert problems(tmp_path, a=figure.format("f") + "\n" + figure.format("g")) == [
        'a.md:10:1: the figure "f" sets `jobs` too; give it another name, or use the one that is there'
    ]


def test_an_id_stands_once_in_the_course(tmp_path: Path) -> None:
    assert problems(tmp_path, a=GOOD, b=f"\n\n{GOOD}") == [
        'b.md:3:1: the id "good" stands at a.md:1 too; give one of them another'
    ]


def test_a_lesson_has_an_id_a_title_and_sections_that_can_be_bookmarked(tmp_path: Path) -> None:
    text = "---\nlesson: My Lesson\n---\n\n## One\n\n## Two { #two }\n\n### Three { #two }\n"
    assert [line.partition("; ")[0] for line in problems(tmp_path, a=text)] == [
        "a.md:1:1: a lesson has one title",
        "a.md:1:1: the lesson's id \"My Lesson\" can't be stored",
        'a.md:5:1: the section "One" has no id',
        'a.md:9:1: the id "two" stands twice',
    ]


def test_a_lab_has_a_folder(tmp_path: Path) -> None:
    (tmp_path / "labs" / "paging").mkdir(parents=True)
    (tmp_path / "labs" / "paging" / "lab.py").touch()
    text = '<course-lab data-lab="paging"></course-lab>\n<course-lab data-lab="pageing"></course-lab>\n'
    assert problems(tmp_path, a=text) == ['a.md:2:23: no lab is called "pageing"; the folders of labs/ are the labs']


def test_the_command_prints_each_problem_and_fails(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = tmp_path / "a.md"
    page.write_text("3{= 4 =}\n")
    assert main([str(page)]) == 1
    assert capsys.readouterr().out == f"{page}:1:1: the text says 3, the engine says 4; write 4, or mend `4`\n"
    assert main(["--json", str(tmp_path)]) == 1
    [problem] = json.loads(capsys.readouterr().out)
    assert problem == {
        "path": str(page),
        "line": 1,
        "column": 1,
        "what": "the text says 3, the engine says 4",
        "mend": "write 4, or mend `4`",
        "severity": "error",
    }


def test_the_command_is_quiet_about_good_pages(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.md").write_text(GOOD)
    assert main([str(tmp_path)]) == 0
    assert capsys.readouterr().out == "1 page checked: nothing is wrong.\n"
    assert main([str(tmp_path / "nowhere.md")]) == 2


def test_a_page_that_the_navigation_leaves_out_is_found(tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    docs.mkdir()
    assert problems(docs, plain="# A\n") == [], "no mkdocs.yml, no navigation"
    settings = tmp_path / "mkdocs.yml"
    settings.write_text(
        "site_url: !ENV [SITE_URL, '']\nformat: !!python/name:coursekit.fences.check\n", encoding="utf-8"
    )
    files = [docs / "plain.md", docs / "in.md", docs / "out.md"]
    for file in files:
        file.write_text("# A\n", encoding="utf-8")
    (docs / "ids.txt").write_text("", encoding="utf-8")
    assert validate(files, tmp_path, shared()) == [], "without a nav, every page is in it"
    nav = "nav:\n  - plain.md\n  - Parts:\n      - More:\n          - One: in.md\n"
    settings.write_text(settings.read_text(encoding="utf-8") + nav, encoding="utf-8")
    assert [str(problem) for problem in validate(files, tmp_path, shared())] == [
        "docs/out.md:1:1: no entry of the navigation names out.md; add `- out.md` to nav in mkdocs.yml"
    ]
