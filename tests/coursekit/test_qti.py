"""Checks leave as QTI 2.1 that is built as the standard says; what isn't is refused."""

from __future__ import annotations

import xml.etree.ElementTree as ET
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from coursekit.checks.compile import Block, compile_check
from coursekit.commands.export import main
from coursekit.evaluate import shared
from coursekit.qti.content import NAMESPACE, content, tag
from coursekit.qti.item import KINDS, item, text_of
from coursekit.qti.structure import complaints
from tests.coursekit.test_checks import FIXTURES, read_fixture_file

SPACE = {"q": NAMESPACE}


def blocks() -> list[Block]:
    """Every fixture that compiles, of the kinds that QTI knows."""
    found = []
    for path in sorted(FIXTURES.glob("*.md")):
        for _, _, source, _ in read_fixture_file(path):
            block = compile_check(source, shared().value) if path.stem != "pause" else None
            if block and not block.faults and block.facts.get("kind") in KINDS:
                found.append(block)
    return found


def made(kind: str) -> ET.Element:
    root = item(next(block for block in blocks() if block.facts["kind"] == kind))
    assert root is not None
    return ET.fromstring(text_of(root))


def test_every_fixture_makes_a_valid_item() -> None:
    every = blocks()
    assert {block.facts["kind"] for block in every} == set(KINDS)
    for block in every:
        root = item(block)
        assert root is not None
        assert complaints(root) == [], block.id
        assert ET.fromstring(text_of(root)).get("identifier") == f"check-{block.id}"


def test_a_choice_has_its_key_its_options_and_their_feedback() -> None:
    root = made("choice")
    right = root.findall("q:responseDeclaration/q:correctResponse/q:value", SPACE)
    options = root.findall("q:itemBody/q:choiceInteraction/q:simpleChoice", SPACE)
    feedback = {one.get("identifier"): "".join(one.itertext()) for one in root.findall("q:modalFeedback", SPACE)}
    assert [one.text for one in right] == ["a"]
    assert {option.get("identifier") for option in options} == set(feedback)
    assert all(feedback.values())


def test_a_number_has_its_tolerance_and_an_order_its_order() -> None:
    equal = made("number").find(".//q:equal", SPACE)
    assert equal is not None
    assert (equal.get("toleranceMode"), equal.get("tolerance")) == ("absolute", "0 0")
    order = made("order")
    values = [one.text for one in order.findall("q:responseDeclaration/q:correctResponse/q:value", SPACE)]
    assert values == [one.get("identifier") for one in order.findall(".//q:simpleChoice", SPACE)]
    assert order.find("q:itemBody/q:orderInteraction[@shuffle='true']", SPACE) is not None


def _one(root: ET.Element, name: str) -> ET.Element:
    return next(root.iter(tag(name)))


Break = Callable[[ET.Element], object]


@pytest.mark.parametrize(
    ("breaks", "complaint"),
    [
        (lambda root: root.attrib.pop("title"), "assessmentItem: has no title"),
        (lambda root: root.set("colour", "red"), "assessmentItem: can't have colour"),
        (lambda root: root.set("adaptive", "maybe"), 'assessmentItem: adaptive is "maybe"'),
        (lambda root: root.append(root[0]), "assessmentItem: can't hold"),
        (lambda root: root.remove(root[0]), "correct: nothing declares RESPONSE"),
        (lambda root: ET.SubElement(root.find("q:itemBody", SPACE), "script"), "script: isn't known"),  # type: ignore[arg-type]
        (lambda root: setattr(root.find("q:itemBody", SPACE), "text", "loose"), "itemBody: can't hold text"),
        (
            lambda root: root.find(".//q:simpleChoice", SPACE).set("identifier", "z"),  # type: ignore[union-attr]
            "correctResponse: no choice is called a",
        ),
        (lambda root: root.set("toolName", "x" * 257), 'assessmentItem: toolName is "xxx'),
        (lambda root: root.insert(0, root[0]), "RESPONSE: is declared twice"),
        (lambda root: _one(root, "choiceInteraction").set("responseIdentifier", "SCORE"), "nothing declares SCORE"),
        (lambda root: _one(root, "choiceInteraction").set("maxChoices", "99999999999"), "maxChoices is"),
        (lambda root: _one(root, "choiceInteraction").set("maxChoices", "\u0663"), "maxChoices is"),
        (lambda root: _one(root, "modalFeedback").set("identifier", "x\u00b2"), "modalFeedback: identifier is"),
        (lambda root: setattr(_one(root, "variable"), "text", " "), "variable: can't hold text"),
        (lambda root: _one(root, "itemBody").clear(), "itemBody: can't hold nothing"),
        (lambda root: setattr(_one(root, "simpleChoice"), "text", "\x0b"), "XML can't hold the character"),
        (lambda root: ET.SubElement(_one(root, "simpleChoice"), tag("a")), "a: has no href"),
        (lambda root: ET.SubElement(_one(root, "simpleChoice"), tag("a"), href="https://a.org/%zz"), "a: href is"),
        (lambda root: ET.SubElement(_one(root, "itemBody"), tag("th"), scope="auto"), "th: scope is"),
    ],
)
def test_what_is_wrong_with_an_item_is_told(breaks: Break, complaint: str) -> None:
    root = made("choice")
    assert complaints(root) == []
    breaks(root)
    assert any(complaint in one for one in complaints(root))


