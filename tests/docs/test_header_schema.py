"""The published schema of a check's header is what the kinds read; the course's own headers meet it."""

from __future__ import annotations

import json
import os

import jsonschema
import pytest

from coursekit.checks.header import split_header
from coursekit.checks.schema import header_schema
from coursekit.project import here
from coursekit.source import read_page

PUBLISHED = here().docs / "instructors" / "check-header.schema.json"


def test_the_published_schema_is_up_to_date() -> None:
    """`WRITE_FIXTURES=1` writes it anew."""
    text = json.dumps(header_schema(), indent=2) + "\n"
    if os.environ.get("WRITE_FIXTURES"):
        PUBLISHED.write_text(text, encoding="utf-8")
    assert PUBLISHED.read_text(encoding="utf-8") == text


def test_every_header_of_the_course_meets_it() -> None:
    checker = jsonschema.Draft202012Validator(header_schema())
    fences = [f for path in here().docs.rglob("*.md") for f in read_page(path).fences if f.kind == "check"]
    assert len(fences) > 10
    for fence in fences:
        header, _, _ = split_header(fence.body)
        checker.validate({key: entry.text for key, entry in header.entries.items()})


@pytest.mark.parametrize(
    "header",
    [{}, {"id": "Two Words"}, {"id": "a", "unit": "s"}, {"id": "a", "kind": "riddle"}, {"id": "a", "shuffle": "maybe"}],
)
def test_a_wrong_header_does_not(header: dict[str, str]) -> None:
    assert not jsonschema.Draft202012Validator(header_schema()).is_valid(header)
