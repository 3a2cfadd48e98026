"""What instructors read about checks, figures and snippets is shown live, and complete."""

from __future__ import annotations

import re

import pytest

from coursekit.checks.keys import COMMON
from coursekit.checks.kinds import KINDS
from coursekit.project import here
from coursekit.source import read_page

PAGES = ("index", "checks")
SHOWN = re.compile(r"^````md\n(?P<source>```.*?^```\n)````\n", re.MULTILINE | re.DOTALL)


def text(name: str) -> str:
    return (here().docs / "instructors" / f"{name}.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", PAGES)
def test_every_example_with_an_example_id_stands_below_its_source(name: str) -> None:
    sources = [match["source"] for match in SHOWN.finditer(text(name))]
    live = [source for source in sources if "id: which-waits" not in source]
    assert live
    for source in live:
        assert f"````md\n{source}````\n\n{source}" in text(name)


def test_every_kind_has_a_section_and_a_live_example() -> None:
    page = read_page(here().docs / "instructors" / "checks.md")
    assert {heading.id for heading in page.headings} >= set(KINDS)
    live = " ".join(fence.body for fence in page.fences)
    for kind in KINDS:
        assert f"id: example-{kind}\nkind: {kind}\n" in live


def test_every_header_key_is_explained() -> None:
    keys = frozenset(COMMON).union(*(kind.keys for kind in KINDS.values()))
    for key in keys:
        assert f"\n| `{key}` |" in text("checks")
