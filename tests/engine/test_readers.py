"""Every format gives what its file says, in nanoseconds, and is known by its content alone."""

import json
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import samples
from engine.metrics import e2e, hit_rate, queue_time, report, request_times, tpot, ttft
from engine.metrics.handovers import gaps
from engine.readers import FORMATS, Reading, read, workload_lines
from engine.trace import Trace
from engine.workload import Arrival, Segment, Workload

DATA = Path(__file__).parents[3] / "shared" / "data"
MS = 1_000_000
SECOND = 1_000_000_000


def reading(text: str, **more: Any) -> Reading:
    return read(text.splitlines(keepends=True), "some.file", **more)


def arrivals_in(text: str) -> list[Arrival]:
    return list(reading(text).workload())


KINDS = {
    "Azure LLM inference trace": samples.AZURE,
    "BurstGPT trace": samples.BURSTGPT,
    "Mooncake trace": samples.MOONCAKE,
    "workload file of the course": samples.WORKLOAD,
    "trace file of the course": samples.TRACE,
    "recording of a vLLM server": samples.RECORDING,
    "result of vllm bench serve": json.dumps(samples.VLLM),
    "result of GuideLLM": json.dumps(samples.GUIDELLM, indent=2),
    "result of AIPerf": samples.AIPERF,
}


def test_every_format_has_a_sample() -> None:
    assert KINDS.keys() == {format_.name for format_ in FORMATS}


@pytest.mark.parametrize("name", KINDS)
@pytest.mark.parametrize("before", ["", "\ufeff", "\n  \n"])
def test_a_file_is_known_by_its_content_alone(name: str, before: str) -> None:
    found = reading(before + KINDS[name])
    assert found.format.name == name
    assert len(found.workload()) >= 1
    matching = [format_.name for format_ in FORMATS if format_.fields <= found._source.fields]
    assert matching == [name]


def test_azure_times_are_dates_and_rows_may_be_out_of_order() -> None:
    found = reading(samples.AZURE)
    assert list(found.workload()) == [
        Arrival(0, "r0", 374, 44),
        Arrival(250 * MS, "r3", 20, 1),
        Arrival(500 * MS + 100, "r1", 396, 109),
    ]
    assert found.notes() == ["1 rows without prompt tokens or generated tokens were left out"]


def test_azure_times_may_have_a_zone() -> None:
    assert [arrival.at for arrival in arrivals_in(samples.AZURE_WITH_ZONE)] == [0, SECOND]


def test_burstgpt_without_sessions() -> None:
    found = reading(samples.BURSTGPT)
    assert list(found.workload()) == [Arrival(0, "r0", 472, 18), Arrival(40_500 * MS, "r1", 1087, 230)]
    assert "these requests failed" in found.notes()[0]


def test_burstgpt_with_sessions() -> None:
    found = reading(samples.BURSTGPT_WITH_SESSIONS)
    assert list(found.workload()) == [Arrival(0, "r0", 906, 446, "u-1"), Arrival(51 * SECOND, "r1", 36, 29)]
    assert any("Elapsed time isn't used" in note for note in found.notes())


def test_mooncake_ids_are_contents_of_512_tokens() -> None:
    assert arrivals_in(samples.MOONCAKE) == [
        Arrival(0, "r0", 1025, 52, beginning=(Segment(46, 512), Segment(47, 512), Segment(48, 1))),
        Arrival(3_053 * MS, "r1", 1024, 26, beginning=(Segment(46, 512), Segment(47, 512))),
        Arrival(3_054 * MS, "r2", 9, 2),
    ]


def test_a_recording_counts_from_the_servers_clock() -> None:
    found = reading(samples.RECORDING, beside=samples.RECORDING_META, name="run")
    trace = found.trace()
    assert (trace.header.name, trace.header.source, trace.header.unit) == ("run", "recorded", "ns")
    assert trace.header.settings == {"max_num_seqs": 128, "dtype": "bfloat16"}
    assert trace.header.about == "vLLM 0.19.0, m"
    one, other = request_times(trace)
    assert (ttft(one), queue_time(one), e2e(one)) == (500 * MS, 250 * MS, 2500 * MS)
    assert other.arrived == 500 * MS + 1
    assert tpot(other) is None


def test_a_recording_without_its_meta_file_is_one_too() -> None:
    assert reading(samples.RECORDING).trace().header.about == "vLLM ?, an unknown model"


