"""How many requests a second the simulator serves in the site's own Python, in a browser.

Python has no clock of processor time there, and a busy machine makes all others tell its load. So the browser is
asked what its page processes took, which includes the compiling of WebAssembly; making the workload is taken off.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from playwright.sync_api import Browser, Page

from coursekit.bench import loads
from coursekit.bench.simulator import azure_lengths, lengths_name
from coursekit.testing.site_python import run_python
from engine.workload import Lengths

NAMES = (loads.MAIN, loads.CACHING)
"""What is measured of `loads.LOADS`."""

_MEASURE = """
import json
real = [Lengths(*pair) for pair in json.loads({lengths!r})]
print(json.dumps(rates({names!r}, {num_requests}, {rounds}, real)))
"""


def measure(browser: Browser, page: Page, num_requests: int, rounds: int) -> dict[str, Any]:
    """By processor time over all rounds, and by the clock in the best one, in the Python of an open page.

    Raises `RuntimeError` if it fails.
    """
    real = azure_lengths()
    found = {}
    for name in NAMES:
        _run(page, name, num_requests, 1, real)
        without, _ = _cost(browser, page, name, num_requests, 0, real)
        seconds, rates = _cost(browser, page, name, num_requests, rounds, real)
        spent = max(seconds - without, 0.01)
        found[name] = {"of_processor": round(num_requests * rounds / spent), "best_by_clock": round(max(rates))}
    return {
        "requests": num_requests,
        "rounds": rounds,
        "lengths": lengths_name(real),
        "requests_per_second": found,
    }


def _cost(
    browser: Browser, page: Page, name: str, num_requests: int, rounds: int, real: Sequence[Lengths]
) -> tuple[float, list[float]]:
    """Seconds of processor time, and the rates that the page's own clock gave."""
    started = _processor_seconds(browser)
    rates = _run(page, name, num_requests, rounds, real)
    return _processor_seconds(browser) - started, rates


def _processor_seconds(browser: Browser) -> float:
    session = browser.new_browser_cdp_session()
    processes = session.send("SystemInfo.getProcessInfo")["processInfo"]
    session.detach()
    return float(sum(process["cpuTime"] for process in processes if process["type"] == "renderer"))


def _run(page: Page, name: str, num_requests: int, rounds: int, real: Sequence[Lengths]) -> list[float]:
    wanted = {"lengths": json.dumps(real), "names": [name], "num_requests": num_requests, "rounds": rounds}
    ran = run_python(page, inspect.getsource(loads) + _MEASURE.format(**wanted))
    if ran.outcome != "ok":
        raise RuntimeError(f"the simulator in the browser: {ran.outcome}\n{ran.traceback}")
    rates: dict[str, list[float]] = json.loads(ran.said)
    return rates[name]


def lines(measured: Mapping[str, Any]) -> Iterator[str]:
    """The same for people."""
    yield (
        f"simulator in the site's Python: {measured['requests']:,} Poisson requests, lengths {measured['lengths']}, "
        f"metrics included; {measured['rounds']} rounds"
    )
    for name, rate in measured["requests_per_second"].items():
        of_processor, by_clock = rate["of_processor"], rate["best_by_clock"]
        yield f"  {name:34}{of_processor:>8,} requests a second of processor time, {by_clock:,} by the clock at best"
