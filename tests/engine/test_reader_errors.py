"""A file that isn't what it seems is refused with file, line or path, field, what was found and what was expected."""

import copy
import json
from collections.abc import Callable
from typing import Any

import pytest

import samples
from engine.readers import ReadError, read


def complaint(text: str) -> str:
    with pytest.raises(ReadError) as caught:
        read(text.splitlines(keepends=True), "f").workload()
    return str(caught.value)


def changed(text: str, old: str, new: str) -> str:
    assert old in text
    return text.replace(old, new, 1)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "f: is empty; expected a workload or a trace"),
        (" \n\n", "f: is empty"),
        ("a,b\n1,2\n", "f: columns: got a, b; expected those of one of these formats:\n  Azure LLM inference trace: "),
        ('{"a": 1}\n', "f: keys: got a; expected those of one of these formats:"),
        ("x" * 100_000, f"f: columns: got {'x' * 40}; expected those of one of these formats:"),
        ("[1, 2]\n", "f:1: line: got '[1, 2]', expected an object, { … }"),
        ('{"a": 1,\n "b": }\n', "f:2:7: no JSON: Expecting value"),
        ('"a\n', "f:1: no CSV and no JSON: "),
        ('{"a":' * 100_000, "f:1: no JSON: nested too deep"),
        # CSV
        ("TIMESTAMP,ContextTokens,GeneratedTokens\n", "f: holds no request; expected at least one"),
        (changed(samples.AZURE, "374", "-1"), "f:2: ContextTokens: got '-1', expected a whole number, 0 or more"),
        (changed(samples.AZURE, "374", "37.5"), "f:2: ContextTokens: got '37.5', expected a whole number"),
        (changed(samples.AZURE, "374", ""), "f:2: ContextTokens: got '', expected a whole number"),
        (changed(samples.AZURE, "374", "1e999999999"), "f:2: ContextTokens: got '1e999999999'"),
        (changed(samples.AZURE, "374", "³"), "f:2: ContextTokens: got '³', expected a whole number"),
        (changed(samples.AZURE, "374,44", "374"), "f:2: line: got '2 fields', expected 3, as the first line has"),
        (
            changed(samples.AZURE, "2024-02-29 23:59:59.5000000", "18:15"),
            "f:2: TIMESTAMP: got '18:15', expected a time",
        ),
        (changed(samples.AZURE, "2024-02-29", "2024-13-29"), "expected a day that there is"),
        (changed(samples.AZURE, "23:59:59", "24:59:59"), "expected a time of day, up to 23:59:59"),
        (changed(samples.AZURE, "374", '3"74'), "f:2: ContextTokens: got"),
        (changed(samples.BURSTGPT, "45.5", "soon"), "f:3: Timestamp: got 'soon', expected seconds, a number"),
        (changed(samples.BURSTGPT, "45.5", "nan"), "f:3: Timestamp: got 'nan', expected seconds, a number"),
        ('\n\nTIMESTAMP,ContextTokens,GeneratedTokens\n"x', "f:4: no CSV: unexpected end of data"),
        # JSON Lines
        (changed(samples.MOONCAKE, "30535", '"x"'), "f:2: timestamp: got 'x', expected milliseconds, a number"),
        (changed(samples.MOONCAKE, "30535", "true"), "f:2: timestamp: got True, expected milliseconds"),
        (changed(samples.MOONCAKE, "30535", "NaN"), "f:2: timestamp: got nan, expected milliseconds"),
        (changed(samples.MOONCAKE, '"output_length": 26, ', ""), "f:2: output_length: got nothing, expected a whole"),
        (changed(samples.MOONCAKE, "[46, 47, 48]", "[46, 47]"), "f:1: hash_ids: got [46, 47], expected 3 ids, one for"),
        (changed(samples.MOONCAKE, "[46, 47]", "[46, 4.5]"), "f:2: hash_ids: got [46, 4.5], expected whole numbers"),
        (changed(samples.MOONCAKE, "[46, 47]", "7"), "f:2: hash_ids: got 7, expected a list"),
        (samples.MOONCAKE + "\n{\n", "f:5:2: no JSON: "),
        (samples.MOONCAKE + "[]\n", "f:4: line: got '[]', expected an object, { … }"),
        (
            changed(samples.RECORDING, "50.75", "50.25"),
            "f:1: scheduled_ts: got 50.25, expected a time not before queued",
        ),
        (changed(samples.RECORDING, '"b-1"', '"b-0"'), "f: record 3: id: got 'b-0', which arrived before"),
        (
            changed(samples.RECORDING, '"output_toks": 3', '"output_toks": 0'),
            "f:1: output_toks: got 0, expected a whole",
        ),
        # our own
        (changed(samples.WORKLOAD, '"schema":1', '"schema":2'), "f:1: schema: got 2, expected 1, the version"),
        (changed(samples.WORKLOAD, "[[4,8]]", "[[4]]"), "f:2: beginning[0]"),
        (changed(samples.WORKLOAD, "[[4,8]]", "[[4,80]]"), "f: a: its beginning has 80 tokens, its prompt 10"),
        (changed(samples.WORKLOAD, '"tenant"', '"tenent"'), "f:3: tenent: got"),
        (changed(samples.TRACE, '"arrived","at":3', '"arrived","at":1'), "f:3: at: got 1, expected 2 or later"),
        (
            changed(samples.TRACE, ',"unit":"ns"', ""),
            "f: unit: got 'step', expected 'ns': steps can't be told in seconds",
        ),
    ],
)
def test_a_bad_line_is_named(text: str, words: str) -> None:
    assert words in complaint(text)


