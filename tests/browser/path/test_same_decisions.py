"""The site's Python decides, says and draws what the Python here does, to the byte."""

from __future__ import annotations

import gzip
import hashlib
import inspect
import json
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from coursekit.testing.site_python import run_python
from engine.outcome import digest
from engine.replay import replay_trace
from tests.browser.driving import PROJECT
from tests.browser.path import drawn, simulated

RECORDS = PROJECT.root / "tests" / "engine" / "parity" / "records.jsonl.gz"
REPLAY = """
import json
from engine.outcome import digest
from engine.replay import replay_trace
print(digest(map(replay_trace, json.loads({traces!r}))))
"""
DRAW = """
import hashlib
print(hashlib.sha256(everything().encode()).hexdigest())
"""


@pytest.fixture(scope="module")
def page(chromium: Browser, site: str) -> Iterator[Page]:
    """The home page, whose Python isn't started yet."""
    context = chromium.new_context(base_url=site)
    page = context.new_page()
    page.goto("")
    yield page
    context.close()


def recorded_traces() -> list[dict[str, Any]]:
    """The workloads that vLLM's scheduler was recorded on."""
    with gzip.open(RECORDS, "rt", encoding="utf-8") as lines:
        return [json.loads(line)["trace"] for line in lines]


def test_all_recorded_traces_are_decided_alike(page: Page) -> None:
    traces = recorded_traces()
    assert len(traces) == 50
    there = run_python(page, REPLAY.format(traces=json.dumps(traces)))
    assert there == (digest(map(replay_trace, traces)) + "\n", "ok", "")


def test_views_words_and_draws_are_the_same_bytes(page: Page) -> None:
    there = run_python(page, inspect.getsource(drawn) + DRAW)
    text = drawn.everything()
    assert len(text) > 1_000_000
    assert there == (hashlib.sha256(text.encode()).hexdigest() + "\n", "ok", "")


def test_simulated_runs_have_the_same_records_and_reports(page: Page) -> None:
    there = run_python(page, inspect.getsource(simulated) + DRAW)
    text = simulated.everything()
    assert "preempted=('" in text
    assert len(text) > 1_000_000
    assert there == (hashlib.sha256(text.encode()).hexdigest() + "\n", "ok", "")
