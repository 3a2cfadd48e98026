"""Checks and pauses: every fixture compiles to just this HTML, or is refused for just these reasons."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from markdown_it.utils import read_fixture_file

from coursekit.checks.compile import Block, compile_check, compile_pause
from coursekit.checks.kinds import KINDS
from coursekit.evaluate import shared

FIXTURES = Path(__file__).with_name("fixtures")
Case = tuple[str, int, str, str, str]


def cases() -> list[Case]:
    """File, line, title, source and expectation of every fixture."""
    found: list[Case] = []
    for path in sorted(FIXTURES.glob("*.md")):
        if os.environ.get("WRITE_FIXTURES"):
            rewrite(path)
        found += [(path.stem, line, title, source, want) for line, title, source, want in read_fixture_file(path)]
    return found


def compiled(kind: str, source: str) -> str:
    """What a reader of the fixture sees: the faults, one a line, or the HTML."""
    compiler = compile_pause if kind == "pause" else compile_check
    block: Block = compiler(source, shared().value)
    faults = [f"{fault.spot.line}:{fault.spot.column}: {fault}" for fault in block.faults]
    return "\n".join(faults or [block.html]) + "\n"


def rewrite(path: Path) -> None:
    """Write what the compiler gives now into a fixture file, to be read by a person."""
    parts = []
    for _, title, source, _ in read_fixture_file(path):
        parts.append(f"{title}\n.\n{source}.\n{compiled(path.stem, source)}.\n")
    path.write_text("\n".join(parts), encoding="utf-8")


@pytest.mark.parametrize("case", cases(), ids=lambda case: f"{case[0]}-{case[2]}".replace(" ", "-"))
def test_fixture(case: Case) -> None:
    kind, _, _, source, expected = case
    assert compiled(kind, source) == expected


def test_every_kind_has_fixtures() -> None:
    assert {path.stem for path in FIXTURES.glob("*.md")} >= set(KINDS)
