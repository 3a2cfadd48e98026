"""A check's HTML as content that QTI 2.1 allows: known elements and attributes, and no link back into the site."""

from __future__ import annotations

import xml.etree.ElementTree as ET

NAMESPACE = "http://www.imsglobal.org/xsd/imsqti_v2p1"

BLOCKS = frozenset(
    {"p", "pre", "blockquote", "ol", "ul", "table", "div", "h1", "h2", "h3", "h4", "h5", "h6", "hr"}
)  # fmt: skip
INLINES = frozenset({"a", "b", "i", "br", "code", "em", "strong", "span", "sub", "sup"})
_PARTS = frozenset({"li", "thead", "tbody", "tr", "th", "td"})
KEPT = BLOCKS | INLINES | _PARTS
ATTRIBUTES = {"a": {"href"}, "th": {"scope"}}
"""What an element may keep beside its class."""


def tag(name: str) -> str:
    """A name in QTI's namespace, as ElementTree writes it."""
    return f"{{{NAMESPACE}}}{name}"


def content(html: str) -> list[ET.Element]:
    """Blocks of QTI content for some HTML; loose text becomes a paragraph."""
    root = ET.fromstring(f"<div>{html}</div>")
    blocks: list[ET.Element] = []
    loose: ET.Element | None = None
    if (root.text or "").strip():
        loose = ET.Element(tag("p"))
        loose.text = root.text
    for child in root:
        made = _moved(child)
        if made.tag.rpartition("}")[2] in BLOCKS:
            if loose is not None:
                blocks.append(loose)
                loose = None
            tail, made.tail = made.tail, None
            blocks.append(made)
            if (tail or "").strip():
                loose = ET.Element(tag("p"))
                loose.text = tail
        else:
            loose = ET.Element(tag("p")) if loose is None else loose
            loose.append(made)
    return [*blocks, loose] if loose is not None else blocks


def _moved(element: ET.Element) -> ET.Element:
    """The element in QTI's namespace; what QTI doesn't know becomes a span, a picture its words."""
    name = element.tag
    made = ET.Element(tag(name if name in KEPT else "span"))
    for key, value in element.attrib.items():
        if key == "class" or key in ATTRIBUTES.get(name, ()):
            made.set(key, value)
    if name == "a" and not element.get("href", "").startswith(("http://", "https://")):
        made = ET.Element(tag("span"))
    made.text = element.get("alt") if name == "img" else element.text
    made.tail = element.tail
    made.extend(_moved(child) for child in element)
    return made
