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

HERE = Path(__file__).parent
ENGINE = HERE.parents[1] / "engine"
LIMIT_SECONDS = 300
"""A wrong rule may also never come to an end."""


def caught_by(mutation: Mutation | None) -> str:
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
        command = [sys.executable, str(HERE / "kill.py"), folder]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT_SECONDS, check=False)
        except subprocess.TimeoutExpired:
            return "the limit on time: it never comes to an end"
    return done.stdout.strip() if done.returncode == 1 else done.stderr


@cache
def pool() -> dict[Mutation | None, Future[str]]:
    """All of them at once, one process each, as many at a time as there are cores."""
    workers = ThreadPoolExecutor(max_workers=os.cpu_count())
    return {mutation: workers.submit(caught_by, mutation) for mutation in (None, *MUTATIONS)}


def test_the_engine_as_it_is_passes() -> None:
    assert pool()[None].result() == ""


def test_the_list_is_long_enough_and_says_each_rule_once() -> None:
    assert len({mutation.rule for mutation in MUTATIONS}) == len(MUTATIONS) >= 20


@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda mutation: mutation.rule)
def test_a_wrong_rule_is_caught(mutation: Mutation) -> None:
    by = pool()[mutation].result()
    assert by, f"nothing catches this: {mutation.rule}"
    assert "Traceback" not in by, by
