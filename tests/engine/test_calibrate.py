"""A fit finds the costs of a simulated server, tells what it can't know, and sees no time that it must predict."""

from dataclasses import replace
from pathlib import Path

import pytest

from engine.calibrate.choose import choose, told, value_of, with_rule
from engine.calibrate.cost import COEFFICIENTS, Form
from engine.calibrate.fit import Fit, fit
from engine.calibrate.identify import coefficients, confused
from engine.calibrate.judge import Judgement, judge, predict, statistics
from engine.calibrate.page import BEGIN, END, Section, rewrite
from engine.calibrate.recording import Recording, form_of, num_replicas_of, read_recording, settings_of
from engine.calibrate.server import Call, Server, Timing, run
from engine.readers.source import Source
from engine.readers.text import ReadError
from recordings import DENSE, MIXTURE, SETTINGS, TRUTH, calls, recorded, server, write

SHARE = 1 / 3


def worst(judged: dict[str, dict[str, Judgement]]) -> float:
    return max(abs(one.error) for found in judged.values() for one in found.values())


def judged(recording: Recording, served_by: Server, form: Form = DENSE) -> tuple[Fit, dict[str, dict[str, Judgement]]]:
    problem = recording.training_part(SHARE)
    fitted = fit(problem, served_by, form)
    return fitted, judge(recording, problem, predict(problem, fitted))


def test_known_coefficients_come_back_and_predict_the_rest() -> None:
    roomy = server(settings=replace(SETTINGS, num_blocks=5_000, startup_rule=False))
    fitted, found = judged(recorded(roomy), roomy)
    known = dict(zip(COEFFICIENTS, fitted.seconds, strict=True))
    assert known["step"] == pytest.approx(TRUTH[0], rel=0.1)
    assert known["token"] == pytest.approx(TRUTH[2], rel=0.05)
    assert known["kv_token"] + known["mixed_kv_token"] == pytest.approx(TRUTH[3] + TRUTH[4], rel=0.3)
    assert known["warm_up"] == pytest.approx(TRUTH[5], rel=0.2)
    assert worst(found) < 0.02


def test_a_pool_that_preempts_is_honoured() -> None:
    recording = recorded(server())
    assert run(server(), recording.calls, DENSE.cost(TRUTH)[0]).num_preemptions > 20
    assert worst(judged(recording, server())[1]) < 0.03
    roomy = server(settings=replace(SETTINGS, num_blocks=5_000, startup_rule=False))
    assert worst(judged(recording, roomy)[1]) > 0.05


def test_two_engines_in_lockstep_that_read_experts_are_predicted() -> None:
    lockstep = server(2, replace(SETTINGS, num_blocks=5_000, startup_rule=False))
    truth = (0.006, 0.008, *TRUTH[2:])
    fitted, found = judged(recorded(lockstep, truth, MIXTURE, requests=calls(gap_ms=60)), lockstep, MIXTURE)
    assert fitted.seconds[0] + fitted.seconds[1] == pytest.approx(0.014, rel=0.1)
    # Who waits behind whom hangs on the router, and a queue of a few seconds on chance.
    del found["ttft"]
    assert worst(found) < 0.03


def test_no_time_of_the_rest_leaks_into_the_fit_or_the_predictions() -> None:
    recording = recorded(server())
    count = len(recording.training_part(SHARE).timings)
    blank = (Timing(0, 0, 0, 0),) * (len(recording.calls) - count)
    blinded = replace(recording, timings=recording.timings[:count] + blank)
    problem, other = recording.training_part(SHARE), blinded.training_part(SHARE)
    assert problem == other
    assert len(problem.timings) == count == 40
    fitted = fit(problem, server(), DENSE)
    assert fitted == fit(other, server(), DENSE)
    assert predict(problem, fitted) == predict(other, fitted)


def test_when_a_request_reaches_the_server_comes_from_training_times_alone() -> None:
    requests = (Call("a", 0, 5, 5), Call("b", 100, 5, 5), Call("c", 200, 5, 5))
    timings = (Timing(7, 9, 9, 9), Timing(104, 109, 109, 109), Timing(201, 209, 209, 209))
    problem = Recording("", "", "", {}, requests, timings).training_part(0.67)
    assert [call.reached for call in problem.at_server()] == [4, 104, 204]


def test_the_rule_that_the_server_followed_fits_best() -> None:
    in_step = with_rule(server(), "async_scheduling", False)
    problem = recorded(in_step).training_part(SHARE)
    fixed = ("scheduler_reserve_full_isl", "appends_everything")
    fitted, trials = choose(problem, server(), DENSE, fixed)
    assert not fitted.server.settings.async_scheduling
    assert fitted.server.settings.enable_prefix_caching
    assert [(trial.rule, trial.taken) for trial in trials] == [
        ("async_scheduling", True),
        ("enable_prefix_caching", False),
    ]
    assert "was taken" in next(told(trials, fitted.error))


