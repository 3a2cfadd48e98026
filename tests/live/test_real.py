"""The link against a real vLLM 0.32.0 on this machine's processor. `make test-live` sets it up and runs this."""

import time
from collections import Counter
from pathlib import Path
from threading import Thread

import pytest

from bridging import bridge
from engine.live.agreement import agreement
from engine.trace import Arrived, Cancelled, Trace
from real import PYTHON, RECORDING, SMALL, Real, busy_requests, real_server, stop, wait_for

if not PYTHON:
    why = "the real vLLM is left out: `make test-live` sets it up (3.5 GB) and runs this"
    pytest.skip(why, allow_module_level=True)


TOKENS = (20, 500)


def recorded(real: Real, count: int, seed: int, priorities: int = 1) -> Trace:
    """Run a busy workload through a bridge, and its trace. Prints what the recorder cost."""
    with bridge(real.url, recorder_path=real.recorder, token_ids=TOKENS) as page:
        wait_for(page, "recorder")
        run = page.begin(busy_requests(count, seed, priorities=priorities))
        events = [value for _, value in page.events(run)]
        text = page.ask("GET", f"/api/runs/{run}/trace")[1]
        real.log.with_name(f"seed-{seed}.trace.jsonl").write_text(text, "utf-8")
        trace = Trace.from_jsonl(text)
    assert events[-1] == {"event": "end", "at": events[-1]["at"], "complete": True}
    [cost] = [value for value in events if "recorder_ns" in value]
    share = cost["recorder_ns"] / cost["steps_ns"]
    late = [value for value in events if value.get("event") == "lateness"][-1]
    print(f"\n{len(trace.steps())} steps; the recorder took {share:.2%} of their time; sent late: {late}")
    assert share < 0.02
    assert events[0]["settings"]["async_scheduling"] in (True, False)
    return trace


def check(trace: Trace, *, fresh: bool = True) -> None:
    """Everything that can happen did, and the engine decides every step alike."""
    rows = Counter(row.kind for step in trace.steps() for row in step.rows)
    happened = {
        "preempted": sum(len(step.preempted) for step in trace.steps()),
        "resumed": rows["resumed"],
        "evicted": sum(len(step.evicted) for step in trace.steps()),
        "hits": sum(len(row.hit_blocks) for step in trace.steps() for row in step.rows),
        "filled": sum(len(step.filled) for step in trace.steps()),
        "given up": len(list(trace.of(Cancelled))),
    }
    print(happened)
    assert all(happened.values()), happened
    result = agreement(trace)
    assert result.is_complete, result
    assert result.is_renamed is not fresh
    assert result.num_steps > 200


def check_prompts(trace: Trace) -> None:
    """Every prompt that reached the scheduler is there, and what began alike has the same blocks."""
    assert trace.header.holds_prompts
    reached = {row.id for step in trace.steps() for row in step.rows}
    arrived = [record for record in trace.of(Arrived) if record.id in reached]
    assert len(arrived) > 150
    block_size = int(str(trace.header.settings["block_size"]))
    beginnings: dict[tuple[int, ...], int] = {}
    for record in arrived:
        assert len(record.prompt_token_ids) == record.num_prompt_tokens
        assert all(TOKENS[0] <= token < TOKENS[1] for token in record.prompt_token_ids)
        for place, name in enumerate(record.block_names, 1):
            tokens = record.prompt_token_ids[: place * block_size]
            assert beginnings.setdefault(tokens, name) == name
    assert len(set(beginnings.values())) == len(beginnings)


def test_200_requests_scheduled_synchronously_agree_in_every_step(tmp_path: Path) -> None:
    with real_server(tmp_path, *SMALL, *RECORDING) as real:
        trace = recorded(real, 200, seed=1)
        check(recorded(real, 100, seed=6), fresh=False)
    assert not trace.header.settings["async_scheduling"]
    assert not trace.header.holds_prompts
    assert not any(record.prompt_token_ids for record in trace.of(Arrived))
    check(trace)


def test_200_requests_scheduled_asynchronously_agree_in_every_step(tmp_path: Path) -> None:
    with real_server(tmp_path, *SMALL, *RECORDING, asynchronous=True) as real:
        trace = recorded(real, 200, seed=2)
    assert trace.header.settings["async_scheduling"]
    assert any(step.planned is not None for step in trace.steps())
    check(trace)


def test_priorities_agree_and_a_server_killed_in_the_middle_leaves_what_came(tmp_path: Path) -> None:
    with real_server(tmp_path, *SMALL, *RECORDING, "--scheduling-policy", "priority", prompts="plain") as real:
        kept = recorded(real, 200, seed=3, priorities=4)
        check(kept)
        check_prompts(kept)
        assert "recordings of this server hold the prompts" in real.log.read_text("utf-8", "replace")
        with bridge(real.url, recorder_path=real.recorder) as page:
            wait_for(page, "recorder")
            run = page.begin(busy_requests(100, seed=4))
            Thread(target=lambda: (time.sleep(1.0), stop(real.process, 9)), daemon=True).start()
            events = [value for _, value in page.events(run)]
            trace = Trace.from_jsonl(page.ask("GET", f"/api/runs/{run}/trace")[1])
            status, problem, _ = page.ask("GET", "/api/backend")
    assert events[-1]["complete"] is False
    assert "the recorder is gone" in events[-1]["why"]
    assert trace.steps()
    assert (status, problem["where"]) == (502, "the model server")


def test_a_plain_vllm_gives_token_times_metrics_and_kv_events(tmp_path: Path) -> None:
    publisher = f"ipc://{tmp_path}/kv"
    config = f'{{"enable_kv_cache_events": true, "publisher": "zmq", "endpoint": "{publisher}"}}'
    from engine.live.bridge.options import Replica

    with real_server(tmp_path, *SMALL, "--kv-events-config", config) as real:
        replicas = (Replica("one", None, publisher),)
        with bridge(real.url, recorder_path=real.recorder, replicas=replicas, token_ids=(10, 500)) as page:
            found = wait_for(page, "vllm")
            events = page.run(busy_requests(30, seed=5))
    assert found["gives"] == ["tokens", "metrics", "kv_events"]
    assert found["settings"] == {
        "num_blocks": 30, "block_size": 32, "enable_prefix_caching": True, "max_model_len": 512,
    }  # fmt: skip
    counts = Counter(str(value.get("event")) for value in events)
    assert counts["arrived"] == 30
    assert counts["metrics"] >= 2
    assert counts["kv"] > 10
    assert events[-1]["complete"] is True