@pytest.mark.parametrize(
    ("html", "wrong"),
    [
        ("<p><em>a <div>b</div></em></p>", "em: can't hold div"),
        ("<p>a <ul><li>b</li></ul></p>", "p: can't hold ul"),
        ("<ul>a<li>b</li></ul>", "ul: can't hold text"),
        ("<table><tbody><tr><p>a</p></tr></tbody></table>", "tr: can't hold p in this order"),
        ("<table><thead><tr><th>a</th></tr></thead></table>", "table: can't hold thead in this order"),
    ],
)
def test_blocks_inside_a_line_and_text_between_rows_are_refused(html: str, wrong: str) -> None:
    root = made("choice")
    body = root.find("q:itemBody", SPACE)
    assert body is not None
    body[:0] = content(html)
    assert wrong in complaints(root)


def test_what_html_allows_and_qti_does_not_is_put_into_its_blocks() -> None:
    html = (
        "Loose <em>words</em>.<details><summary>More</summary><p>of it</p></details>"
        "<blockquote>quoted <b>so</b><p>and so</p></blockquote><ul><li>one <p>two</p></li></ul><p>a<br/>b</p><hr/>"
    )
    root = made("choice")
    body = root.find("q:itemBody", SPACE)
    assert body is not None
    body[:0] = content(html)
    assert complaints(root) == []
    assert "".join("".join(body.itertext()).split()).startswith("Loosewords.Moreofitquotedsoandsoonetwoab")


@pytest.mark.parametrize(
    ("html", "kept"),
    [
        ('<a href="https://a.org/b?c=d%20e#f">x</a>', {"a": {"href": "https://a.org/b?c=d%20e#f"}}),
        ('<a href="https://a.org/%zz">x</a>', {"span": {}}),
        ('<a href="../lessons/">x</a>', {"span": {}}),
        ("<a>x</a>", {"span": {}}),
    ],
)
def test_a_link_that_is_no_address_stays_as_words(html: str, kept: dict[str, dict[str, str]]) -> None:
    [paragraph] = content(html)
    assert {one.tag.rpartition("}")[2]: one.attrib for one in paragraph} == kept
    assert "".join(paragraph.itertext()) == "x"


def test_a_heading_of_a_table_keeps_the_scope_that_qti_knows() -> None:
    [table] = content('<table><tbody><tr><th scope="col">a</th><th scope="auto">b</th></tr></tbody></table>')
    assert [cell.get("scope") for cell in table.iter(tag("th"))] == ["col", None]


def test_the_command_writes_the_same_bytes_each_time_and_names_what_it_leaves_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first, second = tmp_path / "a.zip", tmp_path / "b.zip"
    assert main([str(first)]) == 0
    said = capsys.readouterr().out
    assert "left out, as QTI has no such question: " in said
    assert "(grid)" in said
    main([str(second)])
    assert first.read_bytes() == second.read_bytes()
    with zipfile.ZipFile(first) as package:
        manifest = ET.fromstring(package.read("imsmanifest.xml"))
        named = {one.get("href") for one in manifest.iter() if one.tag.endswith("}file")}
        assert named == set(package.namelist()) - {"imsmanifest.xml"}
        for name in named:
            assert name
            assert complaints(ET.fromstring(package.read(name))) == []


def test_the_command_refuses_checks_with_faults(tmp_path: Path) -> None:
    page = tmp_path / "a.md"
    page.write_text("```check\nid: odd\n---\nWhich?\n```\n")
    assert main([str(tmp_path / "a.zip"), str(page)]) == 1
    assert not (tmp_path / "a.zip").exists()
