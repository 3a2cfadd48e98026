"""Commands of `python -m engine` as tests run them, and the files that they are given."""

import gzip
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import samples
from engine.cli import main

ROOT = Path(__file__).parents[2]
SHARED = (
    '{"timestamp": 0, "input_length": 1100, "output_length": 5, "hash_ids": [1, 2, 3]}\n'
    '{"timestamp": 5, "input_length": 1100, "output_length": 5, "hash_ids": [1, 2, 4]}\n'
)
"""Two prompts that begin alike."""

REPLAY = json.dumps({"name": "r", "requests": [{"id": "a", "prompt_token_ids": [1, 2, 3], "max_tokens": 1}]})
"""What `replay` takes."""


def put(folder: Path, name: str, text: str) -> Path:
    """A file with this text, gzipped if its name says so."""
    path = folder / name
    path.write_bytes(gzip.compress(text.encode()) if name.endswith(".gz") else text.encode())
    return path


def put_recording(folder: Path) -> Path:
    """The folder of a recording."""
    folder.mkdir()
    put(folder, "requests.jsonl", samples.RECORDING)
    put(folder, "meta.json", json.dumps(samples.RECORDING_META))
    return folder


def run(*arguments: object) -> int:
    """The exit status of a command."""
    return main([str(argument) for argument in arguments])


def engine(*arguments: object, **options: Any) -> subprocess.CompletedProcess[str]:
    """A command in a process of its own."""
    command = [sys.executable, "-m", "engine", *map(str, arguments)]
    return subprocess.run(command, cwd=ROOT, stderr=subprocess.PIPE, text=True, timeout=60, check=False, **options)
