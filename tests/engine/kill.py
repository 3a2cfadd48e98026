"""Run the engine that stands in a folder against what the tests hold true; the first broken one is named.

`python kill.py FOLDER SUITE`, where FOLDER holds a copy of `engine` and SUITE is `scheduler` or `simulator`. Exit
status 1 and one line on standard output if something catches it, 0 if nothing does. The checks are those of the
tests, without what pytest costs.
"""

import resource
import sys
from collections.abc import Callable
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from random import Random

import pytest

PARTS = {
    "scheduler": ("blocks", "prefix", "kv_cache", "scheduler_rules", "asynchronous"),
    "simulator": ("cost", "serving", "latency", "policies", "percentiles", "metrics", "fast_forward", "incidents"),
}
"""Whose tests are run where nothing faster caught anything."""

LIMIT_SECONDS = 100
"""Of processor time: a wrong rule may also never come to an end."""


def _records() -> None:
    from engine.outcome import dumps
    from engine.replay import replay_trace
    from parity_records import records

    for name, record in records().items():
        mine = replay_trace(record["trace"])
        assert dumps(mine) == dumps({**record["outcome"], "engine": mine["engine"]}), f"record {name}"


def _known_defect() -> None:
    import test_random_runs

    test_random_runs.test_the_known_defect_reads_what_nobody_computed()


def _double_free() -> None:
    from engine.blocks import BlockPool

    pool = BlockPool(4)
    pool.release(pool.take(2))
    try:
        pool.release([1])
    except ValueError:
        return
    raise AssertionError("a double free was let pass")


def _promises() -> None:
    from driving import Drive
    from workloads import draw_workload

    for seed in range(400):
        Drive(draw_workload(Random(seed))).run()


def _same_traces() -> None:
    from test_fast_forward import assert_equal, crowded, quoted
    from timed_workloads import draw_case

    for seed in range(400):
        assert_equal(draw_case(Random(seed)))
        if seed % 10 == 0:
            assert_equal(crowded(Random(seed)))
            assert_equal(quoted(Random(seed // 10)))


class _FirstFailure:
    """Notes which test fails first."""

    failed = ""

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed and not self.failed:
            self.failed = report.nodeid.rpartition("::")[2]


def _tests_of_parts(suite: str) -> None:
    here, first = Path(__file__).parent, _FirstFailure()
    files = [str(here / f"test_{part}.py") for part in PARTS[suite]]
    with redirect_stdout(StringIO()):
        status = pytest.main(["-x", "-q", "-p", "no:cacheprovider", *files], plugins=[first])
    assert status == pytest.ExitCode.OK, first.failed or status


CHECKS: dict[str, dict[str, Callable[[], None]]] = {
    "scheduler": {
        "the 50 records of vLLM": _records,
        "the known defect, turned off": _known_defect,
        "the refusal of a double free": _double_free,
        "the promises after every step of random runs": _promises,
    },
    "simulator": {"the equality of fast and step by step": _same_traces},
}


def main(folder: str, suite: str) -> int:
    """Check the copy in `folder`."""
    resource.setrlimit(resource.RLIMIT_CPU, (LIMIT_SECONDS, LIMIT_SECONDS))
    here = Path(__file__).parent
    sys.path[:0] = [folder, str(here)]
    import engine

    assert Path(str(engine.__file__)).is_relative_to(Path(folder).resolve()), f"not the copy: {engine.__file__}"
    checks = CHECKS[suite] | {"a test of a part": lambda: _tests_of_parts(suite)}
    for name, check in checks.items():
        try:
            check()
        except Exception as broken:  # a wrong rule may break anything
            words = str(broken).split("\n")[0]
            print(f"{name}: {type(broken).__name__} {words[:120]}")
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
