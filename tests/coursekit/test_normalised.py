"""Short answers are compared alike in the course kit and in the page: the cases are shared."""

from __future__ import annotations

import json

import pytest

from coursekit.checks.kinds.text import normalised
from coursekit.project import here

CASES = json.loads((here().root / "tests/browser/unit/normalise-cases.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize(("written", "compared"), CASES)
def test_words_are_compared_as_in_the_page(written: str, compared: str) -> None:
    assert normalised(written) == compared
