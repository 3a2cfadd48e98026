"""The Python behind a lesson's snippets, the real one: what it prints, how it fails, how it is stopped."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.driving import slower

pytestmark = pytest.mark.alone

# As in test_stop.py: a second, and what a shared machine adds to it.
SECONDS = 4.0

# The page's runner, and what a run printed, by stream.
SET_UP = """async () => {
  const { createRunner } = await import("/assets/course/lib/python-runner.js");
  window.runner = createRunner({ root: new URL("/", location.href) });
  window.run = async (code) => {
    const printed = { out: "", err: "" };
    const result = await runner.run(code, ({ stream, text }) => (printed[stream] += text));
    return { ...printed, ...result };
  };
  await runner.start();
}"""

STOPPED_AFTER = """async (code) => {
  const run = window.run(code);
  await new Promise((resolve) => setTimeout(resolve, 700));
  const start = performance.now();
  const told = runner.stop();
  const { outcome, out } = await run;
  return { told, outcome, out, seconds: (performance.now() - start) / 1000 };
}"""

ENDLESS = {
    "a loop": "while True: pass",
    "one long sleep": "import time\ntime.sleep(600)",
    "an await": "import asyncio\nawait asyncio.sleep(600)",
    "a flood of prints": "n = 0\nwhile True:\n    n += 1\n    print(n)",
    "errors that are caught": "while True:\n    try:\n        1 / 0\n    except Exception:\n        pass",
}


@pytest.fixture(scope="module")
def page(browser: Browser, site: str) -> Iterator[Page]:
    """One page with one runner, started."""
    context = browser.new_context(base_url=site)
    context.set_default_timeout(120_000)
    page = context.new_page()
    page.goto("lessons/founding/")
    page.evaluate(SET_UP)
    yield page
    context.close()


def run(page: Page, code: str) -> dict[str, Any]:
    """Run a piece of code; what it printed, its outcome and its traceback."""
    result: dict[str, Any] = page.evaluate("(code) => window.run(code)", code)
    return result


def test_it_prints_on_two_streams(page: Page) -> None:
    result = run(page, "import sys\nprint('one')\nprint('two', file=sys.stderr)\nprint('three')")
    assert result == {"out": "one\nthree\n", "err": "two\n", "outcome": "ok", "traceback": "", "answer": ""}


def test_each_run_has_a_fresh_namespace_and_awaits_at_the_top(page: Page) -> None:
    run(page, "left = 1")
    result = run(page, "import asyncio\nawait asyncio.sleep(0)\nprint('left' in globals(), __name__)")
    assert result["out"] == "False __main__\n"


def test_the_engine_is_there_as_source(page: Page) -> None:
    result = run(page, "import inspect, engine.blocks\nprint(inspect.getsource(engine.blocks.blocks_needed))")
    assert result["out"].startswith("def blocks_needed(")


def test_a_traceback_begins_in_the_snippet_and_shows_the_engines_lines(page: Page) -> None:
    result = run(page, "from engine.blocks import blocks_needed\n\nblocks_needed(-1, 0)")
    assert result["outcome"] == "error"
    first, *frames = [line for line in result["traceback"].splitlines() if line.startswith("  File ")]
    assert first == '  File "snippet.py", line 3, in <module>'
    assert any('"/course/engine/blocks.py"' in frame for frame in frames)
    assert "blocks_needed(-1, 0)" in result["traceback"]


def test_a_syntax_error_names_its_line(page: Page) -> None:
    result = run(page, "fine = 1\ndef broken(:\n    pass")
    assert result["outcome"] == "error"
    assert 'File "snippet.py", line 2' in result["traceback"]


def test_input_says_why_it_cant_wait(page: Page) -> None:
    assert "input() can't wait for an answer in a lesson" in run(page, "input('Name? ')")["traceback"]


@pytest.mark.parametrize("code", list(ENDLESS.values()), ids=list(ENDLESS))
def test_it_is_stopped(page: Page, code: str) -> None:
    result = page.evaluate(STOPPED_AFTER, code)
    assert (result["told"], result["outcome"]) == (True, "stopped")
    assert run(page, "print('alive')")["out"] == "alive\n"
    assert result["seconds"] < SECONDS * slower(page)


def test_what_a_run_takes_away_is_there_for_the_next(page: Page) -> None:
    code = "import builtins, signal, sys\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\nsys.modules.clear()\n"
    assert run(page, f"{code}builtins.eval = builtins.compile = builtins.print = None")["outcome"] == "ok"
    assert run(page, "import json\nprint('alive')")["out"] == "alive\n"
    assert page.evaluate(STOPPED_AFTER, "while True: pass")["outcome"] == "stopped"


def test_what_a_run_changes_in_the_engine_is_as_it_was_for_the_next(page: Page) -> None:
    code = (
        "from engine.metrics import fairness\n"
        "print(fairness.jain_index([1, 1]), fairness.Served.at is None)\n"
        "fairness.jain_index = lambda amounts: 'mine'\n"
        "fairness.Served.at = None\n"
        "del fairness.service\n"
        "print(fairness.jain_index([1, 1]), fairness.Served.at is None)"
    )
    # The first of them is the first in this page that has the module at all.
    for _ in range(2):
        assert run(page, code) == {
            "out": "1.0 False\nmine True\n",
            "err": "",
            "outcome": "ok",
            "traceback": "",
            "answer": "",
        }
    assert run(page, "from engine.metrics.fairness import service\nprint(service.__name__)")["out"] == "service\n"


def test_a_flood_is_cut(page: Page) -> None:
    out = run(page, "for n in range(100_000): print('line', n)")["out"]
    assert out.endswith("[output cut after 100,000 characters]\n")
    assert len(out) < 101_000


def test_a_stop_when_nothing_runs_does_nothing(page: Page) -> None:
    assert page.evaluate("runner.stop()") is False
    assert run(page, "print('alive')")["out"] == "alive\n"


def test_one_long_call_ends_with_a_restart(page: Page) -> None:
    script = """async () => {
      const run = window.run("sum(range(10**11))");
      await new Promise((resolve) => setTimeout(resolve, 500));
      runner.stop();
      await new Promise((resolve) => setTimeout(resolve, 1500));
      const stuck = runner.busy;
      await runner.restart();
      return { stuck, outcome: (await run).outcome };
    }"""
    assert page.evaluate(script) == {"stuck": True, "outcome": "stopped"}
    assert run(page, "print('alive')")["out"] == "alive\n"


@pytest.mark.parametrize(
    "code",
    [
        "import ctypes\nctypes.string_at(0xFFFFFFF0, 100_000)",
        "import sys\nsys.setrecursionlimit(10**8)\ndef down(): down()\ndown()",
    ],
    ids=["memory that isn't there", "the browser's own stack"],
)
def test_code_that_breaks_python_itself_ends_with_a_word_and_the_next_run_works(page: Page, code: str) -> None:
    broken = run(page, code)
    assert broken["outcome"] == "error"
    assert broken["traceback"].startswith(("Python itself broke down: ", "Traceback"))
    assert run(page, "print(6 * 7)") == {"out": "42\n", "err": "", "outcome": "ok", "traceback": "", "answer": ""}
