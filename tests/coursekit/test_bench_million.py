"""What a finished request costs in memory when only its outcome is kept, in a process of its own."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

SITE_BUILD = Path(__file__).parents[2] / "site-build"
# Linux counts a process's pages by lots on each processor that it ran on, and hands out huge ones where it is set to.
# On one processor, in small pages, the count is the same on every machine but for one lot.
MEASURE = """
import ctypes, json, os, sys
if sys.platform == "linux":
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    PR_SET_THP_DISABLE = 41
    ctypes.CDLL(None).prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0)
sys.path[:0] = sys.argv[1:3]
from coursekit.bench.million import measure
print(json.dumps(measure(int(sys.argv[3]))))
"""


# With many processors a lot is most of a megabyte: in 100,000 requests that is 8 bytes a request, in as many as these
# under 3.
SAMPLE = 300_000
# A packed outcome alone has 55. A figure far under that would say that the measure is broken.
AT_LEAST, AT_MOST = 45, 64


@pytest.mark.parametrize("num_requests", [SAMPLE, pytest.param(1_000_000, marks=pytest.mark.long)])
def test_a_finished_request_takes_64_bytes_at_most(num_requests: int) -> None:
    asked = [sys.executable, "-c", MEASURE, str(SITE_BUILD.parent), str(SITE_BUILD), str(num_requests)]
    ran = subprocess.run(asked, check=True, capture_output=True, text=True)
    finished, _, _, bytes_a_request = json.loads(ran.stdout)
    assert finished == num_requests
    assert AT_LEAST <= bytes_a_request <= AT_MOST, f"{bytes_a_request:.1f} bytes: a packed outcome alone has 55"
