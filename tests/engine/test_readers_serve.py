"""A server's command line, in the shapes that people paste, becomes settings; what isn't one is named."""

from __future__ import annotations

from time import process_time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.readers import ReadError
from engine.readers.serve import MACHINES, Server, read_server
from engine.readers.serve.command import KNOWN, MOST_NAMED
from engine.readers.serve.lacks import WHEN
from engine.readers.serve.options import ONE, SHORT, SOME, WISHES
from engine.readers.serve.settings import OPTIONS
from engine.settings import Settings

SEATS = "--max-num-seqs 64 --max-model-len 8192"
SAME_SETTINGS = {
    "plain": f"vllm serve Qwen/Qwen3-8B {SEATS}",
    "with a path": f"/opt/venv/bin/vllm serve Qwen/Qwen3-8B {SEATS}",
    "equals signs": "vllm serve Qwen/Qwen3-8B --max-num-seqs=64 --max-model-len=8192",
    "underscores": "vllm serve Qwen/Qwen3-8B --max_num_seqs 64 --max_model_len=8192",
    "model last": f"vllm serve {SEATS} Qwen/Qwen3-8B",
    "continued lines": "vllm serve Qwen/Qwen3-8B \\\n    --max-num-seqs 64 \\  \n    --max-model-len 8192\n",
    "continued in PowerShell": "vllm serve Qwen/Qwen3-8B `\n --max-num-seqs 64 `\r\n --max-model-len 8192",
    "continued in cmd": "vllm serve Qwen/Qwen3-8B ^\r\n --max-num-seqs 64 --max-model-len 8192",
    "quotes": "vllm serve 'Qwen/Qwen3-8B' \"--max-num-seqs\" '64' --max-model-len \"8192\"",
    "quotes of a word processor": "vllm serve “Qwen/Qwen3-8B” –max-num-seqs 64 —max-model-len ‘8192’",
    "a prompt": f"user@host:~$ vllm serve Qwen/Qwen3-8B {SEATS}",
    "root's prompt": f"# vllm serve Qwen/Qwen3-8B {SEATS}",
    "comments": f"# our server\nvllm serve Qwen/Qwen3-8B {SEATS}\n# that's all",
    "an environment": f"CUDA_VISIBLE_DEVICES=0,1 HF_TOKEN=hf_abc vllm serve Qwen/Qwen3-8B {SEATS}",
    "nohup and a log": f"nohup vllm serve Qwen/Qwen3-8B {SEATS} > server.log 2>&1 &",
    "after another command": f". v/bin/activate && vllm serve Qwen/Qwen3-8B {SEATS} | tee log; echo --max-num-seqs 1",
    "the module": f"python3 -m vllm.entrypoints.openai.api_server --model Qwen/Qwen3-8B {SEATS}",
    "uv": f"uv run --with vllm vllm serve Qwen/Qwen3-8B {SEATS}",
    "docker": "docker run --runtime nvidia --gpus all -v ~/models:/models "
    '--env "HF_TOKEN=hf_abc" -p 8000:8000 --ipc=host --name vllm --rm '
    f"vllm/vllm-openai:v0.32.0 --model Qwen/Qwen3-8B {SEATS}",
    "docker, positional": f"sudo docker run -d -p 8000:8000 vllm/vllm-openai:v0.32.0-x86_64 Qwen/Qwen3-8B {SEATS}",
    "a registry of one's own": f"podman run --rm registry.example:5000/ml/vllm-openai@sha256:abc Qwen/Qwen3-8B {SEATS}",
    "docker with the command": f"docker run vllm/vllm-openai:v0.32.0 bash -c x; vllm serve Qwen/Qwen3-8B {SEATS}",
    "short options": f"vllm serve Qwen/Qwen3-8B {SEATS} -tp 2 -q=fp8 -O3",
    "the last one counts": f"vllm serve Qwen/Qwen3-8B --max-num-seqs 8 {SEATS}",
    "a beginning that is enough": "vllm serve Qwen/Qwen3-8B --max-num-se 64 --max-model-l 8192",
}


@pytest.mark.parametrize("text", SAME_SETTINGS.values(), ids=SAME_SETTINGS)
def test_one_server_in_many_shapes(text: str) -> None:
    server = read_server(text, "gpu")
    values = server.values()
    assert (values["max_num_seqs"], values["max_model_len"], server.model) == (64, 8192, "Qwen/Qwen3-8B")
    assert server.unrecognised == ()
    assert [one.setting for one in server.unknown] == ["num_blocks"]