def put(document: dict[str, Any], path: str, value: Any) -> str:
    """The document with one value changed, at a path as `a.0.b`; None takes it out."""
    document = copy.deepcopy(document)
    *way, last = (int(step) if step.isdigit() else step for step in path.split("."))
    inner: Any = document
    for step in way:
        inner = inner[step]
    if value is None:
        del inner[last]
    else:
        inner[last] = value
    return json.dumps(document)


REQUEST = "benchmarks.0.requests.successful.0"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            put(samples.VLLM, "ttfts", None),
            "f:1: ttfts: got nothing, expected a list with an item for each request: save",
        ),
        (put(samples.VLLM, "start_times", None), "f:1: start_times: got nothing, expected a list with an item"),
        (put(samples.VLLM, "ttfts", [1]), "f:1: ttfts: got 'a list of 1', expected one of 4, as its neighbours"),
        (put(samples.VLLM, "ttfts.1", "x"), "f:1: ttfts[1]: got 'x', expected seconds, a number"),
        (put(samples.VLLM, "itls.0", 3), "f:1: itls[0]: got 3, expected a list"),
        (put(samples.VLLM, "itls.0.1", "x"), "f:1: itls[0][1]: got 'x', expected seconds, a number"),
        (put(samples.VLLM, "latencies.1", 0.25), "f:1: latencies[1]: got 0.25, expected a time not before ttfts[1]"),
        (put(samples.VLLM, "mean_ttft_ms", 0.583), "f:1: mean_ttft_ms: got 0.583, expected about 583.333, the mean of"),
        (put(samples.GUIDELLM, "benchmarks", {}), "f:1: benchmarks: got {}, expected a list"),
        (put(samples.GUIDELLM, "benchmarks", [1]), "f:1: benchmarks[0]: got 1, expected an object"),
        (put(samples.GUIDELLM, "benchmarks.0.requests", None), "f:1: benchmarks[0].requests: got nothing, expected an"),
        (put(samples.GUIDELLM, f"{REQUEST}.info", None), "f:1: benchmarks[0].requests.successful[0].info: got nothing"),
        (
            put(samples.GUIDELLM, f"{REQUEST}.info.timings.request_start", "x"),
            "f:1: benchmarks[0].requests.successful[0].info.timings.request_start: got 'x', expected seconds, a number",
        ),
        (
            put(samples.GUIDELLM, f"{REQUEST}.info.timings.last_token_iteration", 1700000000.75),
            "last_token_iteration: got 1700000000.75, expected a time not before first_token_iteration, 0.25 s later",
        ),
        (
            put(samples.GUIDELLM, f"{REQUEST}.output_tokens", None),
            "f:1: benchmarks[0].requests.successful[0].output_tokens: got nothing, expected a whole number, 1 or more",
        ),
        (put(samples.GUIDELLM, "benchmarks", []), "f: holds no run; expected at least one"),
        (
            put(samples.GUIDELLM, "benchmarks.0.requests", {}),
            "f:1: benchmarks[0]: holds no request that was served; expected at least one",
        ),
        (
            put(samples.AIPERF_GOOD, "metrics.request_latency.unit", "fortnights"),
            "f:1: metrics.request_latency.unit: got 'fortnights', expected one of ns, us, ms, s, sec",
        ),
        (
            put(samples.AIPERF_GOOD, "metrics.request_latency.value", 0.125),
            "f:1: metrics.request_latency: got {'value': 0.125, 'unit': 's'}, expected a time not before time_to_first",
        ),
        (
            put(samples.AIPERF_GOOD, "metadata.was_cancelled", "no"),
            "f:1: metadata.was_cancelled: got 'no', expected true",
        ),
        (
            put(samples.AIPERF_GOOD, "metrics.output_sequence_length", None),
            "f:1: metrics.output_sequence_length: got nothing, expected an object",
        ),
    ],
)
def test_a_bad_document_is_named_by_its_path(text: str, words: str) -> None:
    assert words in complaint(text)


def test_several_runs_in_one_file_must_be_told_apart() -> None:
    line = json.dumps(samples.VLLM) + "\n"
    words = complaint(line + line)
    assert words.startswith("f: holds 2 runs; say which one, by its number:\n  0: vllm bench serve, m: ")
    with pytest.raises(ReadError, match="f: run 2: expected a number from 0 to 1"):
        read([line, line], "f").trace(2)


def test_arrivals_alone_are_no_trace() -> None:
    found = read(samples.AZURE.splitlines(keepends=True), "f")
    assert not found.holds_results
    with pytest.raises(ReadError, match="f: Azure LLM inference trace: holds arrivals and no results"):
        found.trace()


@pytest.mark.parametrize("sample", [samples.AZURE, samples.MOONCAKE, samples.AIPERF, samples.RECORDING, samples.TRACE])
@pytest.mark.parametrize("spoil", [lambda text: text[:-9], lambda text: text.replace(":", ";"), lambda text: text[5:]])
def test_a_spoilt_file_is_refused_and_nothing_else_is_raised(sample: str, spoil: Callable[[str], str]) -> None:
    assert complaint(spoil(sample)).startswith("f")