def test_a_rule_that_changes_nothing_is_not_tried() -> None:
    roomy = server(settings=replace(SETTINGS, num_blocks=5_000, startup_rule=False))
    problem = recorded(roomy).training_part(SHARE)
    _, trials = choose(problem, roomy, DENSE, ("async_scheduling", "enable_prefix_caching"))
    assert [trial.error for trial in trials] == [None, None]
    assert value_of(with_rule(roomy, "appends_everything", True), "appends_everything")


def test_a_coefficient_is_never_below_what_memory_allows() -> None:
    least = (0.0, 0.0, 0.0, 0.0, 3e-7, 0.0)
    fitted = fit(recorded(server()).training_part(SHARE), server(), replace(DENSE, least=least))
    assert fitted.seconds[4] >= 3e-7
    assert all(draw[4] >= 3e-7 for draw in fitted.draws)


def test_what_the_data_cannot_tell_apart_is_said() -> None:
    # Always the same four in a step: what a step costs and what its tokens cost is one number.
    requests = tuple(Call(f"r{number}", number, 16, 200) for number in range(4))
    later = tuple(Call(f"s{number}", 10**11 + number, 16, 200) for number in range(4))
    fitted = fit(recorded(server(), requests=requests + later).training_part(0.5), server(), DENSE)
    assert {name for pair in confused(fitted) for name in pair[:2]} >= {"step", "token"}
    assert [one.name for one in coefficients(fitted)] == [name for name in COEFFICIENTS if name != "experts"]


def test_statistics_are_nearest_rank_and_one_token_has_no_tpot() -> None:
    requests = [Call("a", 0, 1, 1), Call("b", 0, 1, 3)]
    found = statistics(requests, [Timing(0, 0, 10**9, 10**9), Timing(0, 0, 2 * 10**9, 6 * 10**9)])
    assert found["ttft"] == {"mean": 1.5, "p50": 1.0, "p90": 2.0, "p99": 2.0}
    assert found["tpot"] == dict.fromkeys(("mean", "p50", "p90", "p99"), 2.0)


def test_a_mixture_is_known_by_its_settings_or_its_name() -> None:
    recording = recorded(server(), requests=calls(4))
    assert form_of(recording) == DENSE
    assert form_of(replace(recording, model="Qwen/Qwen3-30B-A3B")) == MIXTURE
    assert form_of(replace(recording, engine={"enable_expert_parallel": True})) == MIXTURE
    assert form_of(recording, (64, 6)) == Form(64, 6)
    assert num_replicas_of(replace(recording, engine={"data_parallel_size": 2})) == 2


def test_a_pool_too_small_for_a_request_names_the_number_that_would_do() -> None:
    recording = recorded(server(), requests=(Call("a", 0, 100, 60), Call("b", 5, 10, 10)))
    with pytest.raises(ValueError, match=r"num_blocks 10: .* give 11 or more"):
        settings_of(recording, 10)
    assert settings_of(recording, 11).max_model_len == 160


def test_a_recording_comes_back_from_its_files(tmp_path: Path) -> None:
    recording = recorded(server(), requests=calls(5))
    folder = write(recording, tmp_path / "run")
    with (folder / "requests.jsonl").open() as lines:
        found = read_recording(Source(lines, "requests.jsonl", {"model": "m", "engine_kwargs": {"max_num_seqs": 3}}))
    assert (found.model, found.engine) == ("m", {"max_num_seqs": 3})
    for one, other in zip(found.timings, recording.timings, strict=True):
        assert one == pytest.approx(other, abs=1_000)
    line = (folder / "requests.jsonl").read_text().splitlines()[0]
    with pytest.raises(ReadError, match="at least two"):
        read_recording(Source([line], "requests.jsonl"))
    with pytest.raises(ReadError, match="arrival_time"):
        read_recording(Source([line.replace("arrival_time", "arrived")] * 2, "requests.jsonl"))


def test_tables_are_put_between_the_marks_of_a_page() -> None:
    recording = recorded(server())
    fitted, found = judged(recording, server())
    page = rewrite(
        f"before\n{BEGIN}\nold\n{END}\nafter\n", [Section(recording, 40, fitted, found, ["so"])], "2026-01-02"
    )
    assert page.startswith(f"before\n{BEGIN}\n\nMeasured on 2026-01-02.")
    assert page.endswith(f"- so\n\n{END}\nafter\n")
    assert "old" not in page
    assert page.count("**") == 24
    with pytest.raises(ValueError, match="lacks the marks"):
        rewrite("no marks", [], "2026-01-02")
