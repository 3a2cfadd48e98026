"""The panel's sentences are those of `engine.views.why`, and each names the line that `coursekit.rules` found."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

from coursekit.rules import rules_json
from engine.request import Request
from engine.settings import Settings
from engine.simulate import simulate
from engine.trace import Step, Trace
from engine.views.why import why_words
from tests.browser.driving import PROJECT
from tests.browser.player.views_oracle import tell
from tests.browser.player.views_traces import trace

RULES = json.loads(rules_json(PROJECT.engine))


def explained() -> Trace:
    """A run with preemptions, hits, full steps and ends, and the reasons for them."""
    settings = Settings(
        num_blocks=9, max_model_len=64, block_size=4, max_num_seqs=3, max_num_batched_tokens=12, startup_rule=False
    )
    prompts = [[*range(1, 9), *range(100 * k, 100 * k + 3)] for k in range(1, 6)]
    requests = [Request(f"r{k}", prompt, 8, arrival_time=k) for k, prompt in enumerate(prompts)]
    return simulate(settings, requests, record_why=True)


def test_every_reason_in_the_engines_own_words(tmp_path: Path) -> None:
    told = tell(tmp_path, "why", explained(), RULES)
    steps = explained().steps()
    assert [[one["text"] for one in mine["told"]] for mine in told] == [why_words(step) for step in steps]
    rules = {reason.rule for step in steps for reason in step.why}
    assert len(rules) >= 6, rules


def test_every_reason_names_its_line(tmp_path: Path) -> None:
    for mine, step in zip(tell(tmp_path, "why", explained(), RULES), explained().steps(), strict=True):
        for one, reason in zip(mine["told"], step.why, strict=True):
            rule = RULES[reason.rule]
            assert one["place"] == f"{rule['module']}, line {rule['line']}"
            assert one["url"] == rule["url"]
        rows = [[one["id"], one["text"], one["place"]] for one in mine["told"]]
        assert mine["words"]["tables"] == [] if not rows else mine["words"]["tables"][0]["rows"] == rows


def test_a_rule_that_the_player_does_not_know_still_has_its_facts(tmp_path: Path) -> None:
    first = explained().steps()[0]
    known = tell(tmp_path, "why", explained(), {})[0]["told"][0]
    reason = first.why[0]
    assert known["text"].startswith(f"{reason.id}: {reason.rule.replace('_', ' ')}")
    assert known["place"] == ""


def test_without_reasons_it_says_how_to_record_them(tmp_path: Path) -> None:
    told = tell(tmp_path, "why", trace("tight"), RULES)
    assert all("record_why=True" in mine["words"]["sentence"] for mine in told)
    whole = explained()
    silent = replace(whole, records=tuple(r._replace(why=()) if isinstance(r, Step) else r for r in whole.records))
    assert {mine["words"]["sentence"] for mine in tell(tmp_path, "why", silent, RULES)} == {
        told[0]["words"]["sentence"]
    }
