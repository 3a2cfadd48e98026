"""Each wrong rule of the list is caught, and the engine as it is passes what catches them."""

import os
import shutil
import subprocess
import sys
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from mutations import MUTATIONS, Mutation
from simulator_mutations import SIMULATOR_MUTATIONS

HERE = Path(__file__).parent
ENGINE = HERE.parents[1] / "engine"
LIMIT_SECONDS = 900
"""Far more than `kill.py` grants itself: a machine may be busy."""

SUITES = {"scheduler": MUTATIONS, "simulator": SIMULATOR_MUTATIONS}
Case = tuple[str, Mutation | None]
"""The suite that must catch it, and the wrong rule; or None for the engine as it is."""


def caught_by(suite: str, mutation: Mutation | None) -> str:
    """What catches a copy of the engine with this wrong rule in it; empty if nothing does."""
    with TemporaryDirectory() as folder:
        copy = Path(folder) / "engine"
        shutil.copytree(ENGINE, copy, ignore=shutil.ignore_patterns("__pycache__"))
        if mutation is not None:
            path = copy / mutation.file
            text = path.read_text(encoding="utf-8")
            times = text.count(mutation.old)
            if times != 1:
                raise ValueError(f"{mutation.rule}: its old text stands {times} times in {mutation.file}, not once")
            path.write_text(text.replace(mutation.old, mutation.new), encoding="utf-8")
        command = [sys.executable, str(HERE / "kill.py"), folder, suite]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT_SECONDS, check=False)
        except subprocess.TimeoutExpired:
            return "the limit on time: it never comes to an end"
    if done.returncode < 0:
        return "the limit on processor time: it never comes to an end"
    return done.stdout.strip() if done.returncode == 1 else done.stderr


@cache
def pool() -> dict[Case, Future[str]]:
    """All of them at once, one process each, as many at a time as there are cores."""
    workers = ThreadPoolExecutor(max_workers=os.cpu_count())
    cases: list[Case] = [(suite, mutation) for suite, rules in SUITES.items() for mutation in (None, *rules)]
    return {case: workers.submit(caught_by, *case) for case in cases}


@pytest.mark.parametrize("suite", SUITES)
def test_the_engine_as_it_is_passes(suite: str) -> None:
    assert pool()[suite, None].result() == ""


@pytest.mark.parametrize("rules", SUITES.values(), ids=SUITES)
def test_the_list_is_long_enough_and_says_each_rule_once(rules: tuple[Mutation, ...]) -> None:
    assert len({mutation.rule for mutation in rules}) == len(rules) >= 25


@pytest.mark.parametrize(
    ("suite", "mutation"),
    [(suite, mutation) for suite, rules in SUITES.items() for mutation in rules],
    ids=[mutation.rule for rules in SUITES.values() for mutation in rules],
)
def test_a_wrong_rule_is_caught(suite: str, mutation: Mutation) -> None:
    by = pool()[suite, mutation].result()
    assert by, f"nothing catches this: {mutation.rule}"
    assert "Traceback" not in by, by
