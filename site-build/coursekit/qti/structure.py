"""Whether an item is built as QTI 2.1 demands: elements, their order, their attributes, the names that they refer to.

The schema's file can't be fetched with the course's other packages, so this states the part of it that the export
uses, from the published information model and compared with the schema of the final release (12 May 2012). An element
that isn't named here is refused.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from dataclasses import dataclass

from coursekit.qti.content import ATTRIBUTES, BLOCKS, INLINES, KEPT, NAMESPACE

_NAME = r"[A-Za-z_][A-Za-z0-9_.-]*"
_COUNT = "[0-9]{1,9}"
_BOOLEAN = "true|false"
_BASE = "identifier|boolean|integer|float|string|pair|directedPair|point|duration|file|uri"
_FLOW = r"(\w+ )*"
_SOME = r"(\w+ )+"
_UNWRITABLE = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What XML can't hold, however it is written."""
_EXPRESSION = "(match|equal|variable|correct|baseValue) "


@dataclass(frozen=True)
class Rule:
    """What an element has: attributes with the pattern of their values (`!` marks needed ones), and its children."""

    attributes: dict[str, str]
    children: str = ""
    """A pattern for the names of the children, each followed by a space."""
    text: bool = False
    within: frozenset[str] = frozenset()
    """If not empty: each child is one of these."""


_CONTENT = BLOCKS | INLINES
_LINE = INLINES | {"textEntryInteraction"}
_HOLD_A_LINE = INLINES | {"p", "pre", "h1", "h2", "h3", "h4", "h5", "h6"}
"""What the schema calls `HTMLText`: text and inline elements, no blocks."""
_HOLD_NO_TEXT = {
    "blockquote": _FLOW,
    "ol": "(li )*",
    "ul": "(li )*",
    "table": "(thead )?(tbody )+",
    "thead": "(tr )+",
    "tbody": "(tr )+",
    "tr": "(t[hd] )+",
    "hr": "",
    "br": "",
}
"""Patterns for the children of those that hold no text of their own."""


def _held(name: str) -> frozenset[str]:
    if name == "blockquote":
        return BLOCKS
    if name in _HOLD_NO_TEXT:
        return frozenset()
    return _LINE if name in _HOLD_A_LINE else BLOCKS | _LINE


_NEEDED = {"href": "href!"}
"""What QTI demands of an element of HTML."""
_INTERACTIONS = frozenset({"choiceInteraction", "orderInteraction"})
RULES = {
    "assessmentItem": Rule(
        {
            "identifier!": _NAME,
            "title!": ".+",
            "adaptive!": _BOOLEAN,
            "timeDependent!": _BOOLEAN,
            "toolName": ".{1,256}",
        },
        "(responseDeclaration )*(outcomeDeclaration )*(itemBody )?(responseProcessing )?(modalFeedback )*",
    ),
    "responseDeclaration": Rule(
        {"identifier!": _NAME, "cardinality!": "single|multiple|ordered|record", "baseType": _BASE},
        "(defaultValue )?(correctResponse )?",
    ),
    "outcomeDeclaration": Rule(
        {"identifier!": _NAME, "cardinality!": "single|multiple|ordered|record", "baseType": _BASE}, "(defaultValue )?"
    ),
    "correctResponse": Rule({}, "(value )+"),
    "defaultValue": Rule({}, "(value )+"),
    "value": Rule({}, text=True),
    "itemBody": Rule({}, _SOME, within=BLOCKS | _INTERACTIONS),
    "choiceInteraction": Rule(
        {"responseIdentifier!": _NAME, "shuffle!": _BOOLEAN, "maxChoices!": _COUNT, "minChoices": _COUNT},
        "(prompt )?(simpleChoice )+",
    ),
    "orderInteraction": Rule({"responseIdentifier!": _NAME, "shuffle!": _BOOLEAN}, "(prompt )?(simpleChoice )+"),
    "simpleChoice": Rule({"identifier!": _NAME, "fixed": _BOOLEAN}, _FLOW, text=True, within=_CONTENT),
    "textEntryInteraction": Rule({"responseIdentifier!": _NAME, "expectedLength": _COUNT}),
    "responseProcessing": Rule({}, "(responseCondition |setOutcomeValue )*"),
    "responseCondition": Rule({}, "responseIf (responseElseIf )*(responseElse )?"),
    "responseIf": Rule({}, f"{_EXPRESSION}(setOutcomeValue )*"),
    "setOutcomeValue": Rule({"identifier!": _NAME}, _EXPRESSION),
    "match": Rule({}, _EXPRESSION * 2),
    "equal": Rule({"toleranceMode!": "exact|absolute|relative", "tolerance": r"\S+( \S+)?"}, _EXPRESSION * 2),
    "variable": Rule({"identifier!": _NAME}),
    "correct": Rule({"identifier!": _NAME}),
    "baseValue": Rule({"baseType!": _BASE}, text=True),
    "modalFeedback": Rule(
        {"outcomeIdentifier!": _NAME, "identifier!": _NAME, "showHide!": "show|hide"}, _FLOW, text=True, within=_CONTENT
    ),
    **{
        name: Rule(
            {"class": ".*", **{_NEEDED.get(key, key): value for key, value in ATTRIBUTES.get(name, {}).items()}},
            _HOLD_NO_TEXT.get(name, _FLOW),
            text=name not in _HOLD_NO_TEXT,
            within=_held(name),
        )
        for name in KEPT
    },
}


