"""Items in a zip file with a manifest, as learning platforms take them."""

from __future__ import annotations

import xml.etree.ElementTree as ET
import zipfile
from collections.abc import Sequence
from pathlib import Path

from coursekit.checks.block import Block
from coursekit.failures import BuildFailed
from coursekit.qti.item import identifier, item, text_of
from coursekit.qti.structure import complaints

_PACKAGING = "http://www.imsglobal.org/xsd/imscp_v1p1"
_DATE = (2020, 1, 1, 0, 0, 0)
"""Fixed, so that the same checks give the same bytes."""


def write_package(path: Path, course: str, blocks: Sequence[Block]) -> list[str]:
    """Write the checks that QTI can hold into a zip file; their ids come back. Raises BuildFailed."""
    items = [(block.id, made) for block in blocks if (made := item(block)) is not None]
    for name, made in items:
        if wrong := complaints(made):
            raise BuildFailed(f'check "{name}" makes no valid QTI item: {"; ".join(wrong)}')
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as package:
        _put(package, "imsmanifest.xml", text_of(_manifest(course, [name for name, _ in items])))
        for name, made in items:
            _put(package, f"items/{name}.xml", text_of(made))
    return [name for name, _ in items]


def _put(package: zipfile.ZipFile, name: str, text: str) -> None:
    entry = zipfile.ZipInfo(name, _DATE)
    entry.compress_type = zipfile.ZIP_DEFLATED
    package.writestr(entry, text)


def _manifest(course: str, names: Sequence[str]) -> ET.Element:
    def tag(name: str) -> str:
        return f"{{{_PACKAGING}}}{name}"

    root = ET.Element(tag("manifest"), identifier=f"course-{course}")
    metadata = ET.SubElement(root, tag("metadata"))
    ET.SubElement(metadata, tag("schema")).text = "QTIv2.1 Package"
    ET.SubElement(metadata, tag("schemaversion")).text = "1.0.0"
    ET.SubElement(root, tag("organizations"))
    resources = ET.SubElement(root, tag("resources"))
    for name in names:
        place = f"items/{name}.xml"
        resource = ET.SubElement(
            resources, tag("resource"), identifier=identifier(name), type="imsqti_item_xmlv2p1", href=place
        )
        ET.SubElement(resource, tag("file"), href=place)
    return root