def test_bare_options_are_read_too() -> None:
    assert read_server("--max-num-seqs 64\n--no-enable-prefix-caching").values()["enable_prefix_caching"] is False


OPTION_VALUES: dict[str, dict[str, Any]] = {
    "--num-gpu-blocks-override 1000": {"num_blocks": 1000},
    "--max-model-len 8k": {"max_model_len": 8000},
    "--max-model-len 8K": {"max_model_len": 8192},
    "--max-model-len 25.6k": {"max_model_len": 25_600},
    "--max-num-batched-tokens 1M": {"max_num_batched_tokens": 1_048_576},
    "--block-size 32": {"block_size": 32},
    "--no-enable-prefix-caching": {"enable_prefix_caching": False},
    "--enable-prefix-caching": {"enable_prefix_caching": True},
    "--no-enable-chunked-prefill": {"enable_chunked_prefill": False},
    "--scheduling-policy priority": {"policy": "priority"},
    "--long-prefill-token-threshold=512": {"long_prefill_token_threshold": 512},
    "--long-prefill-token-threshold-adaptive": {"long_prefill_token_threshold_adaptive": True},
    "--watermark 0.01": {"watermark": 0.01},
    "--no-scheduler-reserve-full-isl": {"scheduler_reserve_full_isl": False},
    "--no-async-scheduling": {"async_scheduling": False},
    "--max-num-active-seqs 4": {"max_num_active_seqs": 4},
}


@pytest.mark.parametrize(("options", "expected"), OPTION_VALUES.items(), ids=OPTION_VALUES)
def test_an_option_is_a_setting(options: str, expected: dict[str, Any]) -> None:
    server = read_server(f"vllm serve m {options}")
    assert server.values().items() >= expected.items()
    (name,) = expected
    assert server.settings[name].source == options.partition(" ")[0].partition("=")[0]


def test_every_setting_of_vllm_has_its_option() -> None:
    ours = {"reject_unservable", "keep_stale_hashes"}
    assert {name for name, _ in OPTIONS.values() if name} == set(Settings.__dataclass_fields__) - ours - {
        "startup_rule"
    }


def test_options_are_known_once_and_named_ones_exist() -> None:
    assert len(WISHES) + len(ONE) + len(SOME) == len(KNOWN) == 317
    assert set(OPTIONS) | set(WHEN) | set(SHORT.values()) <= KNOWN


LACKS = {
    '--speculative-config \'{"method": "ngram", "num_speculative_tokens": 4}\'': "speculative decoding",
    "--speculative-config.method eagle --speculative-config.num_speculative_tokens 2": "speculative decoding",
    "--enable-lora --max-loras 4": "LoRA adapters",
    "--lora-modules sql=/x chat=/y": "LoRA adapters",
    "-pp 2": "pipeline parallelism",
    "--data-parallel-size=4": "data parallel replicas",
    "-dcp 2": "context parallelism",
    '--kv-transfer-config \'{"kv_connector":"NixlConnector"}\'': "a KV connector or KV offloading",
    "--kv-offloading-size 64": "a KV connector or KV offloading",
    "--scheduler-cls mine.Scheduler": "a scheduler of your own",
    "--max-num-queued-reqs 100": "a limit on the queue",
    "--max-num-scheduled-tokens 512": "a budget for scheduling alone",
    "--prefill-schedule-interval 4": "spaced-out prefills",
    "--runner pooling": "pooling and embedding",
    "--limit-mm-per-prompt.image 2": "images, audio and video",
    "--mamba-cache-mode align": "a hybrid model's cache",
}


@pytest.mark.parametrize(("options", "what"), LACKS.items(), ids=LACKS)
def test_what_the_engine_doesnt_reproduce_is_named_once(options: str, what: str) -> None:
    assert [lack.what for lack in read_server(f"vllm serve m {options}").not_reproduced] == [what]


@pytest.mark.parametrize("model", ["openai/gpt-oss-120b", "google/gemma-3-27b-it", "ai21labs/Jamba-v0.1"])
def test_a_model_with_sliding_windows_or_state_is_known_by_its_name(model: str) -> None:
    assert [lack.what for lack in read_server(f"vllm serve {model}").not_reproduced] == ["a hybrid model's cache"]
    assert read_server("vllm serve Qwen/Qwen3-8B").not_reproduced == ()


