"""Items in a zip file with a manifest, as learning platforms take them."""

from __future__ import annotations

import xml.etree.ElementTree as ET
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from coursekit.checks.block import Block
from coursekit.failures import BuildFailed
from coursekit.qti.content import NAMESPACE
from coursekit.qti.item import identifier, item, text_of
from coursekit.qti.schema import Schema
from coursekit.qti.structure import complaints

PACKAGING = "http://www.imsglobal.org/xsd/imscp_v1p1"
NAMESPACES = {NAMESPACE: "QTI 2.1", PACKAGING: "IMS Content Packaging 1.1"}
_DATE = (2020, 1, 1, 0, 0, 0)
"""Fixed, so that the same checks give the same bytes."""
_MEND = "word the check without that, or report it: the export should know better"


@dataclass(frozen=True)
class Document:
    """A file of the package: an item, or the manifest, which has no check."""

    name: str
    namespace: str
    root: ET.Element
    check: str = ""
    place: str = ""
    """Where the check stands, as `file:line`."""

    @property
    def subject(self) -> str:
        """What a message about it begins with."""
        return f'{self.place}: check "{self.check}"' if self.check else self.name

    @property
    def text(self) -> str:
        """What the file holds."""
        return text_of(self.root)


def documents(course: str, checks: Sequence[tuple[str, Block]]) -> list[Document]:
    """The manifest, and the items of the checks that QTI can hold. Each check comes with its file and line."""
    items = [
        Document(f"items/{block.id}.xml", NAMESPACE, made, block.id, place)
        for place, block in checks
        if (made := item(block)) is not None
    ]
    return [Document("imsmanifest.xml", PACKAGING, _manifest(course, items)), *items]


def write_package(path: Path, files: Sequence[Document], schemas: Sequence[Schema] = ()) -> None:
    """Write the documents into a zip file. Raises BuildFailed where one isn't valid, and writes nothing then."""
    if wrong := [line for file in files for line in _faults(file, schemas)]:
        raise BuildFailed("\n".join(wrong))
    try:
        _write(path, files)
    except OSError as error:
        raise BuildFailed(f"{path}: can't be written ({error.strerror}); name a file in a folder of yours") from error


def _write(path: Path, files: Sequence[Document]) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as package:
        for file in files:
            entry = zipfile.ZipInfo(file.name, _DATE)
            entry.compress_type = zipfile.ZIP_DEFLATED
            package.writestr(entry, file.text)


def _faults(file: Document, schemas: Sequence[Schema]) -> Iterator[str]:
    if file.namespace == NAMESPACE and (wrong := complaints(file.root)):
        yield f"{file.subject} makes no valid QTI item: {'; '.join(wrong)}; {_MEND}"
        return
    for schema in schemas:
        if schema.namespace == file.namespace and (wrong := schema.complaints(file.text)):
            yield f"{file.subject} isn't as {schema.path.name} says: {'; '.join(wrong)}; {_MEND}"


def _manifest(course: str, items: Sequence[Document]) -> ET.Element:
    def tag(name: str) -> str:
        return f"{{{PACKAGING}}}{name}"

    root = ET.Element(tag("manifest"), identifier=f"course-{course}")
    metadata = ET.SubElement(root, tag("metadata"))
    ET.SubElement(metadata, tag("schema")).text = "QTIv2.1 Package"
    ET.SubElement(metadata, tag("schemaversion")).text = "1.0.0"
    ET.SubElement(root, tag("organizations"))
    resources = ET.SubElement(root, tag("resources"))
    for one in items:
        resource = ET.SubElement(
            resources, tag("resource"), identifier=identifier(one.check), type="imsqti_item_xmlv2p1", href=one.name
        )
        ET.SubElement(resource, tag("file"), href=one.name)
    return root
