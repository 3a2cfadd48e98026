"""A check's HTML as content that QTI 2.1 allows: known elements and attributes, and no link back into the site."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

NAMESPACE = "http://www.imsglobal.org/xsd/imsqti_v2p1"

BLOCKS = frozenset(
    {"p", "pre", "blockquote", "ol", "ul", "table", "div", "h1", "h2", "h3", "h4", "h5", "h6", "hr"}
)  # fmt: skip
INLINES = frozenset({"a", "b", "i", "br", "code", "em", "strong", "span", "sub", "sup"})
_PARTS = frozenset({"li", "thead", "tbody", "tr", "th", "td"})
KEPT = BLOCKS | INLINES | _PARTS
_SIGN = r"(?:[\w.~:/@!$&'()*+,;=-]|%[0-9A-Fa-f]{2})"
ATTRIBUTES = {
    "a": {"href": rf"(?a:https?://[\w.-]+(:[0-9]+)?(/{_SIGN}*)?(\?({_SIGN}|\?)*)?(#({_SIGN}|\?)*)?)"},
    "th": {"scope": "col|colgroup|row|rowgroup"},
}
"""What an element may keep beside its class, with patterns of the values."""


def tag(name: str) -> str:
    """A name in QTI's namespace, as ElementTree writes it."""
    return f"{{{NAMESPACE}}}{name}"


def content(html: str) -> list[ET.Element]:
    """Blocks of QTI content for some HTML; loose text becomes a paragraph."""
    return _blocks(_moved(ET.fromstring(f"<div>{html}</div>")))


def _blocks(holder: ET.Element) -> list[ET.Element]:
    """What the element holds, as blocks: text and inline elements between them are put into paragraphs."""
    blocks: list[ET.Element] = []
    loose: ET.Element | None = None
    if (holder.text or "").strip():
        loose = ET.Element(tag("p"))
        loose.text = holder.text
    for child in holder:
        if is_block(child):
            if loose is not None:
                blocks.append(loose)
                loose = None
            tail, child.tail = child.tail, None
            blocks.append(child)
            if (tail or "").strip():
                loose = ET.Element(tag("p"))
                loose.text = tail
        else:
            loose = ET.Element(tag("p")) if loose is None else loose
            loose.append(child)
    return [*blocks, loose] if loose is not None else blocks


def is_block(element: ET.Element) -> bool:
    """Whether an element of QTI's stands among blocks, and not in a line."""
    return element.tag.rpartition("}")[2] in BLOCKS


def _moved(element: ET.Element) -> ET.Element:
    """The element in QTI's namespace.

    What QTI doesn't know becomes a span, or a div where it holds blocks; a picture becomes the words for it.
    """
    name, children = element.tag, [_moved(child) for child in element]
    known = name if name in KEPT else "div" if any(map(is_block, children)) else "span"
    kept = {key: value for key, value in element.attrib.items() if key == "class" or _may_keep(known, key, value)}
    if name == "a" and "href" not in kept:
        known = "span"
    made = ET.Element(tag(known), kept)
    made.text = element.get("alt") if name == "img" else element.text
    made.tail = element.tail
    made.extend(children)
    if known == "blockquote":
        blocks = _blocks(made)
        made[:], made.text = blocks, None
    return made


def _may_keep(name: str, key: str, value: str) -> bool:
    pattern = ATTRIBUTES.get(name, {}).get(key)
    return pattern is not None and re.fullmatch(pattern, value) is not None