@pytest.mark.parametrize(
    "options", ["-pp 1", "--no-enable-lora", "--runner generate", "--prefill-schedule-interval 1", ""]
)
def test_what_asks_for_nothing_special_isnt_named(options: str) -> None:
    assert read_server(f"vllm serve m {options}").not_reproduced == ()


def test_options_that_arent_vllms_are_named_without_their_values() -> None:
    server = read_server("vllm serve m --max-num-sequences 64 --tp 2 --foo=bar --baz qux -zz")
    assert server.unrecognised == (
        "--max-num-sequences (did you mean --max-num-seqs?)",
        "--tp (did you mean --tensor-parallel-size?)",
        "--foo",
        "--baz",
        "-zz",
    )
    assert "bar" not in repr(server)
    assert "qux" not in repr(server)


def test_thousands_of_options_that_are_none_are_counted_and_cost_no_time() -> None:
    """Each was compared with all of vLLM's: 20,000 took half a minute in a browser."""
    options = " ".join(f"--unknown-option-{number} {number}" for number in range(20_000))
    started = process_time()
    server = read_server(f"vllm serve m --max-num-seqs 8 {options}")
    assert process_time() - started < 3, "it is half a second where nothing else is at work"
    assert server.unrecognised == tuple(f"--unknown-option-{number}" for number in range(MOST_NAMED))
    assert "19,900 more options that vLLM 0.32.0 doesn't have stand there, and aren't named here" in server.notes
    assert server.values()["max_num_seqs"] == 8


def test_options_that_change_no_decision_are_named() -> None:
    assert read_server("vllm serve m --port 80 --dtype=half --enforce-eager").no_effect == (
        "--dtype", "--enforce-eager", "--port",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("machine", "seats", "budget"), [(one.name, one.max_num_seqs, one.max_num_batched_tokens) for one in MACHINES]
)
def test_seats_and_budget_depend_on_the_machine(machine: str, seats: int, budget: int) -> None:
    values = read_server("vllm serve m --max-model-len 20000", machine).values()
    assert (values["max_num_seqs"], values["max_num_batched_tokens"]) == (seats, budget)


def test_defaults_follow_what_is_given() -> None:
    def batch(options: str, machine: str = "gpu-70") -> tuple[int, int]:
        values = read_server(f"vllm serve m {options}", machine).values()
        return values["max_num_seqs"], values["max_num_batched_tokens"]

    assert batch("--max-model-len 4096 -tp 4", "cpu") == (512, 8192)
    assert batch("--max-model-len 4096 --performance-mode throughput") == (2048, 16_384)
    assert batch("--max-model-len 20000 --no-enable-chunked-prefill") == (1024, 20_000)
    assert batch("--max-model-len 16 --max-num-seqs 4") == (4, 64)
    assert batch("--max-num-batched-tokens 100") == (100, 100)


def test_a_cpu_has_its_own_defaults() -> None:
    values = read_server("vllm serve m", "cpu").values()
    assert (values["block_size"], values["async_scheduling"]) == (128, False)
    assert read_server("vllm serve m", "gpu").values()["async_scheduling"] is True
    assert read_server("vllm serve m --spec-method ngram", "gpu").values()["async_scheduling"] is False


def test_what_isnt_told_is_unknown_with_the_way_to_find_it() -> None:
    unknown = {one.setting: one.how for one in read_server("vllm serve m").unknown}
    assert list(unknown) == ["num_blocks", "max_model_len", "max_num_seqs", "max_num_batched_tokens"]
    assert "vllm:cache_config_info" in unknown["num_blocks"]
    assert all(len(how) > 30 for how in unknown.values())


@pytest.mark.parametrize("value", ["-1", "auto", "$MAX_LEN", "many"])
def test_a_length_that_cant_be_read_is_unknown(value: str) -> None:
    server = read_server(f"vllm serve m --max-model-len {value}")
    assert "max_model_len" in [one.setting for one in server.unknown]
    assert any(note.startswith("--max-model-len has a value") for note in server.notes) == (
        value in ("$MAX_LEN", "many")
    )


