"""What a finished request costs in memory when only its outcome is kept, in a process of its own."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

SITE_BUILD = Path(__file__).parents[2] / "site-build"
MEASURE = """
import json, sys
sys.path[:0] = sys.argv[1:3]
from coursekit.bench.million import measure
print(json.dumps(measure(int(sys.argv[3]))))
"""


@pytest.mark.parametrize("num_requests", [100_000, pytest.param(1_000_000, marks=pytest.mark.long)])
def test_a_finished_request_takes_64_bytes_at_most(num_requests: int) -> None:
    asked = [sys.executable, "-c", MEASURE, str(SITE_BUILD.parent), str(SITE_BUILD), str(num_requests)]
    ran = subprocess.run(asked, check=True, capture_output=True, text=True)
    finished, _, _, bytes_a_request = json.loads(ran.stdout)
    assert finished == num_requests
    assert 50 <= bytes_a_request <= 64, f"{bytes_a_request:.1f} bytes: a packed outcome alone has 55"
