"""Holds what is exported against a schema that an instructor downloaded: the course may not pass it on."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from lxml import etree

from coursekit.failures import BuildFailed
from coursekit.qti.beside import XS, Files

_WHOLE = "put the schemas that it imports beside it, or download it again"


@dataclass(frozen=True)
class Schema:
    """A schema that was read."""

    path: Path
    namespace: str
    """The one whose documents it judges."""
    left_out: Mapping[str, str]
    """Namespaces that it imports, by the names of their files, which aren't beside it."""
    judge: etree.XMLSchema

    def complaints(self, text: str) -> list[str]:
        """Everything that is wrong with a document, as `element: what`."""
        root = etree.fromstring(text.encode())
        if used := _namespaces(root) & self.left_out.keys():
            missing = ", ".join(f"{space} ({self.left_out[space]})" for space in sorted(used))
            return [f"uses {missing}, which isn't beside {self.path.name}"]
        self.judge.validate(root)
        return [_plain(entry.message) for entry in self.judge.error_log]


def read_schema(path: Path, namespaces: Mapping[str, str]) -> Schema:
    """The schema in a file. `namespaces` are those that can be judged, each with its name. Raises BuildFailed."""
    files = Files(path)
    root = files.root
    place = f"{path}:{root.sourceline}"
    if root.tag != f"{{{XS}}}schema":
        raise BuildFailed(f"{place}: is no XML schema, but a <{etree.QName(root).localname}>; name a downloaded XSD")
    namespace = root.get("targetNamespace", "")
    if namespace not in namespaces:
        named = namespace or "no namespace"
        raise BuildFailed(f"{place}: is the schema of {named}; name that of {' or '.join(namespaces.values())}")
    try:
        judge = etree.XMLSchema(root)
    except etree.XMLSchemaParseError as error:
        raise BuildFailed("\n".join(dict.fromkeys(_faults(error, path)))) from error
    return Schema(path, namespace, files.left_out, judge)


def _namespaces(root: etree._Element) -> set[str]:
    names = [name for element in root.iter("*") for name in (element.tag, *element.attrib)]
    return {str(etree.QName(name).namespace) for name in names}


def _faults(error: etree.XMLSchemaParseError, path: Path) -> Iterator[str]:
    for entry in error.error_log:
        if entry.level >= etree.ErrorLevels.ERROR:
            file = path if entry.filename in ("", "<string>") else entry.filename
            yield f"{file}:{entry.line}: {_plain(entry.message)}; {_WHOLE}"


def _plain(message: str) -> str:
    """A message without the namespaces of the names in it, and without its full stop."""
    return re.sub(r"\{[^}]*\}", "", message).rstrip(". ")
