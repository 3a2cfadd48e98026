"""How long a student waits, and for how many bytes: bare Pyodide, a snippet, the lab; cold and warm."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from statistics import median
from typing import Any

from playwright.sync_api import Browser, Page

from coursekit.bench.line import Line, served

BASELINE = "bare Pyodide"

SLOW = {"bytes_a_second": 200_000, "delay_seconds": 0.15}
"""A phone's line, as the lab's design supposes it."""

# Each script resolves to milliseconds. The page's own clock is read, so that the driver's delays don't count.
_BARE = """async (folder) => {
  const code = `
    import { loadPyodide } from "${folder}pyodide.mjs";
    import { MANIFEST } from "${folder}manifest.mjs";
    const py = await loadPyodide({ indexURL: "${folder}", packageBaseUrl: "${folder}",
                                   lockFileContents: MANIFEST.lock, stdout: (text) => postMessage(text) });
    py.runPython("print('first output')");`;
  const url = URL.createObjectURL(new Blob([code], { type: "text/javascript" }));
  const start = performance.now();
  const worker = new Worker(url, { type: "module" });
  await new Promise((resolve) => (worker.onmessage = resolve));
  worker.terminate();
  return performance.now() - start;
}"""

# The clock starts with the click, which a real pointer makes: what a page does as the pointer comes is the page's own.
_FROM_CLICK = """(shown) => {
  window.measured = new Promise((resolve) => {
    addEventListener("click", async () => {
      const start = performance.now();
      await (0, eval)(shown)();
      resolve(performance.now() - start);
    }, { capture: true, once: true });
  });
}"""

_SNIPPET_SHOWS = """async () => {
  const out = document.querySelector("course-snippet .snippet-output");
  while (out.dataset.from !== "run" || !out.querySelector("pre").textContent)
    await new Promise((resolve) => setTimeout(resolve, 5));
}"""

_LAB_SHOWS = """async () => {
  const soon = () => new Promise((resolve) => setTimeout(resolve, 10));
  const frame = () => document.querySelector("course-lab iframe")?.contentWindow;
  const opened = () => frame()?.jupyterapp?.shell?.currentWidget;
  while (!(opened()?.context?.isReady && opened().sessionContext?.session?.kernel)) await soon();
  const notebook = opened().content;
  const cell = notebook.model.cells.get(1);
  cell.sharedModel.setSource("import engine.blocks\\nprint('first output')");
  notebook.activeCellIndex = 1;
  void frame().jupyterapp.commands.execute("notebook:run-cell");
  while (!cell.outputs.length) await soon();
}"""


def _bare(page: Page, address: str) -> float:
    page.goto(f"{address}404.html")
    folder = page.evaluate("import('/assets/course/runtime.js').then(({ RUNTIME }) => RUNTIME.pyodide)")
    return float(page.evaluate(_BARE, f"{address}{folder}"))


def _clicked(button: str, shows: str, rest_seconds: float = 0.0) -> Callable[[Page, str], float]:
    def measured(page: Page, address: str) -> float:
        page.goto(f"{address}lessons/founding/")
        page.wait_for_function("!document.querySelector(':not(:defined, trace-player)')")
        page.wait_for_load_state("networkidle")
        page.evaluate(_FROM_CLICK, shows)
        pressed = page.locator(button).first
        pressed.hover()
        page.wait_for_timeout(rest_seconds * 1000)
        pressed.click()
        return float(page.evaluate("measured"))

    return measured


_RUN = "course-snippet button:text-is('Run')"
_START = "course-lab .lab-door button"

RUNS: Mapping[str, Callable[[Page, str], float]] = {
    BASELINE: _bare,
    "snippet": _clicked(_RUN, _SNIPPET_SHOWS),
    "lab": _clicked(_START, _LAB_SHOWS),
    "lab, pointer there for 2 s": _clicked(_START, _LAB_SHOWS, rest_seconds=2),
}
"""What is measured, in the order of a round."""


def measure(browser: Browser, site: Path, rounds: int, slow: bool) -> dict[str, Any]:
    """Every run in turn, cold and then warm, `rounds` times over, and once over a slow line if `slow`."""
    line = Line()
    with served(site, line) as address:
        taken = [{name: _visits(browser, address, line, run) for name, run in RUNS.items()} for _ in range(rounds)]
    measured: dict[str, Any] = {
        "browser": f"{browser.browser_type.name} {browser.version}",
        "rounds": rounds,
        "runs": {name: _summary(name, taken) for name in RUNS},
    }
    if slow:
        line = Line(**SLOW)  # type: ignore[arg-type]
        with served(site, line) as address:
            measured["slow"] = {name: _visits(browser, address, line, run) for name, run in RUNS.items()}
    return measured


def _visits(
    browser: Browser, address: str, line: Line, run: Callable[[Page, str], float]
) -> dict[str, dict[str, float]]:
    """A first visit in a browser that knows nothing, and a second one in the same."""
    context = browser.new_context()
    context.set_default_timeout(300_000)
    visits = {}
    for name in ("cold", "warm"):
        page = context.new_page()
        line.reset()
        seconds = run(page, address) / 1000
        visits[name] = {"seconds": round(seconds, 3), "requests": line.requests, "bytes": line.sent_bytes}
        page.close()
    context.close()
    return visits


def _summary(name: str, taken: list[dict[str, dict[str, dict[str, float]]]]) -> dict[str, dict[str, float]]:
    """Medians. A ratio is taken within a round, where both runs met the same machine."""
    return {
        visit: {
            key: round(median(a_round[name][visit][key] for a_round in taken), 3)
            for key in ("seconds", "requests", "bytes")
        }
        | {"of_baseline": round(median(_ratio(a_round, name, visit) for a_round in taken), 2)}
        for visit in ("cold", "warm")
    }


def _ratio(a_round: dict[str, dict[str, dict[str, float]]], name: str, visit: str) -> float:
    return a_round[name][visit]["seconds"] / a_round[BASELINE][visit]["seconds"]


def lines(measured: Mapping[str, Any]) -> Iterator[str]:
    """The same for people."""
    yield f"to the first output, medians of {measured['rounds']}, {measured['browser']}"
    yield f"{'':30}{'seconds':>10}{'of bare':>10}{'requests':>10}{'MB':>8}"
    for name, visits in measured["runs"].items():
        for visit, row in visits.items():
            yield _row(f"{name}, {visit}", row)
    if "slow" in measured:
        yield "once, at 200 kB a second and 150 ms a request"
        for name, visits in measured["slow"].items():
            for visit, row in visits.items():
                yield _row(f"{name}, {visit}", row)


def _row(label: str, row: Mapping[str, float]) -> str:
    ratio = f"{row['of_baseline']:.2f}" if "of_baseline" in row else ""
    return f"  {label:28}{row['seconds']:>10.2f}{ratio:>10}{row['requests']:>10.0f}{row['bytes'] / 1e6:>8.2f}"
