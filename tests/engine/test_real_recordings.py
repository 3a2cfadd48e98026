"""The recordings of a real vLLM: fitted to a third, the rest is predicted within 5 %. Not in the repository."""

import json
from pathlib import Path

import pytest

from engine.calibrate.fit import fit
from engine.calibrate.judge import judge, predict
from engine.calibrate.recording import form_of, num_replicas_of, read_recording, settings_of
from engine.calibrate.server import Server
from engine.readers.source import Source

FOLDER = Path(__file__).parents[3] / "shared" / "data" / "vllm-recordings"

NAMES = ("RTXPRO6000_Llama-3.1-8B", "RTXPRO6000_Qwen3-32B", "RTXPRO6000_Qwen3-30B-A3B-Instruct-2507")

ROOMY = 100_000
"""Blocks. The recordings don't say how many there were; in them the pool was never short."""


@pytest.mark.skipif(
    not FOLDER.is_dir(), reason="../shared/data/vllm-recordings isn't there: it isn't part of the project"
)
@pytest.mark.parametrize("name", NAMES)
def test_every_statistic_of_the_rest_is_predicted_within_5_percent(name: str) -> None:
    folder = FOLDER / name
    with (folder / "requests.jsonl").open(encoding="utf-8") as lines:
        meta = json.loads((folder / "meta.json").read_text("utf-8"))
        recording = read_recording(Source(lines, str(folder / "requests.jsonl"), meta, name))
    served_by = Server(settings=settings_of(recording, ROOMY), num_replicas=num_replicas_of(recording))
    problem = recording.training_part(1 / 3)
    assert (len(problem.timings), len(problem.calls)) == (100, 300)
    judged = judge(recording, problem, predict(problem, fit(problem, served_by, form_of(recording))))
    errors = {f"{latency} {key}": one.error for latency, found in judged.items() for key, one in found.items()}
    assert len(errors) == 12
    assert {name: error for name, error in errors.items() if abs(error) > 0.05} == {}
