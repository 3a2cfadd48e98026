"""Prompts are hashed unless whoever started the server asked for them: then a recording has them, and says so."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from bridging import Page, bridge, some_requests
from engine.live.agreement import agreement
from engine.trace import Arrived, Trace
from routing import Replica, recorded, replica

UNLIKELY = (10**15, 10**15 + 100_000)
"""Token ids that no other number of a trace is: not a time within the run, and not a length."""


@contextmanager
def recorded_bridge(tmp_path: Path, **facts: Any) -> Iterator[tuple[Page, Replica]]:
    """A bridge to a pretended server whose recorder tells prompts, asked or not."""
    path = tmp_path / "r"
    with (
        replica() as (one, url),
        bridge(url, recorder_path=path, token_ids=UNLIKELY) as page,
        recorded(page, path, one, **facts),
    ):
        yield page, one


def run(page: Page) -> tuple[list[dict[str, Any]], str]:
    """What came of a run: its events, and the trace as text."""
    name = page.begin(some_requests(3, gap=50_000_000))
    events = [value for _, value in page.events(name)]
    assert events[-1]["complete"] is True, events[-1]
    return events, str(page.ask("GET", f"/api/runs/{name}/trace")[1])


def token_ids_in(text: str) -> set[int]:
    """Every number of a text that can be a token id of its prompts."""
    return {int(number) for number in re.findall(r"\d+", text) if UNLIKELY[0] <= int(number) < UNLIKELY[1]}


def test_a_server_that_wasnt_asked_for_prompts_leaves_none_in_any_byte(tmp_path: Path) -> None:
    with recorded_bridge(tmp_path) as (page, _):
        told = page.ask("GET", "/api/backend")[1]
        events, text = run(page)
    assert told["keeps_prompts"] is False
    assert not token_ids_in(text + str(events))
    assert "prompt_token_ids" not in text
    assert "holds_prompts" not in text


def test_a_server_that_was_asked_for_prompts_has_them_all_and_the_header_says_so(tmp_path: Path) -> None:
    with recorded_bridge(tmp_path, keeps_prompts=True) as (page, one):
        told = page.ask("GET", "/api/backend")[1]
        events, text = run(page)
        # The next run is another one, with other tokens.
        other = Trace.from_jsonl(run(page)[1])
    trace = Trace.from_jsonl(text)
    assert told["keeps_prompts"] is True
    assert events[0]["holds_prompts"] is True
    assert trace.header.holds_prompts
    kept = [record.prompt_token_ids for record in trace.of(Arrived)]
    assert kept == [tuple(prompt) for prompt in one.prompts[:3]]
    assert {len(prompt) for prompt in kept} == {8}
    assert token_ids_in(text) == {token for prompt in kept for token in prompt}
    assert agreement(trace).is_complete
    assert not {record.prompt_token_ids for record in other.of(Arrived)} & set(kept)
    assert trace.to_jsonl() == Trace.from_jsonl(trace.to_jsonl()).to_jsonl()
