"""The files of a schema: what it imports is looked for beside it, and never asked of the network."""

from __future__ import annotations

from collections.abc import Iterator
from os.path import isfile
from pathlib import Path
from urllib.parse import quote, unquote

from lxml import etree

from coursekit.failures import BuildFailed

XS = "http://www.w3.org/2001/XMLSchema"
_XML = "http://www.w3.org/XML/1998/namespace"
_KINDS = ("element", "attribute", "group", "attributeGroup")
"""What a schema can refer to in another by name."""
_IN_AN_ADDRESS = "%/:?#[]@!$&'()*+,;=~"
"""Signs that mean something in an address; others, as a space, libxml2 takes only escaped."""


class Files(etree.Resolver):
    """A schema and all that it includes and imports. Raises BuildFailed where its own part isn't whole.

    The namespace of an import that isn't there is left out: a stand-in declares the names that are referred to, so that
    the schema can be read. It says nothing of what they may hold, so that a document can't be held against it.
    """

    def __init__(self, main: Path) -> None:
        self.left_out: dict[str, str] = {}
        """The namespaces that are left out, and the names of their files."""
        self._main = main
        self._namespace_of: dict[str, str] = {}
        self._referred: set[tuple[str, str, str]] = set()
        self._parser = etree.XMLParser(no_network=True, load_dtd=False, resolve_entities=False)
        self._parser.resolvers.add(self)
        self._texts: dict[Path, bytes] = {}
        """The files by where they lie, each as libxml2 takes it: with the addresses in it escaped."""
        self.root = self._gather(main)

    def resolve(self, url: str | None, public_id: str | None, context: object) -> etree._docloader._InputDocument:
        """Where libxml2 finds a file that it asks for: beside, or in a stand-in. So it never looks itself."""
        location = url or ""
        if found := self._find(location, self._main.parent):
            return self.resolve_string(self._texts[found.resolve()], context, base_url=str(found))
        namespace = self._namespace_of.get(_file_name(location))
        return self.resolve_string(self._stand_in(namespace), context) if namespace else self.resolve_empty(context)

    def _gather(self, path: Path) -> etree._Element:
        text, root = self._read(path)
        self._texts[path.resolve()] = text
        for part in root.iterchildren(f"{{{XS}}}import", f"{{{XS}}}include", f"{{{XS}}}redefine"):
            written = part.get("schemaLocation", "")
            location = written.strip()
            found = self._find(location, path.parent)
            if (escaped := quote(location, safe=_IN_AN_ADDRESS)) != written:
                part.set("schemaLocation", escaped)
                self._texts[path.resolve()] = etree.tostring(root)
            if found is None:
                self._leave_out(part, f"{path}:{part.sourceline}", location)
            elif found.resolve() not in self._texts:
                self._gather(found)
        self._referred |= set(_references(root))
        return root

    def _leave_out(self, part: etree._Element, place: str, location: str) -> None:
        if part.tag != f"{{{XS}}}import":
            raise BuildFailed(f"{place}: includes {location}, which isn't beside it; download that file too")
        namespace, name = part.get("namespace", ""), _file_name(location)
        self.left_out[namespace] = name
        self._namespace_of[name] = namespace

    def _read(self, path: Path) -> tuple[bytes, etree._Element]:
        try:
            text = path.read_bytes()
            return text, etree.fromstring(text, self._parser, base_url=str(path))
        except OSError as error:
            raise BuildFailed(f"{path}: can't be read ({error.strerror}); name the XSD that you downloaded") from error
        except etree.XMLSyntaxError as error:
            raise BuildFailed(f"{path}:{error.lineno}: is no XML ({error.msg}); download the schema again") from error

    def _find(self, location: str, folder: Path) -> Path | None:
        """A file of this name: where the location says, if that is on this machine, or beside the schema.

        Its name on this machine may be escaped too: some programs keep a download's name as the address has it.
        """
        plain = unquote(location).removeprefix("file://")
        for name in (plain, quote(plain)):
            for path in (folder / name, self._main.parent / name.rpartition("/")[2]):
                if location and isfile(path):  # which says no to a name that no file can have
                    return path
        return None

    def _stand_in(self, namespace: str) -> bytes:
        root = etree.Element(f"{{{XS}}}schema", targetNamespace=namespace)
        for space, kind, name in sorted(self._referred):
            if space == namespace:
                declared = etree.SubElement(root, f"{{{XS}}}{kind}", name=name)
                if kind == "group":
                    etree.SubElement(declared, f"{{{XS}}}sequence")
        return etree.tostring(root)


def _references(root: etree._Element) -> Iterator[tuple[str, str, str]]:
    """Namespace, kind and name of everything that is referred to."""
    for kind in _KINDS:
        for element in root.iter(f"{{{XS}}}{kind}"):
            prefix, colon, name = element.get("ref", "").partition(":")
            if colon:
                yield {"xml": _XML, **element.nsmap}.get(prefix, ""), kind, name


def _file_name(location: str) -> str:
    return unquote(location).rpartition("/")[2]
