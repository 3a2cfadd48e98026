"""One seed gives one workload and one report, whatever the machine and the Python."""

import subprocess
from pathlib import Path

import pytest

from test_parity import interpreters
from workload_digest import digest

ROOT = Path(__file__).parents[2]

DIGEST = "94ad2bb86e1869814b384f13c5ed159720469de9554e5e53cf57acbecae92172"
"""Pyodide 314 gives the same."""


def test_the_digest_of_draws_and_metrics_stands() -> None:
    assert digest() == DIGEST


@pytest.mark.parametrize(("version", "python"), interpreters().items())
def test_every_python_draws_and_measures_the_same(version: str, python: str) -> None:
    program = str(Path(__file__).with_name("workload_digest.py"))
    asked = subprocess.run(
        [python, "-S", program], cwd=ROOT, env={"PYTHONPATH": str(ROOT)}, check=True, capture_output=True, text=True
    )
    assert asked.stdout.strip() == DIGEST, version
