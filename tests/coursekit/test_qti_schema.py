"""An export is held against the XSD that an instructor names, before it is written and without the network."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from coursekit.commands.export import main
from coursekit.failures import BuildFailed
from coursekit.qti.content import NAMESPACE
from coursekit.qti.package import NAMESPACES, PACKAGING
from coursekit.qti.schema import read_schema

PAGE = """# A page

```check
id: slots
title: Slots
---
How many?

- [x] 2 = `1 + 1`
  > Two.
- [ ] otherwise
  > No.
```
"""
ITEM = """
<xs:element name="assessmentItem"><xs:complexType>
  <xs:sequence><xs:any processContents="skip" minOccurs="0" maxOccurs="unbounded"/></xs:sequence>
  <xs:attribute name="title"><xs:simpleType><xs:restriction base="xs:string">
    <xs:maxLength value="{longest}"/></xs:restriction></xs:simpleType></xs:attribute>
  <xs:anyAttribute processContents="skip"/>
</xs:complexType></xs:element>
"""


def schema(holds: str = ITEM, namespace: str = NAMESPACE, longest: int = 40) -> str:
    """A schema of our own: an item has a title that isn't long, and anything else."""
    return (
        f'<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns="{namespace}" targetNamespace="{namespace}"\n'
        f'  xmlns:o="urn:other" elementFormDefault="qualified">'
        f"{holds.replace('{longest}', str(longest))}</xs:schema>"
    )


@pytest.fixture
def page(tmp_path: Path) -> Path:
    file = tmp_path / "page.md"
    file.write_text(PAGE)
    return file


def export(page: Path, *schemas: str) -> tuple[int, bool]:
    """What the command answers with these schemas, and whether it wrote a file."""
    out, named = page.with_name("out.zip"), []
    for number, text in enumerate(schemas):
        named += ["--schema", str(page.with_name(f"{number}.xsd"))]
        page.with_name(f"{number}.xsd").write_text(text)
    answer = main([str(out), str(page), *named])
    return answer, out.exists()


def test_a_valid_package_is_written_and_what_it_was_held_against_is_said(
    page: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    manifest = schema('<xs:element name="manifest"/>', PACKAGING)
    assert export(page, schema(), manifest) == (0, True)
    assert capsys.readouterr().out.splitlines()[1:] == [
        "valid by 0.xsd: items/slots.xml",
        "valid by 1.xsd: imsmanifest.xml",
    ]


def test_an_invalid_item_is_told_with_the_check_it_comes_from_and_nothing_is_written(
    page: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert export(page, schema(longest=4)) == (1, False)
    said = capsys.readouterr().err
    assert said.startswith(
        f"{page}:3: check \"slots\" isn't as 0.xsd says: Element 'assessmentItem', attribute 'title'"
    )
    assert said.endswith("; word the check without that, or report it: the export should know better\n")


def test_an_invalid_manifest_is_told(page: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert export(page, schema('<xs:element name="manifest" type="xs:int"/>', PACKAGING)) == (1, False)
    assert capsys.readouterr().err.startswith("imsmanifest.xml isn't as 0.xsd says: Element 'manifest'")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("<!DOCTYPE html>\n<p>Sign in", "0.xsd:2: is no XML ("),
        ("\n<manifest/>", "0.xsd:2: is no XML schema, but a <manifest>; name a downloaded XSD"),
        (
            schema(namespace="urn:a"),
            "0.xsd:2: is the schema of urn:a; name that of QTI 2.1 or IMS Content Packaging 1.1",
        ),
        (schema('\n<xs:element name="assessmentItem" type="Gone"/>'), "0.xsd:3: element decl. 'assessmentItem'"),
        (
            schema('\n<xs:import namespace="urn:other"/>\n<xs:element name="a" type="o:T"/>'),
            "0.xsd:4: element decl. 'a'",
        ),
        (
            schema('\n<xs:include schemaLocation="more.xsd"/>'),
            "0.xsd:3: includes more.xsd, which isn't beside it; download",
        ),
        (
            schema(f'\n<xs:include schemaLocation="{"more" * 75}.xsd"/>'),
            "0.xsd:3: includes moremore",
        ),
        (schema(f'\n<xs:include schemaLocation="page.md"/>{ITEM}'), "page.md:1: is no XML ("),
    ],
)
def test_a_file_that_is_no_usable_schema_is_told_with_its_line(
    page: Path, capsys: pytest.CaptureFixture[str], text: str, told: str
) -> None:
    assert export(page, text) == (1, False)
    said = capsys.readouterr().err
    assert said.startswith(f"{page.parent}/{told}")
    assert "; " in said


def test_a_schema_that_is_missing_is_told(page: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(page.with_name("out.zip")), str(page), "--schema", str(page.with_name("no.xsd"))]) == 1
    assert "no.xsd: can't be read (No such file or directory); name the XSD" in capsys.readouterr().err
    assert not page.with_name("out.zip").exists()


@pytest.fixture
def host() -> Iterator[tuple[str, list[str]]]:
    """The address of a server, and what it was asked for."""
    asked: list[str] = []

    class Listener(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            self.send_error(404)

    server = HTTPServer(("127.0.0.1", 0), Listener)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}", asked
    server.shutdown()
    server.server_close()


