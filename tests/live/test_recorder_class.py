"""The scheduler class, on a pretended vLLM: which versions it takes, which scheduler it chooses, what it passes on."""

import importlib
import sys
from types import ModuleType
from types import SimpleNamespace as Thing
from typing import Any

import pytest


class PretendedScheduler:
    """Has what the recorder calls and looks at."""

    def __init__(self, vllm_config: Any, block_size: int) -> None:
        self.vllm_config, self.block_size, self.max_model_len, self.max_num_scheduled_tokens = (
            vllm_config,
            block_size,
            64,
            32,
        )
        self.cache_config = Thing(num_gpu_blocks=9, enable_prefix_caching=True)
        self.kv_cache_config, self.connector = Thing(kv_cache_groups=[1]), None
        self.kv_cache_manager = Thing(block_pool=Thing(_maybe_evict_cached_block=lambda block: block.cached))
        self.requests: dict[str, Any] = {}
        self.preempts: list[Any] = []

    def add_request(self, request: Any) -> None:
        self.requests[request.request_id] = request

    def finish_requests(self, ids: Any, status: Any) -> Any:
        return [self.requests.pop(name) for name in ids if name in self.requests]

    def schedule(self, throttle: bool = False) -> Any:
        for request in self.preempts:
            self._preempt_request(request, 0.0)
        self.kv_cache_manager.block_pool._maybe_evict_cached_block(Thing(block_id=5, cached=True))
        self.kv_cache_manager.block_pool._maybe_evict_cached_block(Thing(block_id=6, cached=False))
        cached = Thing(req_ids=[], num_computed_tokens=[], new_block_ids=[], resumed_req_ids=set())
        new = [Thing(req_id=name, num_computed_tokens=0, block_ids=([1],)) for name in self.requests]
        counts = dict.fromkeys(self.requests, 4)
        return Thing(scheduled_new_reqs=new, scheduled_cached_reqs=cached, num_scheduled_tokens=counts)

    def update_from_output(self, output: Any, model_output: Any) -> Any:
        return {0: Thing(outputs=[Thing(request_id="a", new_token_ids=[1], finish_reason=Thing(name="STOP"))])}

    def _preempt_request(self, request: Any, timestamp: float) -> str:
        return "preempted"


class PretendedAsyncScheduler(PretendedScheduler):
    """The one that runs a step ahead."""


def pretend(monkeypatch: pytest.MonkeyPatch, version: str) -> Any:
    """Import the recorder with a vLLM of that version."""
    modules = {name: ModuleType(name) for name in ("vllm", "vllm.v1", "vllm.v1.core", "vllm.v1.core.sched")}
    modules["vllm"].__version__ = version  # type: ignore[attr-defined]
    for name, kind in (("async_scheduler", PretendedAsyncScheduler), ("scheduler", PretendedScheduler)):
        modules[f"vllm.v1.core.sched.{name}"] = ModuleType(name)
        setattr(modules[f"vllm.v1.core.sched.{name}"], "AsyncScheduler" if "async" in name else "Scheduler", kind)
    for name, module in modules.items():
        monkeypatch.setitem(sys.modules, name, module)
    monkeypatch.delitem(sys.modules, "engine.live.recorder", raising=False)
    found = importlib.import_module("engine.live.recorder")
    monkeypatch.delitem(sys.modules, "engine.live.recorder")
    return found


class Link:
    """Keeps what is told."""

    def __init__(self, path: Any, hello: Any) -> None:
        self.hello, self.is_on, self.state_wanted, self.since = hello, True, False, 0
        self.told: list[Any] = []
        self.is_stopped = False

    def stop(self) -> None:
        self.is_stopped, self.is_on = True, False

    def tell(self, message: Any) -> None:
        self.told.append(message)


def config(*, asynchronous: bool = False, **more: Any) -> Any:
    scheduler = {
        "async_scheduling": asynchronous, "max_num_seqs": 8, "max_num_active_seqs": None, "policy": "fcfs",
        "enable_chunked_prefill": True, "long_prefill_token_threshold": 0, "watermark": 0.0,
        "long_prefill_token_threshold_adaptive": False, "scheduler_reserve_full_isl": True,
    }  # fmt: skip
    known = {
        "scheduler_config": Thing(**scheduler),
        "model_config": Thing(served_model_name="tiny", model="/somewhere/tiny", get_vocab_size=lambda: 512),
        "parallel_config": Thing(data_parallel_rank=0, pipeline_parallel_size=1),
        "speculative_config": None,
        "lora_config": None,
    }
    return Thing(**known | more)


@pytest.mark.parametrize("version", ["0.31.9", "0.32.1", "0.33.0", "0.19.1"])
def test_another_version_is_refused_by_name_with_a_mend(monkeypatch: pytest.MonkeyPatch, version: str) -> None:
    with pytest.raises(ImportError, match=f"knows vLLM 0.32.0, and this is vLLM {version}: start the server without"):
        pretend(monkeypatch, version)


