"""Short workloads, and what the engine did with them in a line a step: a test is one equality."""

from typing import Any

from engine.replay import replay_trace

SMALL = {"block_size": 4, "num_blocks": 64, "max_num_seqs": 8, "max_num_batched_tokens": 32, "max_model_len": 64}
"""Settings that leave room for everybody; a test names what it makes scarce."""


def ask(name: str, prompt: int | list[int], max_tokens: int = 2, at: int = 0, **more: Any) -> dict[str, Any]:
    """A request. A prompt given as a number has that many tokens, which no other request has."""
    first = 10_000 * sum(name.encode())
    tokens = list(range(first, first + prompt)) if isinstance(prompt, int) else prompt
    return {"id": name, "arrival_step": at, "prompt_token_ids": tokens, "max_tokens": max_tokens, **more}


def outcome(*requests: dict[str, Any], correct: bool = True, max_steps: int = 200, **config: Any) -> dict[str, Any]:
    """What the engine did."""
    trace = {"name": "story", "config": {**SMALL, **config}, "requests": list(requests), "max_steps": max_steps}
    return replay_trace(trace, correct=correct)


def story(*requests: dict[str, Any], **settings: Any) -> list[str]:
    """What the engine did, a line a step, such as `b new 8+4, a 1 / -c` for a row of b with 8 tokens hit and 4
    computed, one token of a, and c preempted."""
    return [line(step) for step in outcome(*requests, **settings)["steps"]]


def line(step: dict[str, Any]) -> str:
    """One step in words."""
    rows = ", ".join(_row(row) for row in step.get("scheduled", []))
    losers = "".join(f" -{name}" for name in step.get("preempted", []))
    return rows + (f" /{losers}" if losers else "")


def _row(row: dict[str, Any]) -> str:
    count = str(row["num_tokens"])
    if row.get("hit_tokens"):
        count = f"{row['hit_tokens']}+{count}"
    return f"{row['id']} {count}" if row["kind"] == "running" else f"{row['id']} {row['kind']} {count}"
