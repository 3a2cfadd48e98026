"""One small file of every format that can be read, made up for the tests."""

import json
from typing import Any

AZURE = """\
TIMESTAMP,ContextTokens,GeneratedTokens
2024-02-29 23:59:59.5000000,374,44
2024-03-01 00:00:00.0000001,396,109
2024-03-01 00:00:02,20,0
2024-02-29 23:59:59.75,20,1
"""

AZURE_WITH_ZONE = """\
TIMESTAMP,ContextTokens,GeneratedTokens
2024-05-10 00:00:00.009930+00:00,2162,5
2024-05-10 02:00:01.009930+02:00,2399,6
"""

BURSTGPT = """\
Timestamp,Model,Request tokens,Response tokens,Total tokens,Log Type
5,ChatGPT,472,18,490,Conversation log
45.5,GPT-4,1087,230,1317,API log
118,GPT-4,417,0,417,API log
"""

BURSTGPT_WITH_SESSIONS = """\
Timestamp,Session ID,Elapsed time,Model,Request tokens,Response tokens,Total tokens,Log Type
19440110.0,u-1,43,GPT-4,906,446,1352,Conversation log
19440161.0,,2,ChatGPT,36,29,65,API log
"""

MOONCAKE = """\
{"timestamp": 27482, "input_length": 1025, "output_length": 52, "hash_ids": [46, 47, 48]}
{"timestamp": 30535, "input_length": 1024, "output_length": 26, "hash_ids": [46, 47]}
{"timestamp": 30536, "input_length": 9, "output_length": 2}
"""

RECORDING = """\
{"request_id": "b-0", "input_toks": 9, "output_toks": 3, "arrival_time": 1777142838.3, "queued_ts": 50.5, \
"scheduled_ts": 50.75, "first_token_ts": 51, "last_token_ts": 53.0}
{"request_id": "b-1", "input_toks": 7, "output_toks": 1, "arrival_time": 1777142838.6, "queued_ts": 51.000000001, \
"scheduled_ts": 51.5, "first_token_ts": 52.5, "last_token_ts": 52.5}
"""

RECORDING_META: dict[str, Any] = {
    "model": "m",
    "vllm_version": "0.19.0",
    "engine_kwargs": {"max_num_seqs": 128, "max_model_len": None, "dtype": "bfloat16"},
}

VLLM: dict[str, Any] = {
    "date": "20260101-000000",
    "model_id": "m",
    "request_rate": "inf",
    "burstiness": 1.0,
    "max_concurrency": 2,
    "duration": 4.0,
    "completed": 3,
    "total_input_tokens": 60,
    "input_lens": [10, 20, 30, 5],
    "output_lens": [3, 5, 1, 0],
    "ttfts": [0.25, 0.5, 1.0, 0.0],
    "itls": [[0.125, 0.125], [0.25, 0.25], [], []],
    "latencies": [0.5, 1.0, 1.0, 0.0],
    "start_times": [1000.0, 1000.5, 1001.0, 1002.0],
    "queue_times": [0.0, 0.0, 1.5, 0.0],
    "errors": ["", "", "", "Traceback …"],
    "mean_ttft_ms": 583.3,
    "std_itl_ms": float("nan"),
}


def guidellm_request(
    name: str, start: float | None, *, first: float | None = None, last: float | None = None
) -> dict[str, Any]:
    """A request in the shape of GuideLLM, with as many times as it got to."""
    timings = {
        "targeted_start": None if start is None else start - 0.5,
        "queued": 1.0,
        "dequeued": 1.0,
        "scheduled_at": 1.0,
        "request_start": start,
        "first_token_iteration": first,
        "last_token_iteration": last,
        "request_end": None if last is None else last + 0.125,
    }
    return {"request_id": name, "info": {"timings": timings}, "prompt_tokens": 10, "output_tokens": 5 if last else None}


GUIDELLM: dict[str, Any] = {
    "metadata": {"version": 1},
    "benchmarks": [
        {
            "requests": {
                "successful": [guidellm_request("a", 1700000000.5, first=1700000001.0, last=1700000002.0)],
                "incomplete": [guidellm_request("b", 1700000001.0, first=1700000001.5)],
                "errored": [guidellm_request("c", 1700000001.25), guidellm_request("d", None)],
            }
        }
    ],
}


def aiperf_line(name: str, start: int, *, phase: str = "profiling", **metrics: Any) -> dict[str, Any]:
    """A request in the shape of AIPerf, its metrics given as (value, unit)."""
    return {
        "metadata": {
            "x_request_id": name,
            "request_start_ns": start,
            "request_ack_ns": start + 1,
            "request_end_ns": start + 900_000_000,
            "benchmark_phase": phase,
            "was_cancelled": False,
        },
        "metrics": {key: dict(zip(("value", "unit"), pair, strict=True)) for key, pair in metrics.items()},
        "error": None,
    }


AIPERF_GOOD = aiperf_line(
    "x",
    1_759_813_207_000_000_000,
    input_sequence_length=(550, "tokens"),
    output_sequence_length=(4, "tokens"),
    time_to_first_token=(250.5, "ms"),
    request_latency=(0.5, "s"),
    inter_token_latency=(83.166, "ms"),
    inter_chunk_latency=([100, 149.5], "ms"),
)
AIPERF_CANCELLED = aiperf_line("y", 1_759_813_208_000_000_000, error_isl=(70, "tokens"))
AIPERF_CANCELLED["metadata"] |= {"was_cancelled": True, "cancellation_time_ns": 1_759_813_208_000_000_007}
AIPERF_CANCELLED["error"] = {"code": 499, "type": "RequestCancellationError"}
AIPERF_FAILED = {**aiperf_line("z", 1_759_813_209_000_000_000), "metrics": None, "error": {"code": 500}}
AIPERF_WARM_UP = aiperf_line("w", 1_759_813_200_000_000_000, phase="warmup")

AIPERF = "".join(json.dumps(line) + "\n" for line in (AIPERF_WARM_UP, AIPERF_GOOD, AIPERF_CANCELLED, AIPERF_FAILED))

WORKLOAD = """\
{"format":"inside-the-batch.workload","schema":1,"name":"two","seed":7,"about":"made up"}
{"at":5,"id":"a","num_prompt_tokens":10,"num_output_tokens":3,"beginning":[[4,8]],"cancel_at":900}
{"at":7,"id":"b","num_prompt_tokens":10,"num_output_tokens":3,"tenant":"x","cache_salt":"s"}
"""

TRACE = """\
{"format":"inside-the-batch.trace","schema":1,"name":"one","source":"simulated","unit":"ns"}
{"event":"arrived","at":2,"id":"a","num_prompt_tokens":9,"max_tokens":8,"priority":1}
{"event":"arrived","at":3,"id":"b","num_prompt_tokens":9,"max_tokens":8}
{"event":"first_token","at":5,"id":"a"}
{"event":"finished","at":9,"id":"a","reason":"stop","num_output_tokens":4}
{"event":"cancelled","at":9,"id":"b"}
"""
