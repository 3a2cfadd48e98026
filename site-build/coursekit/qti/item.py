"""One check as an assessment item."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Callable, Mapping
from typing import Any

from coursekit.checks.block import Block
from coursekit.qti.content import content, tag

Facts = Mapping[str, Any]
TOOL = "inside-the-batch coursekit"


def item(block: Block) -> ET.Element | None:
    """The item of a check, or None where its kind has no counterpart."""
    make = _KINDS.get(block.facts.get("kind", ""))
    if make is None:
        return None
    root = ET.Element(
        tag("assessmentItem"),
        identifier=identifier(block.id),
        title=block.title,
        adaptive="false",
        timeDependent="false",
        toolName=TOOL,
    )
    make(root, block.facts)
    return root


def identifier(name: str) -> str:
    """An id as QTI takes it: it may not begin with a digit, which ours never do."""
    return f"check-{name}"


def text_of(element: ET.Element) -> str:
    """The element as a document."""
    ET.register_namespace("", element.tag[1:].partition("}")[0])
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(element, encoding="unicode") + "\n"


def _choice(root: ET.Element, facts: Facts) -> None:
    _choices(root, facts, cardinality="single")


def _multi(root: ET.Element, facts: Facts) -> None:
    _choices(root, facts, cardinality="multiple")


def _choices(root: ET.Element, facts: Facts, cardinality: str) -> None:
    options = facts["options"]
    single = cardinality == "single"
    _response(root, cardinality, "identifier", [one["value"] for one in options if one["correct"]])
    _outcomes(root, feedback=single)
    body = _body(root, facts)
    shuffle = "true" if facts["shuffle"] else "false"
    choices = _add(
        body, "choiceInteraction", responseIdentifier="RESPONSE", shuffle=shuffle, maxChoices="1" if single else "0"
    )
    for one in options:
        _add(choices, "simpleChoice", identifier=one["value"]).text = one["text"]
    processing = _add(root, "responseProcessing")
    _score_where(processing, _matches())
    if single:
        # Each option's feedback is shown under the option's own name.
        _add(_add(processing, "setOutcomeValue", identifier="FEEDBACK"), "variable", identifier="RESPONSE")
        for one in options:
            said = _add(root, "modalFeedback", outcomeIdentifier="FEEDBACK", identifier=one["value"], showHide="show")
            _add(said, "p").text = one["feedback"]


def _number(root: ET.Element, facts: Facts) -> None:
    _response(root, "single", "float", [facts["value"]])
    _outcomes(root, feedback=False)
    line = _add(_body(root, facts), "p")
    field = _add(line, "textEntryInteraction", responseIdentifier="RESPONSE", expectedLength="12")
    field.tail = f" {facts['unit']}" if facts["unit"] else None
    tolerance = f"{facts['tolerance']:g}"
    equal = ET.Element(tag("equal"), toleranceMode="absolute", tolerance=f"{tolerance} {tolerance}")
    _add(equal, "variable", identifier="RESPONSE")
    _add(equal, "correct", identifier="RESPONSE")
    _score_where(_add(root, "responseProcessing"), equal)


def _order(root: ET.Element, facts: Facts) -> None:
    names = [f"item-{number}" for number in range(len(facts["items"]))]
    _response(root, "ordered", "identifier", names)
    _outcomes(root, feedback=False)
    interaction = _add(_body(root, facts), "orderInteraction", responseIdentifier="RESPONSE", shuffle="true")
    for name, text in zip(names, facts["items"], strict=True):
        _add(interaction, "simpleChoice", identifier=name).text = text
    _score_where(_add(root, "responseProcessing"), _matches())


_KINDS: dict[str, Callable[[ET.Element, Facts], None]] = {
    "choice": _choice,
    "multi": _multi,
    "number": _number,
    "order": _order,
}
KINDS = tuple(_KINDS)


def _add(parent: ET.Element, name: str, **attributes: str) -> ET.Element:
    return ET.SubElement(parent, tag(name), attributes)


def _response(root: ET.Element, cardinality: str, base_type: str, right: list[str]) -> None:
    declared = _add(root, "responseDeclaration", identifier="RESPONSE", cardinality=cardinality, baseType=base_type)
    correct = _add(declared, "correctResponse")
    for value in right:
        _add(correct, "value").text = value


def _outcomes(root: ET.Element, *, feedback: bool) -> None:
    score = _add(root, "outcomeDeclaration", identifier="SCORE", cardinality="single", baseType="float")
    _add(_add(score, "defaultValue"), "value").text = "0"
    if feedback:
        _add(root, "outcomeDeclaration", identifier="FEEDBACK", cardinality="single", baseType="identifier")


def _body(root: ET.Element, facts: Facts) -> ET.Element:
    body = _add(root, "itemBody")
    body.extend(content(facts["question_html"]))
    return body


def _matches() -> ET.Element:
    match = ET.Element(tag("match"))
    _add(match, "variable", identifier="RESPONSE")
    _add(match, "correct", identifier="RESPONSE")
    return match


def _score_where(processing: ET.Element, condition: ET.Element) -> None:
    where = _add(_add(processing, "responseCondition"), "responseIf")
    where.append(condition)
    _add(_add(where, "setOutcomeValue", identifier="SCORE"), "baseValue", baseType="float").text = "1"
