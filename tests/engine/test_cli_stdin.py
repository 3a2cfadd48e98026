"""A file that comes through a pipe, or on standard input."""

import gzip
import json
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from command_line import SHARED, run


@pytest.mark.parametrize("zipped", [False, True])
def test_a_file_may_come_through_a_pipe(zipped: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """As `<(zcat trace.gz)` gives one: it has no places, and is read once."""
    pipe, data = tmp_path / "pipe", SHARED.encode()
    os.mkfifo(pipe)
    with ThreadPoolExecutor() as pool:
        pool.submit(pipe.write_bytes, gzip.compress(data) if zipped else data)
        assert run("hitrate", pipe, "--num-blocks", 9, "--json") == 0
    assert json.loads(capsys.readouterr().out)["hit_rate_blocks"] > 0
