"""Outcomes: what an engine did with a workload, step by step, in the shape that replays compare."""

import json
from collections.abc import Mapping
from typing import Any, Final

PARTS_OF_THEIR_OWN: Final = ("steps", "requests")


def dumps(outcome: Mapping[str, Any]) -> str:
    """`outcome` as JSON with one step and one request a line: easy to read and to compare."""
    head = "".join(
        f"{json.dumps(key)}: {json.dumps(value)},\n"
        for key, value in outcome.items()
        if key not in PARTS_OF_THEIR_OWN
    )
    requests = ",\n".join(
        f"  {json.dumps(key)}: {json.dumps(value)}" for key, value in outcome["requests"].items()
    )
    steps = ",\n".join("  " + json.dumps(step) for step in outcome["steps"])
    return f'{{\n{head}"requests": {{\n{requests}\n}},\n"steps": [\n{steps}\n]\n}}\n'
