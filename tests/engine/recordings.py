"""Simulated recordings: a server whose costs are known, written down as a real one would."""

import json
from pathlib import Path
from random import Random

from engine.calibrate.cost import Form
from engine.calibrate.recording import Recording
from engine.calibrate.server import Call, Server, Timing, run
from engine.settings import Settings

DENSE = Form()

MIXTURE = Form(128, 8)

TRUTH = (0.012, 0.0, 6e-5, 8e-8, 9e-8, 0.05)
"""Seconds: step, experts, token, mixed_kv_token, kv_token, warm_up."""

SETTINGS = Settings(
    num_blocks=900,
    max_model_len=1_200,
    max_num_seqs=32,
    max_num_batched_tokens=512,
    async_scheduling=True,
    startup_rule=False,
)
"""So few seats and blocks that the run queues and preempts."""


def server(num_replicas: int = 1, settings: Settings = SETTINGS) -> Server:
    """A server with those settings."""
    return Server(settings=settings, num_replicas=num_replicas)


def calls(count: int = 120, seed: int = 1, gap_ms: int = 90) -> tuple[Call, ...]:
    """Requests that come at random, faster than they can be served."""
    chance, at, found = Random(seed), 0, []
    for number in range(count):
        found.append(Call(f"r{number}", at, chance.randint(40, 700), chance.randint(30, 400)))
        at += chance.randint(0, 2 * gap_ms) * 1_000_000
    return tuple(found)


def recorded(
    served_by: Server,
    truth: tuple[float, ...] = TRUTH,
    form: Form = DENSE,
    *,
    noise: float = 0.02,
    requests: tuple[Call, ...] | None = None,
) -> Recording:
    """What such a server would have recorded, each step up to `noise` faster or slower than the truth says."""
    sent = calls() if requests is None else requests
    cost, warm_up = form.cost(truth)
    chance = Random(7)

    def noisy(num_prefill_tokens: int, num_decode_seqs: int, num_kv_tokens: int) -> int:
        duration = cost(num_prefill_tokens, num_decode_seqs, num_kv_tokens)
        return int(duration * (1 + noise * (2 * chance.random() - 1)))

    reached = [call._replace(reached=call.reached + 2_000_000) for call in sent]
    timings = run(served_by, reached, noisy, warm_up).timings
    origin = timings[0].queued
    moved = tuple(Timing(*(time - origin for time in timing)) for timing in timings)
    return Recording("simulated", "a model", "0.19.0", {}, sent, moved)


def write(recording: Recording, folder: Path, **engine: object) -> Path:
    """The recording as a folder of files, on two clocks, as a real one."""
    folder.mkdir(parents=True, exist_ok=True)
    lines = []
    for call, timing in zip(recording.calls, recording.timings, strict=True):
        times = dict(zip(("queued_ts", "scheduled_ts", "first_token_ts", "last_token_ts"), timing, strict=True))
        lines.append(
            {"request_id": call.id, "input_toks": call.num_prompt_tokens, "output_toks": call.num_output_tokens}
            | {"arrival_time": 1.7e9 + call.reached / 1e9}
            | {name: 4_000 + time / 1e9 for name, time in times.items()}
        )
    (folder / "requests.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    kwargs = {"max_num_seqs": 32, "max_num_batched_tokens": 512, "max_model_len": None} | engine
    meta = {"model": recording.model, "vllm_version": recording.version, "engine_kwargs": kwargs}
    (folder / "meta.json").write_text(json.dumps(meta), "utf-8")
    return folder
