"""`hitrate` and `convert`: files of all kinds in, tables, traces, workloads and timelines out."""

import json
from pathlib import Path

import pytest

import samples
from command_line import ROOT, SHARED, put, put_recording, run
from engine.cost import LinearCost
from engine.readers import read
from engine.settings import Settings
from engine.simulate import serve
from engine.trace import Arrived, Filled, Finished, Step, Trace
from engine.workload import Arrival, Workload

RECORDED = ROOT / "docs" / "recordings" / "priorities.trace.jsonl"
"""A run of a real server, with names for the blocks of its prompts."""


@pytest.mark.parametrize("name", ["w.jsonl", "w.jsonl.gz", "w.csv"])
def test_hitrate_prints_both_rates(tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    path = put(tmp_path, name, SHARED)
    assert run("hitrate", path, "--block-size", 512, "--num-blocks", 9, "--json") == 0
    out, err = capsys.readouterr()
    assert json.loads(out) == {"hit_rate_blocks": 2 / 6, "hit_rate_tokens": 1024 / 2200}
    assert err == ""


def test_hitrate_prints_a_table_for_people(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("hitrate", put(tmp_path, "w", SHARED), "--block-size", 512, "--num-blocks", 9) == 0
    assert capsys.readouterr().out == (
        "2 requests\n\n"
        "counted in    all    hit  hit rate\n"
        "----------  -----  -----  --------\n"
        "blocks          6      2    0.3333\n"
        "tokens      2,200  1,024    0.4655\n"
    )


def test_hitrate_says_when_a_file_knows_no_contents(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("hitrate", put(tmp_path, "w", samples.AZURE), "--num-blocks", 9, "--json") == 0
    out, err = capsys.readouterr()
    assert json.loads(out)["hit_rate_blocks"] == 0
    assert "note: the file doesn't say what prompts hold" in err


@pytest.fixture
def recording(tmp_path: Path) -> Path:
    return put_recording(tmp_path / "run-1")


def test_a_recording_becomes_a_trace_and_this_a_timeline(
    recording: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out" / "run.trace.jsonl"
    assert run("convert", recording, "--out", out) == 0
    told = capsys.readouterr()
    assert told.out == f"{out}: trace of 2 requests, from a recording of a vLLM server\n"
    assert told.err.startswith("note: requests count from queued_ts")
    trace = Trace.from_jsonl(out.read_text())
    assert (trace.header.name, trace.header.settings["max_num_seqs"]) == ("run-1", 128)
    assert run("convert", out, "--to", "perfetto", "--out", tmp_path / "run.json", "--json") == 0
    assert json.loads(capsys.readouterr().out) == {
        "format": "trace file of the course",
        "to": "perfetto",
        "out": str(tmp_path / "run.json"),
        "requests": 2,
        "notes": [],
    }
    assert json.loads((tmp_path / "run.json").read_text())["traceEvents"]


def test_arrivals_become_a_workload_and_never_a_trace(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, out = put(tmp_path, "azure.csv", samples.AZURE), tmp_path / "azure.workload.jsonl"
    assert run("convert", path, "--out", out) == 0
    with out.open() as lines:
        found = read(lines, "w").workload()
    assert (found.name, len(found)) == ("azure", 3)
    assert run("convert", path, "--to", "trace", "--out", out) == 2
    assert "azure.csv: is an Azure LLM inference trace; expected what a server did" in capsys.readouterr().err


def test_one_of_several_runs_is_chosen_by_its_number(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    line = json.dumps(samples.VLLM) + "\n"
    path, out = put(tmp_path, "bench.json", line + line), tmp_path / "out.jsonl"
    assert run("convert", path, "--out", out) == 2
    assert "holds 2 runs; say which one, by its number:" in capsys.readouterr().err
    assert run("convert", path, "--out", out, "--part", 1) == 0


def named(trace: Trace, names: dict[str, tuple[int, ...]], size: object) -> Trace:
    """`trace` with names for the blocks of some prompts, as the live link records them."""
    records = tuple(
        one._replace(block_names=names.get(one.id, ())) if isinstance(one, Arrived) else one for one in trace.records
    )
    return Trace(trace.header._replace(settings={"block_size": size}), records)


def test_a_recorded_run_keeps_what_its_prompts_share_as_a_workload(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A conversion dropped the names of blocks, and `hitrate` found nothing in the result."""
    out, sizes = tmp_path / "w.jsonl", ("--num-blocks", 500, "--block-size", 32, "--json")
    found = []
    assert run("convert", RECORDED, "--to", "workload", "--out", out) == 0
    for path in (RECORDED, out):
        capsys.readouterr()
        assert run("hitrate", path, *sizes) == 0
        found.append(json.loads(capsys.readouterr().out))
    # 151 names stand in its prompts, 28 of them a second time or later.
    assert found[0] == found[1]
    assert found[0]["hit_rate_tokens"] > 0.15


def test_what_a_workload_can_not_hold_of_a_recorded_run_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    served = Workload("w", tuple(Arrival(at, f"r{at}", 32, 16) for at in (0, 9)))
    trace = serve(Settings(num_blocks=64, max_model_len=64), served, LinearCost(step_ps=1))
    names = {"r0": (0, 1), "r9": (0, 2)}
    for size, words in (
        (16, "prompts that repeat an earlier answer share it with each other, and not with the answer"),
        ("16", "the trace names blocks of prompts but not its block_size, so none of them shares anything"),
    ):
        whole = named(trace, names, size)
        filled = tuple(
            one._replace(filled=(Filled("r0", 2),)) if isinstance(one, Step) else one for one in whole.records
        )
        path = put(tmp_path, "t.trace.jsonl", Trace(whole.header, filled).to_jsonl())
        assert run("convert", path, "--to", "workload", "--out", tmp_path / "w.jsonl") == 0
        assert capsys.readouterr().err == f"note: {words}\n"
    gone = tuple(one for one in trace.records if not (isinstance(one, Finished) and one.id == "r9"))
    path = put(tmp_path, "t.trace.jsonl", Trace(trace.header, gone).to_jsonl())
    assert run("convert", path, "--to", "workload", "--out", tmp_path / "w.jsonl") == 0
    assert (
        capsys.readouterr().err == "note: 1 requests didn't finish: their answers are as long as their limits allow\n"
    )
