"""Makes the exercise of the Live page: three runs of one server, to fit to one of them and predict the others, and the
table of how well that goes: `make prediction`.

It keeps nothing where the machine was busy with something else: that says nothing about the server.
"""

import asyncio
import json
import sys
import tempfile
from pathlib import Path
from typing import Final, NamedTuple

import engine.live
from bridging import TOKEN, bridge
from engine.calibrate.runs import fit_run
from engine.cli import main as engine_command
from engine.simulate.traffic import Traffic
from engine.trace import Trace
from make_recordings import FOLDER, HARDWARE
from real import RECORDING, ROOT, real_server, wait_for
from tiny_model import LARGER

PAGE: Final = ROOT / "docs" / "reference" / "calibration.md"
SERVER: Final = (
    *("--max-num-seqs", "16", "--max-num-batched-tokens", "256", "--max-model-len", "1024"),
    *("--block-size", "32", "--num-gpu-blocks-override", "200"),
)
COMMON: Final = {"num_requests": 40, "prompt_tokens": 96, "output_tokens": 16, "length_cv": 0.6}


class Load(NamedTuple):
    """One run."""

    file: str
    name: str
    about: str
    rate: float
    seed: int


LOADS: Final = (
    Load("fit-to-this", "Ten a second, to fit to", "The first of three runs of one server.", 10, 21),
    Load("predict-this", "Five a second, to predict", "The same server, half the load.", 5, 22),
    Load("predict-this-too", "Twenty a second, to predict", "The same server, twice the load.", 20, 23),
)
MOST_HELD_UP: Final = 0.15
"""The most of a run's time that may be in steps that took more than twice as long as fitted to that very run. It says
nothing about how well another run is predicted."""

WARM_UP: Final = Load("", "warm-up", "", 20, 20)


def main() -> int:
    """Record, list, predict."""
    with (
        tempfile.TemporaryDirectory() as folder,
        real_server(Path(folder), *SERVER, *RECORDING, model_changes=LARGER) as real,
        bridge(real.url, recorder_path=real.recorder) as page,
    ):
        wait_for(page, "recorder")
        link = f"http://127.0.0.1:{page.port}/#live={TOKEN}"
        _record(link, WARM_UP)
        traces = [_record(link, load) for load in LOADS]
    held_up = [fit_run(trace).held_up for trace in traces]
    print("held up:", ", ".join(f"{share:.0%}" for share in held_up))
    if max(held_up) > MOST_HELD_UP:
        print(
            f"the machine did something else; at most {MOST_HELD_UP:.0%} of the time may be held up. Nothing was kept"
        )
        return 1
    for load, trace in zip(LOADS, traces, strict=True):
        (FOLDER / f"{load.file}.trace.jsonl").write_text(trace.to_jsonl(), "utf-8")
    _list()
    files = [str(FOLDER / f"{load.file}.trace.jsonl") for load in LOADS]
    return engine_command(["predict", *files, "--write", str(PAGE)])


def _record(link: str, load: Load) -> Trace:
    workload = Traffic.from_mapping({**COMMON, "rate": load.rate, "seed": load.seed}).workload(load.name)
    trace = asyncio.run(engine.live.run(workload, address=link))
    assert trace.complete, trace.why
    return Trace(trace.header._replace(source="recorded", about=_about(load)), trace.records)


def _list() -> None:
    """Put the runs into the list of recordings, in the place of older ones of their names."""
    index = FOLDER / "index.json"
    mine = [{"file": f"{load.file}.trace.jsonl", "name": load.name, "about": _about(load)} for load in LOADS]
    files = {one["file"] for one in mine}
    others = [one for one in json.loads(index.read_text("utf-8"))["recordings"] if one["file"] not in files]
    index.write_text(json.dumps({"recordings": [*mine, *others]}, indent=2) + "\n", "utf-8")


def _about(load: Load) -> str:
    return f"{load.about} vLLM 0.32.0 on {HARDWARE}; a Llama of 6 layers with made-up weights."


if __name__ == "__main__":
    sys.exit(main())
