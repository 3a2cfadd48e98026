"""Makes the recordings that the course ships, with the link itself and a real vLLM: `make recordings`.

Each is made by a server that is fresh, so that its steps can be replayed from the first one on. The times are those of
the machine that it runs on; say in `HARDWARE` which.
"""

import json
import sys
import tempfile
from pathlib import Path
from typing import Final, NamedTuple

from bridging import bridge
from engine.live.agreement import agreement
from engine.trace import Trace
from real import RECORDING, ROOT, busy_requests, real_server, wait_for

FOLDER: Final = ROOT / "docs" / "recordings"
HARDWARE: Final = "two cores of an x86-64 server, no GPU"
MODEL: Final = "a Llama of 2 layers with made-up weights"


class Recording(NamedTuple):
    """One recording: how the server is started, and what is sent."""

    file: str
    name: str
    about: str
    blocks: int
    count: int
    seed: int
    gap: float
    longest: int
    options: tuple[str, ...] = ()
    asynchronous: bool = False
    priorities: int = 1


RECORDINGS: Final = (
    Recording(
        "roomy", "Memory to spare", "Nobody is preempted, and prompts that begin alike share blocks.",
        blocks=200, count=32, seed=11, gap=0.03, longest=40,
    ),
    Recording(
        "short-of-memory", "Short of memory", "Requests are preempted, computed again, and find their own blocks.",
        blocks=18, count=32, seed=12, gap=0.008, longest=60,
    ),
    Recording(
        "asynchronous", "Asynchronous scheduling", "Each step is decided before the one before it has ended.",
        blocks=18, count=32, seed=12, gap=0.008, longest=60, asynchronous=True,
    ),
    Recording(
        "priorities", "Three priorities", "Under pressure, those who matter least lose their blocks.",
        blocks=18, count=32, seed=13, gap=0.008, longest=60, priorities=3, options=("--scheduling-policy", "priority"),
    ),
)  # fmt: skip


def main() -> int:
    """Make every recording, or those that are named, and the list of all."""
    wanted = sys.argv[1:] or [one.file for one in RECORDINGS]
    FOLDER.mkdir(exist_ok=True)
    for one in RECORDINGS:
        if one.file in wanted:
            trace = record(one)
            (FOLDER / f"{one.file}.trace.jsonl").write_text(trace.to_jsonl(), "utf-8")
            preempted = sum(len(step.preempted) for step in trace.steps())
            print(f"{one.file}: {agreement(trace)}, {preempted} preemptions")
    listed = [{"file": f"{one.file}.trace.jsonl", "name": one.name, "about": _about(one)} for one in RECORDINGS]
    index = FOLDER / "index.json"
    known = json.loads(index.read_text("utf-8"))["recordings"] if index.exists() else []
    # Those of `make_prediction` stay.
    others = [one for one in known if one["file"] not in {mine["file"] for mine in listed}]
    index.write_text(json.dumps({"recordings": [*others, *listed]}, indent=2) + "\n", "utf-8")
    return 0


def record(one: Recording) -> Trace:
    """Start a server, run the workload, and give its trace a header that says what it is."""
    pool = ("--num-gpu-blocks-override", str(one.blocks))
    sizes = ("--max-num-seqs", "8", "--max-num-batched-tokens", "128", "--max-model-len", "512", "--block-size", "32")
    with tempfile.TemporaryDirectory() as folder:
        started = real_server(Path(folder), *sizes, *pool, *RECORDING, *one.options, asynchronous=one.asynchronous)
        with started as real, bridge(real.url, recorder_path=real.recorder) as page:
            wait_for(page, "recorder")
            requests = busy_requests(one.count, one.seed, gap=one.gap, longest=one.longest, priorities=one.priorities)
            run = page.begin(requests, one.name)
            end = page.events(run)[-1][1]
            assert end["complete"], end
            trace = Trace.from_jsonl(page.ask("GET", f"/api/runs/{run}/trace")[1])
    return Trace(trace.header._replace(source="recorded", about=_about(one)), trace.records)


def _about(one: Recording) -> str:
    return f"{one.about} vLLM 0.32.0 on {HARDWARE}; {MODEL}."


if __name__ == "__main__":
    sys.exit(main())
