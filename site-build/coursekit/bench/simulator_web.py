"""How many requests a second the simulator serves in the site's own Python, in a browser."""

from __future__ import annotations

import inspect
import json
from collections.abc import Iterator, Mapping
from statistics import median
from typing import Any

from playwright.sync_api import Page

from coursekit.bench import loads
from coursekit.bench.simulator import azure_lengths, lengths_name
from coursekit.testing.site_python import run_python

NAMES = (loads.MAIN, loads.CACHING)
"""What is measured of `loads.LOADS`."""

_MEASURE = """
import json
real = [Lengths(*pair) for pair in json.loads({lengths!r})]
print(json.dumps(rates({names!r}, {num_requests}, {rounds}, real)))
"""


def measure(page: Page, num_requests: int, rounds: int) -> dict[str, Any]:
    """The best and the median of some rounds, in the Python of an open page. Raises `RuntimeError` if it fails."""
    real = azure_lengths()
    wanted = {"lengths": json.dumps(real), "names": NAMES, "num_requests": num_requests, "rounds": rounds}
    ran = run_python(page, inspect.getsource(loads) + _MEASURE.format(**wanted))
    if ran.outcome != "ok":
        raise RuntimeError(f"the simulator in the browser: {ran.outcome}\n{ran.traceback}")
    rates: dict[str, list[float]] = json.loads(ran.said)
    return {
        "requests": num_requests,
        "rounds": rounds,
        "lengths": lengths_name(real),
        "requests_per_second": {
            name: {"best": round(max(values)), "median": round(median(values))} for name, values in rates.items()
        },
    }


def lines(measured: Mapping[str, Any]) -> Iterator[str]:
    """The same for people."""
    yield (
        f"simulator in the site's Python: {measured['requests']:,} Poisson requests, lengths {measured['lengths']}, "
        f"metrics included; {measured['rounds']} rounds"
    )
    for name, rate in measured["requests_per_second"].items():
        yield f"  {name:34}{rate['median']:>8,} requests a second, at best {rate['best']:,}"
