"""Outcomes: how they are written, and where two of them part."""

import copy
import json
from typing import Any

import pytest

from engine.outcome import NotAnOutcome, check_shape, digest, dumps, first_difference
from stories import ask, outcome


def result() -> dict[str, Any]:
    return outcome(ask("a", 7, 3), ask("b", 7, 3), ask("c", 70), num_blocks=6)


def test_a_step_is_a_line() -> None:
    lines = dumps(result()).split("\n")
    start = lines.index('"steps": [') + 1
    assert [json.loads(line.rstrip(",")) for line in lines[start:-3]] == result()["steps"]
    assert lines[-3:] == ["]", "}", ""]


def test_the_keys_stand_in_the_order_of_the_records() -> None:
    assert list(json.loads(dumps(result()))) == [
        *("trace", "about", "engine", "vllm_version", "config", "seconds", "status", "requests", "steps")
    ]


def test_a_digest_stands_for_the_bytes() -> None:
    assert digest([result()]) == digest([result()])
    assert digest([result(), result()]) != digest([result()])


def test_equal_outcomes_do_not_part() -> None:
    assert first_difference(result(), {**result(), "engine": "vllm", "seconds": 0.1}) is None


def changed(*path: Any, to: Any) -> dict[str, Any]:
    """The outcome with one value replaced."""
    other = copy.deepcopy(result())
    inner: Any = other
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = to
    return other


@pytest.mark.parametrize(
    ("other", "words"),
    [
        (changed("config", "num_blocks", to=7), "config: num_blocks is 6 in A and 7 in B"),
        (changed("status", to="stalled"), "status is 'done' in A and 'stalled' in B"),
        (
            changed("steps", 0, "scheduled", 1, "num_tokens", to=6),
            "step 0: the row of 'b': num_tokens is 7 in A and 6 in B",
        ),
        (changed("steps", 0, "scheduled", 1, "id", to="x"), "step 0: row 1 is of 'b' in A and of 'x' in B"),
        (changed("steps", 0, "scheduled", to=[]), "step 0: only A has a row of 'a'"),
        (changed("steps", 0, "arrived", to=["b"]), "step 0: arrived is ['a', 'b'] in A and ['b'] in B"),
        (changed("steps", 1, "free_queue", to=[9]), "step 1: free_queue is [5] in A and [9] in B"),
        (
            changed("steps", 1, "prefix", "queries", to=9),
            "step 1: prefix: queries is 0 in A and 9 in B",
        ),
        (changed("steps", 1, "step", to=4), "record 1 is of step 1 in A and of step 4 in B"),
        (changed("steps", 1, "more", to=4), "step 1: more is 4 in B and isn't there in the other"),
        (changed("requests", "a", "preemptions", to=True), "requests: a: preemptions is 0 in A and True in B"),
        (changed("steps", to=result()["steps"][:2]), "A goes on with step 2, where B has ended"),
        (changed("steps", to=[*result()["steps"], {"step": 9}]), "B goes on with step 9, where A has ended"),
    ],
)
def test_the_first_difference_is_said_in_words(other: dict[str, Any], words: str) -> None:
    assert first_difference(result(), other) == words


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ([], "got [], expected an object with steps and requests"),
        ({"requests": {}}, "steps: got nothing, expected an array of steps"),
        ({"steps": [], "requests": []}, "requests: got [], expected an object"),
        ({"steps": [{}], "requests": {}}, "steps[0]: got {}, expected an object with its step"),
        (
            {"steps": [{"step": 0, "scheduled": [1]}], "requests": {}},
            "steps[0].scheduled: got [1], expected rows with ids",
        ),
    ],
)
def test_what_is_no_outcome_is_refused(value: Any, words: str) -> None:
    with pytest.raises(NotAnOutcome) as raised:
        check_shape(value)
    assert str(raised.value) == words
