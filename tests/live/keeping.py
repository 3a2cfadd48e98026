"""What must be there after a fault: a trace that can be read, and an end that says why."""

from typing import Any

from bridging import Page
from engine.trace import Trace


def kept(page: Page, run: str) -> Trace:
    """The trace of a run as far as it came, which must be one that can be read."""
    status, text, _ = page.ask("GET", f"/api/runs/{run}/trace")
    assert status == 200, text
    return Trace.from_jsonl(text)


def broken(events: list[tuple[int, dict[str, Any]]], why: str) -> None:
    """The run ended, and says that it isn't complete, and why."""
    end = events[-1][1]
    assert (end["event"], end["complete"]) == ("end", False)
    assert why in end["why"]
