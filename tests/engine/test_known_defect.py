"""vLLM 0.32.0's known defect: what it does wrong, and that the engine doesn't unless it is asked to."""

from typing import Any

from stories import ask, outcome

LOW = ask("low", 31, 1, priority=9)
HIGH = ask("high", 4, 3, at=1, priority=0)
SETTINGS: dict[str, Any] = {
    "num_blocks": 9,
    "max_model_len": 32,
    "max_num_batched_tokens": 12,
    "policy": "priority",
    "long_prefill_token_threshold": 8,
}


def computed_and_claimed(*, correct: bool) -> tuple[int, int]:
    """How many tokens of `low` were ever computed before it came back, and how many it then claimed to have."""
    steps = outcome(LOW, HIGH, correct=correct, **SETTINGS)["steps"]
    rows = [row for step in steps for row in step["scheduled"] if row["id"] == "low"]
    resumed = next(row for row in rows if row["kind"] == "resumed")
    before = [row for row in rows if row is not resumed]
    return sum(row["num_tokens"] for row in before), resumed["num_computed_before"]


def test_with_the_defect_a_request_skips_tokens_that_nobody_computed() -> None:
    computed, claimed = computed_and_claimed(correct=False)
    assert (computed, claimed) == (20, 24)


def test_the_engine_takes_the_hashes_back_with_the_chunk() -> None:
    computed, claimed = computed_and_claimed(correct=True)
    assert (computed, claimed) == (20, 20)
