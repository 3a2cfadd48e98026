"""Each wrong rule of the list is caught, and the engine as it is passes what catches them."""

import shutil
import subprocess
import sys
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


def caught_by(suite: str, mutation: Mutation | None = None) -> str:
    """What of a suite catches a copy of the engine with this wrong rule in it, or as it is; empty if nothing does."""
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


@pytest.mark.parametrize("suite", SUITES)
def test_the_engine_as_it_is_passes(suite: str) -> None:
    assert caught_by(suite) == ""


@pytest.mark.parametrize("rules", SUITES.values(), ids=SUITES)
def test_the_list_is_long_enough_and_says_each_rule_once(rules: tuple[Mutation, ...]) -> None:
    assert len({mutation.rule for mutation in rules}) == len(rules) >= 25


@pytest.mark.parametrize(
    ("suite", "mutation"),
    [(suite, mutation) for suite, rules in SUITES.items() for mutation in rules],
    ids=[mutation.rule for rules in SUITES.values() for mutation in rules],
)
def test_a_wrong_rule_is_caught(suite: str, mutation: Mutation) -> None:
    by = caught_by(suite, mutation)
    assert by, f"nothing catches this: {mutation.rule}"
    assert "Traceback" not in by, by
