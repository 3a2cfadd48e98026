"""`coursekit test`: every test, and the counts at the end."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from coursekit.build import build_site
from coursekit.commands.build import say
from coursekit.failures import BuildFailed
from coursekit.project import here
from coursekit.steps import empty_folder
from coursekit.testing.browsers import ensure_chromium
from coursekit.testing.counts import Counts
from coursekit.testing.standards import check_standards
from coursekit.testing.suites import module_tests, node_suite, pytest_suites, run_suite
from engine.cli.parser import Parser


def main(arguments: Sequence[str]) -> int:
    """0 when everything passed; the last line says how many passed, failed and were skipped."""
    Parser(prog="python -m coursekit test", description=__doc__).read(arguments)
    project = here()
    try:
        chromium = ensure_chromium(say)
        build_site(project, say)
    except BuildFailed as failure:
        print(f"\n{failure}\n{Counts(failed=1)}", file=sys.stderr)
        return 1
    reports = empty_folder(project.build / "reports")
    print("\n== standards", flush=True)
    total = check_standards(project)
    suites = [node_suite(project, reports, module_tests(project)), *pytest_suites(reports, chromium)]
    total += sum((run_suite(suite, project.root) for suite in suites), Counts())
    print(f"\n{total}", flush=True)
    return 1 if total.failed else 0
