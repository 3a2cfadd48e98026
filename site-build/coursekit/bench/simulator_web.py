"""How many requests a second the simulator serves in the site's own Python, in a browser.

Two figures. *By the clock* is the median of the rounds as the page's own clock has them: what a student gets, on a
quiet machine. Where others load the machine it tells their load; so, on Linux, the system is also asked for the
*processor time* of the thread that runs Python. Python itself has no such clock there, and the browser only knows
whole processes, whose threads also compile WebAssembly.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import Any

from playwright.sync_api import Browser, Page

from coursekit.bench import loads
from coursekit.bench.simulator import azure_lengths, lengths_name
from coursekit.testing.site_python import run_python
from engine.workload import Lengths

NAMES = (loads.MAIN, loads.CACHING)
"""What is measured of `loads.LOADS`."""

WORKER = "DedicatedWorker"
"""How Chromium's threads are called that run a page's workers."""

_MEASURE = """
import json
real = [Lengths(*pair) for pair in json.loads({lengths!r})]
print(json.dumps(rates({names!r}, {num_requests}, {rounds}, real)))
"""


def measure(browser: Browser, page: Page, num_requests: int, rounds: int) -> dict[str, Any]:
    """By the clock, the median of the rounds; and of all of them together by processor time, if the system tells.

    Raises `RuntimeError` if it fails.
    """
    real = azure_lengths()
    found = {}
    for name in NAMES:
        # The first run compiles, and the second makes the workload alone, which is taken off.
        _run(page, name, num_requests, 1, real)
        without, _ = _cost(browser, page, name, num_requests, 0, real)
        seconds, rates = _cost(browser, page, name, num_requests, rounds, real)
        of_processor = None if seconds is None else round(num_requests * rounds / (seconds - (without or 0)))
        found[name] = {
            "by_clock": round(median(rates)),
            "best_by_clock": round(max(rates)),
            "of_processor": of_processor,
        }
    return {
        "requests": num_requests,
        "rounds": rounds,
        "lengths": lengths_name(real),
        "requests_per_second": found,
    }


def _cost(
    browser: Browser, page: Page, name: str, num_requests: int, rounds: int, real: Sequence[Lengths]
) -> tuple[float | None, list[float]]:
    """Seconds that Python's thread computed, and the rates that the page's own clock gave."""
    started = _worker_seconds(browser)
    rates = _run(page, name, num_requests, rounds, real)
    ended = _worker_seconds(browser)
    return (None if started is None or ended is None else ended - started), rates


def _worker_seconds(browser: Browser) -> float | None:
    """Processor time of the workers' threads of all pages; None where the system doesn't tell it."""
    session = browser.new_browser_cdp_session()
    processes = session.send("SystemInfo.getProcessInfo")["processInfo"]
    session.detach()
    pages = [process["id"] for process in processes if process["type"] == "renderer"]
    threads = [thread for page in pages for thread in Path(f"/proc/{page}/task").glob("*") if _is_worker(thread)]
    if not threads:
        return None
    return sum(int((thread / "schedstat").read_text(encoding="ascii").split()[0]) for thread in threads) / 1e9


def _is_worker(thread: Path) -> bool:
    return WORKER in (thread / "comm").read_text(encoding="utf-8")


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
        f"metrics included; requests a second, {measured['rounds']} rounds"
    )
    for name, rate in measured["requests_per_second"].items():
        of_processor = rate["of_processor"]
        of_thread = "unknown here" if of_processor is None else f"{of_processor:,}"
        yield (
            f"  {name:34}{rate['by_clock']:>8,} by the clock (median; best {rate['best_by_clock']:,}), "
            f"{of_thread} of the Python thread's processor time"
        )
