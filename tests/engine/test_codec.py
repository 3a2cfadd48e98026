"""Any record goes to JSON and back, and what isn't a record is refused where it is wrong."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.codec import FieldError, decode_object, encode_object
from engine.trace import EVENTS, Header, Reason, Row, Step

scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()
facts = st.dictionaries(st.text(), scalars, max_size=3)
st.register_type_strategy(Row, st.builds(Row))
st.register_type_strategy(Reason, st.builds(Reason, facts=facts))
records = st.sampled_from(list(EVENTS.values())).flatmap(st.builds)
headers = st.builds(Header, settings=facts)


@given(records | headers)
def test_a_record_comes_back_from_its_json(record: Any) -> None:
    written = json.dumps(encode_object(record))
    back = decode_object(type(record), json.loads(written))
    assert back == record
    assert json.dumps(encode_object(back)) == written


def test_defaults_are_left_out_in_a_record_and_at_the_end_of_a_row() -> None:
    step = Step(3, 3, rows=(Row("a", 1, 7), Row("b", 4, 0, "new", (5, 6)), Row("c", 1, 0, "running", (), (2,))))
    assert encode_object(step) == {
        "step": 3,
        "at": 3,
        "rows": [["a", 1, 7], ["b", 4, 0, "new", [5, 6]], ["c", 1, 0, "running", [], [2]]],
    }


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ({"at": 0}, "step: got nothing, expected a value for this field"),
        ({"step": 0, "at": 0, "spin": 1}, "spin: got 1, expected none but the fields step, at, duration, "),
        ({"step": True, "at": 0}, "step: got True, expected a whole number"),
        ({"step": 1.0, "at": 0}, "step: got 1.0, expected a whole number"),
        ({"step": 0, "at": 0, "rows": {}}, "rows: got {}, expected an array"),
        (
            {"step": 0, "at": 0, "rows": [["a", 1, 0], ["b", 1]]},
            "rows[1]: got ['b', 1], expected an array of 3 to 6",
        ),
        (
            {"step": 0, "at": 0, "rows": [["a", 1, 0, "old"]]},
            "rows[0].kind: got 'old', expected one of running, new",
        ),
        (
            {"step": 0, "at": 0, "rows": [["a", 1, 0, "new", [4, "x"]]]},
            "rows[0].new_blocks[1]: got 'x', expected a",
        ),
        (
            {"step": 0, "at": 0, "why": [["tail", "a", {"by": []}]]},
            "why[0].facts.by: got [], expected a number, a",
        ),
        ({"step": 0, "at": 0, "why": [["tail", "a", 3]]}, "why[0].facts: got 3, expected an object"),
        ({"step": 0, "at": "x" * 99}, "at: got '" + "x" * 58 + "…, expected a whole number"),
    ],
)
def test_a_wrong_value_is_refused_with_its_field(value: dict[str, Any], words: str) -> None:
    with pytest.raises(FieldError) as caught:
        decode_object(Step, value)
    assert str(caught.value).startswith(words)


def test_null_stands_only_where_it_may() -> None:
    assert decode_object(EVENTS["first_token"], {"at": 0, "id": "a", "step": None}).step is None
    with pytest.raises(FieldError, match=r"id: got None, expected a text"):
        decode_object(EVENTS["first_token"], {"at": 0, "id": None})
