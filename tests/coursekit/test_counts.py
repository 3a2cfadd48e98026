"""The counts at the end are those of every runner together."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest

from coursekit.project import here
from coursekit.testing.counts import Counts, read_junit
from coursekit.testing.suites import Suite, node_suite, pytest_suites, run_suite

REPORT = """<?xml version="1.0"?>
<testsuites>
  <testsuite><testcase name="a"/><testcase name="b"><failure>no</failure></testcase></testsuite>
  <testcase name="c"><skipped/></testcase>
  <testcase name="d"><error/></testcase>
  <testsuite><testsuite><testcase name="e"><system-out>x</system-out></testcase></testsuite></testsuite>
</testsuites>
"""


def test_a_report_is_counted(tmp_path: Path) -> None:
    (tmp_path / "report.xml").write_text(REPORT)
    counts = read_junit(tmp_path / "report.xml")
    assert counts == Counts(passed=2, failed=2, skipped=1)
    assert str(counts + Counts(passed=1)) == "3 passed, 2 failed, 1 skipped"


def test_no_report_is_a_failure(tmp_path: Path) -> None:
    assert read_junit(tmp_path / "nothing.xml") == Counts(failed=1)


def test_a_runner_that_fails_without_a_failed_test_is_a_failure(tmp_path: Path) -> None:
    report = tmp_path / "report.xml"
    script = "import sys, pathlib; pathlib.Path(sys.argv[1]).write_text('<testcase/>'); sys.exit(3)"
    suite = Suite("odd", [sys.executable, "-c", script, str(report)], report)
    assert run_suite(suite, tmp_path) == Counts(passed=1, failed=1)


def test_an_old_report_does_not_vouch_for_a_run_that_died(tmp_path: Path) -> None:
    report = tmp_path / "report.xml"
    report.write_text("<testcase/>")
    suite = Suite("dead", [sys.executable, "-c", "raise SystemExit(1)"], report)
    assert run_suite(suite, tmp_path) == Counts(failed=1)


def test_nodes_report_is_one_that_can_be_counted(tmp_path: Path) -> None:
    test = tmp_path / "a.test.mjs"
    test.write_text(
        'import test from "node:test"; import assert from "node:assert";\n'
        'test("yes", () => {}); test("no", () => assert.fail("no")); test.skip("later", () => {});\n'
    )
    suite = node_suite(here(), tmp_path, [test])
    assert run_suite(suite, tmp_path) == Counts(passed=1, failed=1, skipped=1)


@pytest.mark.parametrize("name", ["python", "browser", "measured"])
def test_what_failed_runs_once_more_and_what_fails_twice_has_failed(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], name: str
) -> None:
    (tmp_path / "test_late.py").write_text(
        "import pathlib\n"
        "def test_good(): pass\n"
        "def test_never(): assert False\n"
        "def test_second_time():\n"
        "    mark = pathlib.Path(__file__).with_name('mark')\n"
        "    seen = mark.exists()\n"
        "    mark.touch()\n"
        "    assert seen\n"
    )
    report = tmp_path / "report.xml"
    (shipped,) = (suite for suite in pytest_suites(tmp_path, "chromium") if suite.name == name)
    command = [sys.executable, "-m", "pytest", "-q", f"--rootdir={tmp_path}", f"--junitxml={report}", str(tmp_path)]
    suite = replace(shipped, command=command, report=report)
    assert run_suite(suite, tmp_path) == Counts(passed=2, failed=1)
    assert "of 2 that failed, 1 passed the second time" in capfd.readouterr().out