def test_other_versions_and_files_of_settings_are_noted() -> None:
    notes = read_server("docker run vllm/vllm-openai:v0.11.0 m --config server.yaml").notes
    assert any(note.startswith("this is vLLM 0.11.0;") for note in notes)
    assert any(note.startswith("--config names a file") for note in notes)


def test_concurrency_is_vllms_own_formula() -> None:
    server = read_server("vllm serve m --num-gpu-blocks-override 65 --max-model-len 1000 --block-size 32")
    assert server.concurrency == 2.03


def test_what_somebody_knows_beyond_the_text_counts() -> None:
    server = read_server("vllm serve m --max-num-seqs 8", "gpu", {"num_blocks": 1001, "max_model_len": 4096})
    assert server.settings["num_blocks"] == (1001, "you said so")
    assert (server.concurrency, server.unknown) == (3.91, ())


SECRETS = ("sk-live-1", "hf_Secret2", "Bearer3", "pa$$word4")


@pytest.mark.parametrize(
    "text",
    [
        "vllm serve m --api-key sk-live-1 hf_Secret2 --hf-token Bearer3",
        "vllm serve m --api-key=sk-live-1 --hf_token=hf_Secret2",
        "vllm serve https://someone:sk-live-1@models.example/m",
        "vllm serve --model https://hf_Secret2@models.example/m",
        "HF_TOKEN=hf_Secret2 VLLM_API_KEY=sk-live-1 vllm serve m",
        "docker run -e HF_TOKEN=hf_Secret2 --env VLLM_API_KEY=sk-live-1 vllm/vllm-openai:latest --model m",
        "vllm serve m --apikey sk-live-1 --api-keys hf_Secret2 --token=Bearer3",
        "vllm serve m --max-num-seqs sk-live-1 --watermark hf_Secret2 --scheduling-policy Bearer3",
        """vllm serve m --additional-config '{"token": "Bearer3"}' --kv-transfer-config '{"password": "pa$$word4"}'""",
    ],
)  # fmt: skip
def test_a_secret_is_neither_kept_nor_told(text: str) -> None:
    told = repr(read_server(text)) + repr(read_server(text).to_mapping())
    assert not [secret for secret in SECRETS if secret in told]


@pytest.mark.parametrize(
    "text",
    ["", "  ", "echo sk-live-1", "vllm chat sk-live-1", "docker run nginx sk-live-1", "{}", "vllm serve 'sk-live-1"],
)  # fmt: skip
def test_what_starts_no_server_is_refused_without_repeating_it(text: str) -> None:
    with pytest.raises(ReadError, match=r"^command line: got ") as refused:
        read_server(text)
    assert "sk-live-1" not in str(refused.value)


def test_a_machine_that_isnt_known_is_refused() -> None:
    with pytest.raises(ReadError, match=r"^machine: got 'abacus', expected one of gpu, gpu-70, gpu-160, cpu$"):
        read_server("vllm serve m", "abacus")


@given(st.text(max_size=300))
@settings(max_examples=300)
def test_any_text_is_read_or_refused(text: str) -> None:
    for shown in (text, f"vllm serve {text}", f"INFO 11-30 11:58:27 [x.py:1] non-default args: {{{text}}}"):
        try:
            server = read_server(shown)
        except ReadError:
            continue
        assert isinstance(server, Server)


@given(
    st.lists(
        st.tuples(
            st.sampled_from(sorted(KNOWN)),
            st.sampled_from(["{0} {1}", "{0}={1}"]),
            st.text(st.characters(categories=["L", "N"]), min_size=1, max_size=8),
        ),
        max_size=12,
    )
)
@settings(max_examples=200)
def test_every_option_of_vllm_is_recognised_and_no_value_of_the_others_kept(
    options: list[tuple[str, str, str]],
) -> None:
    parts = [form.format("--" + name.replace("_", "-"), f"VALUE{value}") for name, form, value in options]
    server = read_server(" ".join(["vllm serve m", *parts]))
    assert server.unrecognised == ()
    heads = [name for name, _, _ in options]
    assert ("VALUE" in repr(server)) <= ("model" in heads)
    named = {name for name in heads if name not in OPTIONS and name not in WHEN and name not in ("model", "config")}
    assert set(server.no_effect) == {"--" + name.replace("_", "-") for name in named}
