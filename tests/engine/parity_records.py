"""What the real vLLM 0.32.0 scheduler did with 50 workloads: the measure of our own."""

import gzip
import json
from functools import cache
from pathlib import Path
from typing import Any

RECORDS = Path(__file__).parent / "parity" / "records.jsonl.gz"


@cache
def records() -> dict[str, dict[str, Any]]:
    """The workload (`trace`) and the `outcome` of each record, by name."""
    with gzip.open(RECORDS, "rt", encoding="utf-8") as lines:
        loaded = [json.loads(line) for line in lines]
    return {record["trace"]["name"]: record for record in loaded}
