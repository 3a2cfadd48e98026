"""The workload of a replay: what a file may hold, and where a wrong value stands."""

from typing import Any

import pytest

from engine.codec import FieldError
from engine.replay_format import DEFAULT_CONFIG, Spec, output_token, workload_from_json

ONE = {"id": "a", "prompt_token_ids": [1, 2]}


def trace(request: Any = ONE, **more: Any) -> dict[str, Any]:
    return {"name": "t", "requests": [{"id": "first", "prompt_token_ids": [1]}, request], **more}


def test_what_is_left_out_has_the_defaults_of_the_records() -> None:
    workload = workload_from_json(trace(config={"watermark": 0}))
    assert workload.config == {**DEFAULT_CONFIG, "watermark": 0}
    assert (workload.about, workload.max_steps) == ("", 5000)
    assert workload.specs[1] == Spec("a", (1, 2), 0, None, 0, None, None, None, None, None)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ([], "value: got [], expected an object with name, config and requests"),
        ({"requests": []}, "name: got nothing, expected a text"),
        ({"name": "t"}, "requests: got nothing, expected an array of requests"),
        (trace(extra=1), "extra: got 1, expected none but the keys name, about, config, requests, max_steps"),
        (trace(max_steps=-1), "max_steps: got -1, expected a whole number of 0 or more"),
        (trace(max_steps=True), "max_steps: got True, expected a whole number"),
        (trace(config={"zzz": 1}), "config.zzz: got 1, expected none but the keys block_size"),
        (trace(config={"keep_stale_hashes": True}), "config.keep_stale_hashes: got True, expected none but the keys"),
        (trace(config={"block_size": 0}), "config.block_size: got 0, expected a whole number of 1 or more"),
        (
            trace(config={"max_num_seqs": 200}),
            "config.max_num_batched_tokens: got 128, expected settings that go together: max_num_batched_tokens is 128",
        ),
        (trace("a"), "requests[1]: got 'a', expected an object"),
        (trace({"id": "a"}), "requests[1].prompt_token_ids: got nothing, expected a value for this field"),
        (trace({**ONE, "promt": 1}), "requests[1].promt: got 1, expected none but the fields id, prompt_token_ids"),
        (trace({**ONE, "max_tokens": 0}), "requests[1].max_tokens: got 0, expected a whole number of 1 or more"),
        (trace({**ONE, "max_tokens": "5"}), "requests[1].max_tokens: got '5', expected a whole number"),
        (trace({**ONE, "arrival_step": -1}), "requests[1].arrival_step: got -1, expected a whole number of 0 or more"),
        (trace({**ONE, "abort_step": 1.5}), "requests[1].abort_step: got 1.5, expected a whole number"),
        (trace({**ONE, "prompt_token_ids": [1, "2"]}), "requests[1].prompt_token_ids[1]: got '2', expected a whole"),
        (
            trace({**ONE, "output_token_ids": [2**63]}),
            "requests[1].output_token_ids[0]: got 9223372036854775808, expected a token id of at most 64 bits",
        ),
        (trace({**ONE, "id": "first"}), "requests[1].id: got 'first', expected an id of its own (requests[0] has"),
    ],
)
def test_a_wrong_value_is_refused_with_its_place(given: Any, message: str) -> None:
    with pytest.raises(FieldError) as raised:
        workload_from_json(given)
    assert str(raised.value).startswith(message)


def test_tokens_that_are_not_given_are_made_up() -> None:
    spec = Spec("a", (1,), output_token_ids=(7, 8))
    assert [output_token(3, spec, count) for count in range(4)] == [7, 8, 1_003_002, 1_003_003]
    assert output_token(2, Spec("b", (1,)), 0) == 1_002_000