def test_vllm_arrays_are_seconds_and_its_clock_has_no_date() -> None:
    found = reading(json.dumps(samples.VLLM))
    trace = found.trace()
    one, chunked, single, failed = request_times(trace)
    assert (one.arrived, ttft(one), e2e(one), tpot(one)) == (0, 250 * MS, 500 * MS, 125 * MS)
    assert (chunked.num_output_tokens, tpot(chunked)) == (5, 125 * MS)
    assert (tpot(single), failed.outcome) == (None, "rejected")
    assert gaps(trace) == [125 * MS, 125 * MS, 250 * MS, 250 * MS]
    assert "requests waited up to 1.5 s in the client" in found.notes()[0]
    assert found.notes()[1:] == [
        "1 answers came in other chunks than single tokens: tokens are spread evenly over the chunks",
        "1 requests failed: they are in the trace as rejected",
    ]


def test_vllm_without_latencies_ends_an_answer_with_its_last_chunk() -> None:
    older = {key: value for key, value in samples.VLLM.items() if key not in ("latencies", "queue_times")}
    found = reading(json.dumps(older))
    assert [e2e(request) for request in request_times(found.trace())][:3] == [500 * MS, 1000 * MS, 1000 * MS]
    assert "has no latencies" in found.notes()[0]


def test_vllm_runs_appended_to_one_file_are_told_apart() -> None:
    line = json.dumps(samples.VLLM) + "\n"
    found = reading(line + line.replace('"inf"', "6"))
    assert [trace.header.about.split(":")[1].split(",")[0] for trace in found.traces()] == [
        " request_rate inf",
        " request_rate 6",
    ]
    assert found.trace(1) is found.traces()[1]
    assert len(found.workload(0)) == 4


def test_guidellms_tpot_is_not_vllms() -> None:
    found = reading(json.dumps(samples.GUIDELLM, indent=1))
    good, cut, failed = request_times(found.trace())
    # The file's own time_per_output_token_ms would be 1,500 / 5 = 300, its inter_token_latency_ms 250.
    assert (ttft(good), e2e(good), tpot(good)) == (500 * MS, 1500 * MS, 250 * MS)
    assert (cut.outcome, cut.ended, failed.outcome) == ("cancelled", 1000 * MS, "rejected")
    assert good.num_output_tokens == 5
    notes = found.notes()
    assert "its time_per_output_token_ms counts the first token in" in notes[0]
    assert "sent up to 0.5 s after their targeted_start" in notes[1]
    assert notes[2] == "1 requests were never sent and are left out"


def test_guidellm_may_state_tokens_in_its_metrics_alone() -> None:
    request = samples.guidellm_request("a", 1.5, first=2.0, last=3.0)
    del request["prompt_tokens"], request["output_tokens"]
    request |= {"input_metrics": {"text_tokens": 12}, "output_metrics": {"text_tokens": 2}}
    document = {"benchmarks": [{"requests": {"successful": [request]}}]}
    (one,) = request_times(reading(json.dumps(document)).trace())
    assert (one.num_prompt_tokens, one.num_output_tokens) == (12, 2)


def test_aiperf_metrics_say_their_own_units() -> None:
    found = reading(samples.AIPERF)
    trace = found.trace()
    good, cancelled, failed = request_times(trace)
    assert (good.id, ttft(good), e2e(good)) == ("x", 250_500_000, 500 * MS)
    assert tpot(good) == pytest.approx(83_166_666.7)
    assert gaps(trace) == [100 * MS, 149_500_000]
    assert (cancelled.outcome, cancelled.ended, cancelled.num_prompt_tokens) == ("cancelled", SECOND + 7, 70)
    assert (failed.outcome, failed.num_prompt_tokens) == ("rejected", 0)
    assert found.notes()[-1] == "1 requests of another phase than profiling were left out"
    assert [arrival.id for arrival in found.workload()] == ["x", "y"]
    assert found.notes()[-1] == "1 requests whose prompt's length isn't in the file were left out"


def test_a_trace_of_ours_is_its_own_recording() -> None:
    found = reading(samples.TRACE)
    assert found.trace() == Trace.from_jsonl(samples.TRACE)
    assert list(found.workload()) == [
        Arrival(0, "a", 9, 4, priority=1),
        Arrival(1, "b", 9, 8, cancel_at=7),
    ]