def complaints(item: ET.Element) -> list[str]:
    """Everything that is wrong with an item, as `element: what`."""
    return [*_walk(item), *_references(item)]


def _walk(element: ET.Element) -> Iterator[str]:
    name = _local(element)
    rule = RULES.get(name)
    if rule is None or not element.tag.startswith(f"{{{NAMESPACE}}}"):
        yield f"{element.tag}: isn't known"
        return
    yield from _attributes(element, name, rule)
    children = [_local(child) for child in element]
    if not re.fullmatch(rule.children, "".join(f"{child} " for child in children)):
        yield f"{name}: can't hold {', '.join(children) or 'nothing'} in this order"
    for held in children:
        if rule.within and held not in rule.within:
            yield f"{name}: can't hold {held}"
    loose = [element.text, *(child.tail for child in element)]
    if not rule.text and any(text and (text.strip() or not rule.children) for text in loose):
        yield f"{name}: can't hold text"
    if found := _UNWRITABLE.search("".join([*filter(None, loose), *element.attrib.values()])):
        yield f"{name}: XML can't hold the character {found[0]!r}"
    for child in element:
        yield from _walk(child)


def _attributes(element: ET.Element, name: str, rule: Rule) -> Iterator[str]:
    known = {key.rstrip("!"): pattern for key, pattern in rule.attributes.items()}
    for key in (key[:-1] for key in rule.attributes if key.endswith("!")):
        if key not in element.attrib:
            yield f"{name}: has no {key}"
    for key, value in element.attrib.items():
        if key not in known:
            yield f"{name}: can't have {key}"
        elif not re.fullmatch(known[key], value):
            yield f'{name}: {key} is "{value}"'


def _references(item: ET.Element) -> Iterator[str]:
    """A name that is used has been declared once, and a right answer can be given."""
    responses = [one.get("identifier") for one in item if _local(one) == "responseDeclaration"]
    outcomes = [one.get("identifier") for one in item if _local(one) == "outcomeDeclaration"]
    declared = [*responses, *outcomes]
    for twice in sorted({str(name) for name in declared if declared.count(name) > 1}):
        yield f"{twice}: is declared twice"
    for element in item.iter():
        name = _local(element)
        for key, among in (
            ("responseIdentifier", responses),
            ("outcomeIdentifier", outcomes),
            ("identifier", {"variable": declared, "correct": responses, "setOutcomeValue": outcomes}.get(name)),
        ):
            if among is not None and key in element.attrib and element.get(key) not in among:
                yield f"{name}: nothing declares {element.get(key)}"
    choices = [one.get("identifier") for one in item.iter() if _local(one) == "simpleChoice"]
    if len(set(choices)) != len(choices):
        yield "simpleChoice: an identifier stands twice"
    for declaration in item:
        if _local(declaration) == "responseDeclaration" and declaration.get("baseType") == "identifier":
            right = [one.text for one in declaration.iter() if _local(one) == "value"]
            for missing in set(right) - set(choices):
                yield f"correctResponse: no choice is called {missing}"


def _local(element: ET.Element) -> str:
    return str(element.tag).rpartition("}")[2]
