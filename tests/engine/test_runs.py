"""Fitting to one run and predicting another: known costs come back, and errors are told as they are."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from engine.calibrate.cost import COEFFICIENTS, ServerCost
from engine.calibrate.run_page import BEGIN, END, Predicted, fit_words, rewrite
from engine.calibrate.runs import compare_runs, fit_run, predict_run, settings_of_run, workload_of_run
from engine.calibrate.steps import steps_seen
from engine.cli import main
from engine.settings import Settings
from engine.simulate import serve
from engine.simulate.traffic import Traffic
from engine.trace import Admitted, Arrived, Header, Record, Step, Trace

SETTINGS = Settings(num_blocks=400, max_model_len=1024, max_num_seqs=16, max_num_batched_tokens=256)
COST = ServerCost(step_ps=8_000_000_000, prefill_token_ps=30_000_000, decode_seq_ps=30_000_000, kv_token_ps=50_000)
TRAFFIC = {"num_requests": 60, "prompt_tokens": 120, "output_tokens": 40, "length_cv": 0.5}


def run(seed: int, rate: float, **more: float) -> Trace:
    """What a server with known costs would do."""
    traffic = Traffic.from_mapping({**TRAFFIC, "rate": rate, "seed": seed, **more})
    trace = serve(SETTINGS, traffic.workload(f"run {seed}"), COST)
    return Trace(trace.header._replace(source="recorded"), trace.records)


def without_steps(trace: Trace) -> Trace:
    """What a client of the same server would have seen."""
    return Trace(trace.header, tuple(one for one in trace.records if not isinstance(one, Step | Admitted)))


def later(trace: Trace, by: int) -> Trace:
    """The same, seen by a client whose tokens take their time on the way."""
    seen = [
        one if isinstance(one, Arrived | Admitted | Step) else one._replace(at=one.at + by) for one in trace.records
    ]
    return Trace(trace.header, tuple(sorted(seen, key=_at)))


def _at(record: Record) -> int:
    return record.at


def test_the_costs_come_back_from_steps() -> None:
    fitted = fit_run(run(1, rate=8))
    step, _, token, mixed, kv_token, _ = fitted.seconds
    assert fitted.by == "steps"
    assert step == pytest.approx(0.008, rel=0.005)
    assert token == pytest.approx(30e-6, rel=0.02)
    assert kv_token + mixed == pytest.approx(50e-9, abs=30e-9)
    assert fitted.outside == 0


@pytest.mark.parametrize("see", [lambda trace: trace, without_steps], ids=["steps", "requests"])
def test_another_run_is_predicted(see: Callable[[Trace], Trace]) -> None:
    fitted, other = fit_run(see(run(1, rate=8))), see(run(2, rate=12))
    compared = compare_runs(other, predict_run(fitted, other))
    assert {name: one.n for name, one in compared.items()} == {"ttft": 60, "tpot": 60, "e2e": 60}
    for name, limit in (("tpot", 0.02), ("e2e", 0.03), ("ttft", 0.15)):
        assert all(abs(one.error) < limit for one in compared[name].statistics.values()), compared[name]


def test_the_time_outside_the_engine_counts_for_the_first_token() -> None:
    fitted = fit_run(later(run(1, rate=8), 3_000_000))
    assert fitted.outside == pytest.approx(3_000_000, rel=0.01)
    other = later(run(2, rate=8), 3_000_000)
    found = compare_runs(other, predict_run(fitted, other))["ttft"].statistics["mean"]
    assert abs(found.error) < 0.05


def test_a_wrong_cost_shows() -> None:
    other = run(2, rate=12)
    trace = serve(SETTINGS, workload_of_run(other), ServerCost(step_ps=16_000_000_000))
    assert compare_runs(other, trace)["tpot"].statistics["mean"].error > 0.5


def test_a_step_lasts_until_the_next_one_where_somebody_waits_for_it() -> None:
    trace = run(1, rate=8)
    first = trace.steps()[0]
    hasty = tuple(one._replace(duration=1) if isinstance(one, Step) else one for one in trace.records)
    assert first.duration > 1
    busy = [seen.seconds for seen in steps_seen(Trace(trace.header, hasty)) if seen.seconds > 1e-6]
    assert len(busy) > 0.9 * len(trace.steps())


def test_a_machine_that_was_held_up_is_told_and_hardly_moves_the_fit() -> None:
    trace, by, moved = run(1, rate=8), 0, []
    for one in trace.records:
        one = one._replace(at=one.at + by)
        if isinstance(one, Step) and one.step % 100 == 50:
            one, by = one._replace(duration=one.duration + 400_000_000), by + 400_000_000
        moved.append(one)
    fitted = fit_run(Trace(trace.header, tuple(moved)))
    assert fitted.seconds[0] == pytest.approx(0.008, rel=0.1)
    assert fitted.held_up > 0.1
    assert "the machine was held up by something else" in fit_words(fitted)
    assert "held up" not in fit_words(fit_run(trace))


def test_what_was_fitted_is_said_in_units_that_read_well() -> None:
    trace = run(1, rate=8)
    fitted = fit_run(trace)
    seconds = dict.fromkeys(COEFFICIENTS, 0.0) | {"step": 0.00508, "kv_token": 1.73e-6, "mixed_kv_token": 3.9e-8}
    words = fit_words(replace(fitted, seconds=tuple(seconds.values()), outside=21_200, error=0.03, held_up=0.0))
    assert words == (
        f"Fitted to the steps of “{trace.header.name}”: 5.08 ms a step, 1.73 µs a cached token that is read, 39 ns "
        "more for each of these in a step that also computes prompts; outside the engine 21.2 µs a request. "
        "Usual error of the fit: 3.0 %."
    )


def test_settings_and_workload_come_from_the_run() -> None:
    trace = run(1, rate=8, prefix_tokens=64, prefix_share=0.5)
    known = Trace(Header("bare", "live", "ns", {"max_num_seqs": 16}), without_steps(trace).records)
    settings = settings_of_run(known)
    assert settings.max_num_seqs == 16
    assert settings.num_blocks > 400
    assert settings_of_run(trace) == SETTINGS
    assert [one.num_output_tokens for one in workload_of_run(trace)] == [one.max_tokens for one in trace.of(Arrived)]


def test_equal_beginnings_are_found_again() -> None:
    names = {"r0": (7, 8), "r1": (7, 9)}
    trace = run(1, rate=8)
    marked = tuple(
        one._replace(block_names=names.get(one.id, ())) if isinstance(one, Arrived) else one for one in trace.records
    )
    first, second, *_ = workload_of_run(Trace(trace.header, marked)).arrivals
    assert first.beginning[0] == second.beginning[0]
    assert first.beginning[1] != second.beginning[1]
    assert first.beginning[0].num_tokens == SETTINGS.block_size


def test_too_little_is_refused_with_the_number() -> None:
    short = run(1, rate=8, num_requests=1, output_tokens=3)
    with pytest.raises(ValueError, match="a fit needs 12 or more"):
        fit_run(short)
    with pytest.raises(ValueError, match="1 requests have a whole answer; a fit needs 8 or more"):
        fit_run(without_steps(short))


def test_the_command_tells_both_runs_and_writes_the_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = []
    for seed in (1, 2):
        files.append(tmp_path / f"{seed}.trace.jsonl")
        files[-1].write_text(run(seed, rate=8).to_jsonl(), encoding="utf-8")
    page = tmp_path / "page.md"
    page.write_text(f"before\n{BEGIN}\nold\n{END}\nafter\n", encoding="utf-8")
    assert main(["predict", *map(str, files), "--json", "--write", str(page)]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [one["name"] for one in found["runs"]] == ["run 1", "run 2"]
    assert [one["own"] for one in found["runs"]] == [True, False]
    assert found["runs"][1]["ttft"]["n"] == 60
    text = page.read_text(encoding="utf-8")
    assert "**run 1**, the run that was fitted to" in text
    assert text.startswith("before")
    assert text.endswith("after\n")
    assert "old" not in text
    assert main(["predict", *map(str, files)]) == 0
    assert "TTFT p99" in capsys.readouterr().out


def test_what_cannot_be_used_is_told_in_a_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["predict", str(tmp_path / "nowhere.trace.jsonl")]) == 2
    file = tmp_path / "short.trace.jsonl"
    file.write_text(run(1, rate=8, num_requests=1, output_tokens=2).to_jsonl(), encoding="utf-8")
    assert main(["predict", str(file)]) == 2
    assert "a fit needs 12 or more" in capsys.readouterr().err


def test_one_lane_at_a_time() -> None:
    trace = run(1, rate=8)
    one = tuple(record._replace(lane="a") if isinstance(record, Step) else record for record in trace.records)
    assert fit_run(Trace(trace.header, one)).seconds == fit_run(trace).seconds
    two = tuple(
        record._replace(lane="ab"[record.step % 2]) if isinstance(record, Step) else record for record in trace.records
    )
    with pytest.raises(ValueError, match="run 1 has the lanes a, b; give the trace of one of them"):
        fit_run(Trace(trace.header, two))


def test_a_page_without_marks_is_refused() -> None:
    trace = run(1, rate=8)
    fitted = fit_run(trace)
    told = Predicted("one", "", compare_runs(trace, trace), True)
    with pytest.raises(ValueError, match="lacks the marks"):
        rewrite("no marks", fitted, [told], "2026-11-30")