def test_a_workload_comes_back_from_its_file() -> None:
    found = reading(samples.WORKLOAD).workload()
    assert (found.name, found.seed, found.about) == ("two", 7, "made up")
    assert found.arrivals[0] == Arrival(0, "a", 10, 3, beginning=(Segment(4, 8),), cancel_at=895)
    again = Workload("w", found.arrivals)
    text = "".join(workload_lines(again))
    assert reading(text).workload() == again
    assert "".join(workload_lines(reading(text).workload())) == text


def test_reading_twice_gives_the_same_trace() -> None:
    found = reading(samples.AIPERF)
    assert found.trace() is found.trace()
    assert found.workload() == found.workload()


def megabytes(rows: int) -> Iterator[str]:
    """A BurstGPT file with 10,000 characters a row, made while it is read."""
    yield "Timestamp,Model,Request tokens,Response tokens,Total tokens,Log Type\n"
    padding = "x" * 10_000
    for index in range(rows):
        yield f"{index},GPT-4,100,10,110,{padding}\n"


def long_lines(rows: int) -> Iterator[str]:
    """A Mooncake file with a remark of 10,000 characters in each line."""
    for index in range(rows):
        yield json.dumps({"timestamp": index, "input_length": 9, "output_length": 1, "remark": "x" * 10_000})


@pytest.mark.parametrize(("lines", "rows"), [(megabytes, 20_000), (long_lines, 2_000)])
def test_a_file_larger_than_memory_is_read_in_little_of_it(lines: Any, rows: int) -> None:
    tracemalloc.start()
    try:
        arrivals = read(lines(rows), "big").arrivals()
        assert sum(1 for _ in arrivals) == rows
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 500_000


# ---- with the public data beside the project, where they are ----


def beside(path: str) -> Path:
    found = DATA / path
    if not found.exists():
        pytest.skip(f"../shared/data/{path} isn't beside this checkout")
    return found


def test_the_hour_of_azure_traffic() -> None:
    path = beside("arrivals/AzureLLMInferenceTrace_conv.csv")
    with path.open(encoding="utf-8") as lines:
        workload = read(lines, path.name).workload()
    assert len(workload) == 19_366
    assert round(sum(arrival.num_prompt_tokens for arrival in workload) / 19_366) == 1_155
    assert round(sum(arrival.num_output_tokens for arrival in workload) / 19_366) == 211
    rate = (len(workload) - 1) / (workload.arrivals[-1].at / SECOND)
    assert rate == pytest.approx(5.53, abs=0.005)


KNOWN_HIT_RATES = {
    1_000: (0.084, 0.0868),
    5_000: (0.279, 0.2895),
    10_000: (0.424, 0.443),
    30_000: (0.624, 0.6388),
    50_000: (0.640, 0.6504),
}
"""Blocks of cached content: hit rate in blocks to three digits, in tokens to four."""


@pytest.mark.parametrize("num_blocks", KNOWN_HIT_RATES)
def test_the_hit_rates_of_the_mooncake_trace_are_the_known_ones(num_blocks: int) -> None:
    path = beside("arrivals/mooncake_synthetic_trace.jsonl")
    with path.open(encoding="utf-8") as lines:
        found = hit_rate(read(lines, path.name).arrivals(), block_size=512, num_blocks=num_blocks)
    assert found.num_requests == 3_993
    assert (round(found.blocks, 3), round(found.tokens, 4)) == KNOWN_HIT_RATES[num_blocks]


MEANS_MS = {
    "RTXPRO6000_Llama-3.1-8B": (7097.2, 32.5, 28200.7),
    "RTXPRO6000_Qwen3-32B": (36905.2, 80.3, 90408.1),
}
"""Mean TTFT, TPOT and latency, as the summaries beside the recordings state them."""


@pytest.mark.parametrize("folder", MEANS_MS)
def test_the_recordings_have_the_means_that_others_found(folder: str) -> None:
    path = beside(f"vllm-recordings/{folder}") / "requests.jsonl"
    meta = json.loads(path.with_name("meta.json").read_text(encoding="utf-8"))
    with path.open(encoding="utf-8") as lines:
        found = report(read(lines, path.name, meta).trace())
    means = tuple(round(found[name]["mean"] * 1000, 1) for name in ("ttft", "tpot", "e2e"))
    assert means == MEANS_MS[folder]
    assert found["requests"]["finished"] == 300