@pytest.mark.parametrize("version", ["0.32.0", "0.32.0+cpu"])
@pytest.mark.parametrize("asynchronous", [False, True])
def test_it_takes_the_scheduler_that_the_server_is_set_to(
    monkeypatch: pytest.MonkeyPatch, version: str, asynchronous: bool
) -> None:
    recorder = pretend(monkeypatch, version)
    monkeypatch.setattr(recorder, "RecorderLink", Link)
    made = recorder.RecordingScheduler(vllm_config=config(asynchronous=asynchronous), block_size=16)
    assert isinstance(made, PretendedScheduler)
    assert isinstance(made, PretendedAsyncScheduler) is asynchronous
    hello = made._link.hello
    assert (hello["version"], hello["model"], hello["lane"], hello["lacks"]) == (version, "tiny", "replica 0", [])
    assert hello["settings"]["async_scheduling"] is asynchronous
    assert (hello["settings"]["num_blocks"], hello["settings"]["block_size"]) == (9, 16)


def test_what_the_engine_doesnt_know_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    recorder = pretend(monkeypatch, "0.32.0")
    monkeypatch.setattr(recorder, "RecorderLink", Link)
    made = recorder.RecordingScheduler(config(speculative_config=Thing(), lora_config=Thing()), block_size=16)
    assert [why.rpartition(" as ")[2] for _, why in made._link.hello["lacks"]] == [
        "speculative decoding",
        "LoRA adapters",
    ]


def test_every_call_is_noted_and_passed_on(monkeypatch: pytest.MonkeyPatch) -> None:
    recorder = pretend(monkeypatch, "0.32.0")
    monkeypatch.setattr(recorder, "RecorderLink", Link)
    made = recorder.RecordingScheduler(vllm_config=config(), block_size=4)
    a, b = (
        Thing(request_id=name, num_prompt_tokens=4, max_tokens=2, priority=0, block_hashes=[], num_preemptions=0,
              num_output_tokens=0) for name in "ab"
    )  # fmt: skip
    made.add_request(a)
    made.add_request(b)
    assert [one.request_id for one in made.finish_requests(["b", "c"], "aborted")] == ["b"]
    made.preempts = [b]
    output = made.schedule(False)
    assert made._preempt_request(b, 1.0) == "preempted"
    assert made.update_from_output(output, None)[0].outputs[0].request_id == "a"
    told = [(message[0], *message[2:]) for message in made._link.told]
    assert told[:3] == [("add", "a", 4, 2, 0, ()), ("add", "b", 4, 2, 0, ()), ("leave", (("b", 0),))]
    assert told[3] == ("plan", 1, [("a", 4, 0, 1, (1,), ())], ("b",), (5,))
    assert told[4][:3] == ("done", 1, [("a", 1, "stop", ())])
    assert len(told) == 5


@pytest.mark.parametrize(
    ("asked", "keeps", "words"),
    [(None, False, ""), ("", False, ""), ("plain", True, "hold the prompts"), ("yes", False, "'yes', and 'plain' is")],
)
def test_prompts_of_a_bridges_requests_are_told_where_the_environment_asks_for_them(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, asked: str | None, keeps: bool, words: str
) -> None:
    if asked is None:
        monkeypatch.delenv("ENGINE_LIVE_PROMPTS", raising=False)
    else:
        monkeypatch.setenv("ENGINE_LIVE_PROMPTS", asked)
    recorder = pretend(monkeypatch, "0.32.0")
    monkeypatch.setattr(recorder, "RecorderLink", Link)
    made = recorder.RecordingScheduler(vllm_config=config(), block_size=4)
    common = {"num_prompt_tokens": 2, "max_tokens": 2, "priority": 0, "block_hashes": []}
    for name, prompt in (("cmpl-itb-run-0-0-01234567", [7, 8]), ("cmpl-other", [9, 9]), ("cmpl-itb-run-1-0", None)):
        made.add_request(Thing(request_id=name, prompt_token_ids=prompt, **common))
    assert made._link.hello["keeps_prompts"] is keeps
    told = [message for message in made._link.told if message[0] == "prompt"]
    assert told == ([("prompt", "cmpl-itb-run-0-0-01234567", [7, 8])] if keeps else [])
    assert [message[0] for message in made._link.told].count("add") == 3
    assert words in caplog.text
    assert bool(words) is bool(caplog.text)


def test_a_note_that_fails_ends_the_notes_and_not_the_server(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    recorder = pretend(monkeypatch, "0.32.0")
    monkeypatch.setattr(recorder, "RecorderLink", Link)
    made = recorder.RecordingScheduler(vllm_config=config(), block_size=4)
    odd = Thing(request_id="a", num_preemptions=0)  # without all that a note is made of
    made.add_request(odd)
    output = made.schedule(False)
    assert output.num_scheduled_tokens == {"a": 4}
    assert made.update_from_output(output, None)
    assert made._link.is_stopped
    assert not made._link.told
    assert caplog.text.count("tells no more of it") == 1
