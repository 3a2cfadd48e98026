"""Adds up what several test runners say."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree


@dataclass(frozen=True)
class Counts:
    """How many tests passed, failed and were skipped."""

    passed: int = 0
    failed: int = 0
    skipped: int = 0

    def __add__(self, other: Counts) -> Counts:
        return Counts(self.passed + other.passed, self.failed + other.failed, self.skipped + other.skipped)

    def __str__(self) -> str:
        return f"{self.passed} passed, {self.failed} failed, {self.skipped} skipped"


def read_junit(report: Path) -> Counts:
    """The counts of a JUnit file, as pytest and Node's runner write them. No file is one failure."""
    if not report.is_file():
        return Counts(failed=1)
    total = Counts()
    for case in ElementTree.parse(report).iter("testcase"):
        kinds = {child.tag for child in case}
        if kinds & {"failure", "error"}:
            total += Counts(failed=1)
        elif "skipped" in kinds:
            total += Counts(skipped=1)
        else:
            total += Counts(passed=1)
    return total
