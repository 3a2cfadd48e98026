"""The benchmark measures what it says, and the engine stays fast and small enough to be worth measuring."""

import json

import pytest

from coursekit.bench.engine import peak_bytes, run_engine, run_naive
from coursekit.bench.report import lines, measure
from coursekit.bench.workload import specs
from coursekit.commands.bench import main


def test_the_workload_is_the_same_every_time_and_half_of_it_shares_heads() -> None:
    made = list(specs(200))
    assert made == list(specs(200))
    heads = [tuple(spec.prompt_token_ids[:256]) for spec in made if len(spec.prompt_token_ids) > 256]
    assert 90 <= len(heads) <= 110
    assert len(set(heads)) <= 16


def test_the_engine_and_its_baseline_decide_the_same_rows() -> None:
    engine, naive = run_engine(300, enable_prefix_caching=False), run_naive(300)
    assert engine[:3] == naive[:3]


def test_the_engine_is_no_slower_than_it_was_by_much() -> None:
    naive = min(run_naive(400).microseconds_a_row for _ in range(3))
    for caching, most in ((False, 1.5), (True, 3.0)):
        mine = min(run_engine(400, caching).microseconds_a_row for _ in range(3))
        assert mine < most * naive, f"caching {caching}: {mine:.2f} µs a row, the naive twin {naive:.2f}"


def test_memory_is_flat_in_the_number_of_finished_requests() -> None:
    few, many = peak_bytes(400), peak_bytes(1600)
    assert many < 1.15 * few, f"400 requests took {few:,} bytes at most, 1,600 took {many:,}"


def test_it_prints_a_table_or_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--requests", "50", "--rounds", "1"]) == 0
    printed = capsys.readouterr().out
    assert "engine, caching on" in printed
    assert "times as fast as step by step" in printed
    assert main(["--requests", "50", "--rounds", "1", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["runs"]["naive twin"]["of_baseline"] == 1
    assert len(list(lines(measure(50, 1)))) == 6
    with pytest.raises(SystemExit):
        main(["--requests", "0"])
    assert "got '0'; give a whole number of 1 or more" in capsys.readouterr().err
    assert main(["--requests", "20", "--profile"]) == 0
    assert "_continue_running" in capsys.readouterr().out
