"""When a figure in prose agrees with a value."""

from __future__ import annotations

from typing import Any

import pytest

from coursekit.stated import ASSERTION, agrees, contradiction


@pytest.mark.parametrize(
    ("stated", "value"),
    [
        ("112", 112),
        ("57,344", 57344),
        ("-3", -3),
        ("−3", -3),
        ("three", 3),
        ("Twelve", 12),
        ("1.75", 1.75),
        ("1.8", 1.75),
        ("7", 7.0),
        ("seven", 7.0),
        ("91%", 90.909),
        ("True", True),
        ("abc", "abc"),
        ("[2, 4]", [2, 4]),
    ],
)
def test_these_agree(stated: str, value: Any) -> None:
    assert agrees(stated, value)


@pytest.mark.parametrize(
    ("stated", "value"),
    [
        ("112", 113),
        ("112.0", 112),
        ("1.74", 1.75),
        ("1", True),
        ("three", 4),
        ("thirteen", 13),
        ("", 0),
        ("abc", "abd"),
        ("one", "one more"),
        ("c", 3),
    ],
)
def test_these_do_not(stated: str, value: Any) -> None:
    assert not agrees(stated, value)


def test_a_contradiction_names_both_and_the_mend() -> None:
    denied = contradiction("17", " internal_waste( 31,\n 16) ", lambda _: 1, "the key")
    assert str(denied) == "the key says 17, the engine says 1; write 1, or mend `internal_waste( 31, 16)`"


@pytest.mark.parametrize(
    ("text", "stated"),
    [("it is 112{= x =}.", "112"), ("**4{= x =}**", "4"), ("(5{= x =})", "5"), ("is {= x =}", "")],
)
def test_an_assertion_takes_the_word_before_it(text: str, stated: str) -> None:
    match = ASSERTION.search(text)
    assert match is not None
    assert match["stated"] == stated
    assert match["expression"].strip() == "x"
