"""The suites: each a command that leaves a report which can be counted."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from coursekit.node import node_command
from coursekit.project import Project
from coursekit.testing.aloud import run_aloud
from coursekit.testing.counts import Counts, read_junit

BROWSERS = 2
"""How many browsers are driven at once: while one waits, the other works, on the smallest machine too."""

PYTHONS = 8
"""How many run Python's tests at most: a container may see many processors more than it gets time of."""


@dataclass(frozen=True)
class Suite:
    """A command, the report that it leaves, and what its environment has more."""

    name: str
    command: Sequence[str]
    report: Path
    environment: Mapping[str, str] = field(default_factory=dict)
    again: Sequence[str] = ()
    """What to add to the command to run once more what failed; nothing where a failure stands at once."""


def module_tests(project: Project) -> list[Path]:
    """The tests of the browser's modules that need no browser."""
    return sorted((project.root / "tests" / "browser").rglob("*.test.mjs"))


def node_suite(project: Project, reports: Path, files: Sequence[Path]) -> Suite:
    """Tests that Node runs."""
    report = reports / "node.xml"
    options = [
        "--test-reporter=dot",
        "--test-reporter-destination=stdout",
        "--test-reporter=junit",
        f"--test-reporter-destination={report}",
    ]
    return Suite("modules", [node_command(project), "--test", *options, *map(str, files)], report)


def pytest_suites(reports: Path, chromium: str) -> list[Suite]:
    """Everything else: first what can run side by side, browsers too, then what measures and runs alone."""
    side_by_side = ["-m", "not long and not alone", f"--numprocesses={BROWSERS}", "--dist=loadfile"]
    return [
        _pytest("python", reports, ["--ignore=tests/browser", "--numprocesses=auto", f"--maxprocesses={PYTHONS}"]),
        _browsers("browser", reports, chromium, side_by_side),
        _browsers("measured", reports, chromium, ["-m", "alone and not long"]),
    ]


def _browsers(name: str, reports: Path, chromium: str, options: list[str]) -> Suite:
    return replace(_pytest(name, reports, ["tests/browser", *options]), environment={"CHROMIUM": chromium})


def _pytest(name: str, reports: Path, options: list[str]) -> Suite:
    report = reports / f"{name}.xml"
    # One at a time: what failed for want of time gets it.
    again = ["--last-failed", "--last-failed-no-failures=none", "--numprocesses=0"]
    return Suite(name, [sys.executable, "-m", "pytest", "-q", f"--junitxml={report}", *options], report, again=again)


def run_suite(suite: Suite, root: Path) -> Counts:
    """Run one suite, its words on the terminal; a runner that fails without a failed test counts as one.

    What drives browsers, servers and previews waits for other programs, and a machine that is busy elsewhere can make
    it miss a limit. So what failed there runs once more, and this is said; what fails twice has failed.
    """
    counts = _run_once(suite, root)
    if not counts.failed or not suite.again:
        return counts
    print(f"\n{suite.name}: {counts}. Once more, what failed:", flush=True)
    second = _run_once(replace(suite, command=[*suite.command, *suite.again]), root)
    recovered = counts.failed - second.failed
    print(f"{suite.name}: of {counts.failed} that failed, {recovered} passed the second time", flush=True)
    return Counts(counts.passed + recovered, second.failed, counts.skipped)


def _run_once(suite: Suite, root: Path) -> Counts:
    suite.report.unlink(missing_ok=True)
    print(f"\n== {suite.name}", flush=True)
    status = run_aloud(suite.name, suite.command, cwd=root, environment={**os.environ, **suite.environment})
    counts = read_junit(suite.report)
    if status and not counts.failed:
        print(f"{suite.name}: exit {status} without a failed test")
        counts += Counts(failed=1)
    return counts
