"""The log of a start: excerpts of true ones of vLLM 0.32.0 on a CPU, and lines that other machines would write."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path

import pytest

from engine.readers import ReadError
from engine.readers.serve import read_server
from engine.settings import Settings

CONFIG = (
    "(EngineCore pid=7) INFO 11-30 11:55:36 [core.py:133] Initializing a V1 LLM engine (v0.32.0) with config: "
    "model='tiny', speculative_config={speculation}, tokenizer='tiny', dtype=torch.bfloat16, max_seq_len=2048, "
    "tensor_parallel_size={ranks}, pipeline_parallel_size=1, data_parallel_size=1, decode_context_parallel_size=1, "
    "aux_output_config=AuxOutputConfig(enable_return_routed_experts=False, max_bytes=None), seed=0, "
    "served_model_name=tiny, enable_prefix_caching={caching}, enable_chunked_prefill=True, pooler_config=None, "
    "compilation_config={{'mode': <CompilationMode.NONE: 0>, 'custom_ops': ['all'], 'compile_ranges_endpoints': [512]}}"
)
ARGS = (
    "(APIServer pid=5) INFO 11-30 11:55:13 [api_utils.py:286] non-default args: {'port': 28431, 'api_key': '***', "
    "'model': 'tiny', 'max_model_len': 2048, 'enforce_eager': True, 'served_model_name': ['tiny'], 'block_size': 32, "
    "'max_num_batched_tokens': 512, 'max_num_seqs': 16, 'scheduling_policy': 'priority'}"
)
BANNER = "(APIServer pid=5) INFO 11-30 11:55:13 [api_utils.py:347]  ▄▄ ▄█ █     █     █ ▀▄▀ █  version 0.32.0"
LENGTH = "(APIServer pid=5) INFO 11-30 11:55:23 [model.py:2152] Using max model len 2048"
BUDGET = "(APIServer pid=5) INFO 11-30 11:55:23 [s.py:307] Chunked prefill is enabled with max_num_batched_tokens={}."
SIZE = (
    "(EngineCore pid=7) INFO 11-30 11:55:46 [kv_cache_utils.py:2327] {} KV cache size: {} tokens, "
    "Maximum concurrency for {} tokens per request: {}x"
)
ENGINE = CONFIG.format(speculation=None, ranks=1, caching=True)
FIRST = "\n".join(
    [
        BANNER,
        ARGS,
        LENGTH,
        BUDGET.format(512),
        ENGINE,
        SIZE.format("CPU", "2,097,152", "2,048", "1024.00"),
        "INFO:     done",
    ]
)


def test_a_true_start_on_a_cpu() -> None:
    server = read_server(FIRST)
    assert (server.kind, server.version, server.model, server.kv_tokens) == ("log", "0.32.0", "tiny", 2_097_152)
    assert server.values() == {
        "num_blocks": 65_536,
        "max_model_len": 2048,
        "block_size": 32,
        "max_num_seqs": 16,
        "max_num_batched_tokens": 512,
        "enable_prefix_caching": True,
        "enable_chunked_prefill": True,
        "policy": "priority",
        "scheduler_reserve_full_isl": True,
        "async_scheduling": False,
    }
    assert (server.concurrency, server.unknown, server.not_reproduced, server.notes) == (1024.0, (), (), ())
    assert server.no_effect == ("--api-key", "--enforce-eager", "--port", "--served-model-name")
    assert server.settings["num_blocks"].source == "log: 2,097,152 tokens in blocks of 32"
    Settings.from_mapping(server.values())


def test_a_true_start_with_a_pool_that_holds_no_whole_number_of_requests() -> None:
    text = "\n".join(
        [
            "non-default args: {'max_model_len': 1000, 'block_size': 32, 'num_gpu_blocks_override': 65, "
            "'enable_prefix_caching': False, 'long_prefill_token_threshold': 128, 'async_scheduling': False}",
            "[kv_cache_utils.py:2619] Overriding num_gpu_blocks=65536 with num_gpu_blocks_override=65",
            SIZE.format("CPU", "2,031", "1,000", "2.03"),
        ]
    )
    values = read_server(text).values()
    assert (values["num_blocks"], values["max_model_len"]) == (65, 1000)
    assert read_server(text.split("\n")[-1] + "\nnon-default args: {'block_size': 32}").values()["num_blocks"] == 65


@pytest.mark.parametrize(("block_size", "length"), [(16, 1000), (32, 1000), (16, 40_960), (128, 131), (1, 7)])
@pytest.mark.parametrize("blocks", [66, 1000, 1001, 65_537])
def test_the_number_of_blocks_comes_back_from_vllms_own_words(block_size: int, length: int, blocks: int) -> None:
    tokens = int(blocks / -(-length // block_size) * length)
    text = f"non-default args: {{'block_size': {block_size}}}\n" + SIZE.format(
        "GPU", f"{tokens:,}", f"{length:,}", "1.00"
    )
    server = read_server(text)
    assert server.values()["num_blocks"] == blocks
    assert server.not_reproduced == ()


@pytest.mark.parametrize(("budget", "seats"), [(2048, 256), (8192, 1024), (16_384, 1024)])
def test_a_budget_by_default_tells_the_machine_and_so_the_seats(budget: int, seats: int) -> None:
    text = "\n".join([BANNER, LENGTH, BUDGET.format(budget), ENGINE, SIZE.format("GPU", "100,000", "2,048", "48.83")])
    server = read_server(text)
    assert server.values()["max_num_seqs"] == seats
    assert server.values()["async_scheduling"] is True
    assert server.unknown == ()


def test_a_budget_that_was_given_tells_no_machine() -> None:
    text = "\n".join(
        [ARGS.replace(", 'max_num_seqs': 16", ""), BUDGET.format(8192), SIZE.format("GPU", "10,000", "2,048", "1")]
    )
    assert [one.setting for one in read_server(text).unknown] == ["max_num_seqs"]


def test_what_the_engines_configuration_tells() -> None:
    speculation = "SpeculativeConfig(method='ngram', model=None, num_spec_tokens=4)"
    server = read_server(CONFIG.format(speculation=speculation, ranks=8, caching=False))
    assert server.values()["enable_prefix_caching"] is False
    assert [lack.what for lack in server.not_reproduced] == ["speculative decoding"]
    assert any(note.startswith("tensor parallelism changes no decision") for note in server.notes)


def test_several_kinds_of_cache_are_seen() -> None:
    told = (
        BANNER + "\nINFO 11-30 11:00:00 [interface.py:1097] Setting attention block size to 528 tokens to ensure that"
    )
    assert [lack.what for lack in read_server(told).not_reproduced] == ["a hybrid model's cache"]
    # 1,001 blocks hold 16,016 tokens of one kind of cache, and never 12,345.
    sizes = "\n".join([BLOCKS_1001, SIZE.format("GPU", "12,345", "2,048", "6.03")])
    server = read_server(sizes)
    assert [lack.what for lack in server.not_reproduced] == ["a hybrid model's cache"]
    assert server.values()["num_blocks"] == 1001


BLOCKS_1001 = "non-default args: {'num_gpu_blocks_override': 1001, 'max_model_len': 2048}"


def test_a_backends_own_block_size_counts() -> None:
    told = "INFO 11-30 11:00:00 [interface.py:777] Setting kv cache block size to 64 for FLASHMLA backend(s)."
    assert read_server(told).values()["block_size"] == 64


def test_older_logs_are_read_and_told_apart() -> None:
    text = "\n".join(
        [
            "INFO 07-01 10:00:00 [api_server.py:1395] vLLM API server version 0.9.1",
            "INFO 07-01 10:00:00 [kv_cache_utils.py:711] GPU KV cache size: 643,232 tokens",
            "INFO 07-01 10:00:00 [kv_cache_utils.py:715] Maximum concurrency for 40,960 tokens per request: 15.70x",
        ]
    )
    server = read_server(text)
    assert (server.values()["num_blocks"], server.values()["max_model_len"], server.concurrency) == (
        40_202,
        40_960,
        15.7,
    )
    assert any(note.startswith("this is vLLM 0.9.1;") for note in server.notes)


def test_colours_prefixes_and_a_second_start_dont_matter() -> None:
    dressed = "\n".join(f"vllm-1  | \x1b[32m{line}\x1b[0m" for line in FIRST.split("\n"))
    assert read_server(dressed).to_mapping() == read_server(FIRST).to_mapping()
    assert (
        read_server(FIRST.replace("'max_num_seqs': 16", "'max_num_seqs': 99") + "\n" + FIRST).values()["max_num_seqs"]
        == 16
    )


def test_a_log_cut_off_in_the_middle_still_tells_what_it_holds() -> None:
    for end in range(0, len(FIRST), 7):
        text = FIRST[:end] + "\nINFO 11-30 11:55:13 [x.py:1] cut"
        assert read_server(text).kind == "log"


def test_an_endless_word_in_a_log_takes_no_longer_than_others() -> None:
    began = time.process_time()
    server = read_server(f"{'x' * 30_000}\n{FIRST}")
    assert server.values()["num_blocks"] == 65_536
    assert time.process_time() - began < 3, "a search that begins anew at each letter takes half a minute"


def test_a_key_in_a_log_isnt_kept() -> None:
    text = ARGS.replace("'***'", "'sk-live-1'").replace("'port'", "'hf_token': 'hf_Secret2', 'port'")
    assert "sk-live-1" not in repr(read_server(text))
    assert "hf_Secret2" not in repr(read_server(text))


def command(*arguments: str, given: str = "") -> subprocess.CompletedProcess[str]:
    words = [sys.executable, "-m", "engine", "read-server", *arguments]
    return subprocess.run(words, input=given, capture_output=True, text=True, check=False)


def test_the_command_reads_files_and_standard_input(tmp_path: Path) -> None:
    log = tmp_path / "start.log"
    log.write_text(FIRST, encoding="utf-8")
    told = command(str(log))
    assert told.returncode == 0
    assert "num_blocks" in told.stdout.splitlines()[2]
    assert "Requests of max_model_len tokens that fit at once: 1024" in told.stdout
    found = json.loads(command("-", "--machine", "gpu-70", "--json", given="vllm serve m --max-num-seqs 64").stdout)
    assert found["settings"]["max_num_seqs"] == {"value": 64, "source": "--max-num-seqs"}
    assert [one["setting"] for one in found["unknown"]] == ["num_blocks", "max_model_len"]


def test_the_command_says_what_cant_be() -> None:
    refused = command("-", given="ls -l")
    assert (refused.returncode, refused.stdout) == (2, "")
    assert refused.stderr.startswith("-: command line: got neither a command nor a log")
    impossible = (
        "vllm serve m --num-gpu-blocks-override 10 --max-model-len 4096 --max-num-seqs 8 --max-num-batched-tokens 512"
    )
    assert "Can't be: num_blocks is 10, which lends 9 blocks" in command("-", given=impossible).stdout


def test_a_file_that_is_one_endless_word_is_no_command_line_and_costs_no_time() -> None:
    with pytest.raises(ReadError, match="got a word of 5,000,000 characters, expected 131,072 at most"):
        read_server("y" * 5_000_000)