def remote(address: str) -> str:
    """A schema that imports two others from another host, and refers to what they declare."""
    imports = f"""
<xs:import namespace="http://www.w3.org/XML/1998/namespace" schemaLocation="{address}/w3/xml.xsd"/>
<xs:import namespace="urn:other" schemaLocation="{address}/other%20words.xsd"/>
<xs:element name="assessmentItem"><xs:complexType>
  <xs:sequence><xs:element ref="o:sum" minOccurs="0"/><xs:group ref="o:sums" minOccurs="0"/>
    <xs:any namespace="##targetNamespace" processContents="skip" minOccurs="0" maxOccurs="unbounded"/></xs:sequence>
  <xs:attribute ref="xml:lang"/><xs:attributeGroup ref="o:all"/>
  <xs:anyAttribute namespace="##local" processContents="skip"/>
</xs:complexType></xs:element>
"""
    return schema(imports)


def test_what_a_schema_imports_is_not_fetched_and_is_said_to_be_left_out(
    page: Path, host: tuple[str, list[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    address, asked = host
    assert export(page, remote(address)) == (0, True)
    assert "(not beside it, and nothing of them is used: other words.xsd, xml.xsd)" in capsys.readouterr().out
    assert asked == []


def test_a_document_that_uses_what_was_left_out_is_refused(tmp_path: Path, host: tuple[str, list[str]]) -> None:
    file = tmp_path / "a.xsd"
    file.write_text(remote(host[0]))
    read = read_schema(file, NAMESPACES)
    for used in ('xml:lang="en"/>', 'xmlns:o="urn:other"><o:sum/></assessmentItem>'):
        [told] = read.complaints(f'<assessmentItem xmlns="{NAMESPACE}" {used}')
        assert told.startswith("uses ")
        assert told.endswith("which isn't beside a.xsd")
    assert read.complaints(f'<assessmentItem xmlns="{NAMESPACE}"/>') == []


def test_what_lies_beside_the_schema_is_used_though_it_names_another_host(
    tmp_path: Path, host: tuple[str, list[str]]
) -> None:
    file = tmp_path / "a.xsd"
    file.write_text(remote(host[0]))
    rest = '<xs:group name="sums"><xs:sequence/></xs:group><xs:attributeGroup name="all"/>'
    (tmp_path / "other words.xsd").write_text(schema(f'<xs:element name="sum" type="xs:int"/>{rest}', "urn:other"))
    read = read_schema(file, NAMESPACES)
    assert list(read.left_out.values()) == ["xml.xsd"]
    document = f'<assessmentItem xmlns="{NAMESPACE}" xmlns:o="urn:other"><o:sum>%s</o:sum></assessmentItem>'
    assert read.complaints(document % 3) == []
    assert read.complaints(document % "three") == [
        "Element 'sum': 'three' is not a valid value of the atomic type 'xs:int'"
    ]
    assert host[1] == []


def test_a_schema_in_two_files_is_judged_as_one(tmp_path: Path) -> None:
    (tmp_path / "a.xsd").write_text(schema(f'<xs:include schemaLocation="b.xsd"/>{ITEM}'))
    (tmp_path / "b.xsd").write_text(schema('<xs:include schemaLocation="a.xsd"/>\n<xs:element name="b" type="Gone"/>'))
    with pytest.raises(BuildFailed, match=r"b\.xsd:3: element decl\. 'b'"):
        read_schema(tmp_path / "a.xsd", NAMESPACES)


@pytest.mark.parametrize(
    ("written", "lies"),
    [
        ("other words.xsd", "other words.xsd"),
        ("other%20words.xsd", "other%20words.xsd"),
        (" their schemas/other words.xsd\n", "their schemas/other words.xsd"),
        ("http://a.invalid/their schemas/wörter.xsd", "wörter.xsd"),
    ],
)
def test_an_address_may_be_written_as_people_write_names(tmp_path: Path, written: str, lies: str) -> None:
    """libxml2 passes over one with a space in silence, in an included file too, and then misses what it declares."""
    folder = tmp_path / "a downloaded schema"
    (folder / lies).parent.mkdir(parents=True, exist_ok=True)
    (folder / lies).write_text(schema('<xs:element name="sum" type="xs:int"/>', "urn:other"))
    (folder / "more of it.xsd").write_text(
        schema(
            f'<xs:import namespace="urn:other" schemaLocation="{written}"/>\n'
            '<xs:element name="all"><xs:complexType><xs:sequence><xs:element ref="o:sum"/></xs:sequence>'
            "</xs:complexType></xs:element>"
        )
    )
    (folder / "a.xsd").write_text(schema('<xs:include schemaLocation="more of it.xsd"/>'))
    read = read_schema(folder / "a.xsd", NAMESPACES)
    document = f'<all xmlns="{NAMESPACE}" xmlns:o="urn:other"><o:sum>%s</o:sum></all>'
    assert read.left_out == {}
    assert read.complaints(document % 3) == []
    assert len(read.complaints(document % "three")) == 1


@pytest.mark.parametrize("text", [None, b"caf\xe9\n", PAGE.rpartition("```")[0].encode()])
def test_a_page_that_is_missing_or_cant_be_read_whole_is_not_left_out_in_silence(
    page: Path, capsys: pytest.CaptureFixture[str], text: bytes | None
) -> None:
    other = page.with_name("its name.md")
    if text is not None:
        other.write_bytes(text)
    assert main([str(page.with_name("out.zip")), str(page), str(other)]) == 1
    assert f"`python -m coursekit check '{page}' '{other}'` says which" in capsys.readouterr().err
    assert not page.with_name("out.zip").exists()


def test_a_file_that_cant_be_written_is_told(page: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(page.parent), str(page)]) == 1
    assert capsys.readouterr().err.startswith(f"{page.parent}: can't be written (Is a directory); name a file")
