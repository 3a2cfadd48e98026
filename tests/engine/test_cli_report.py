"""What the command line prints for people: reports, tables, times and a bar."""

import io
import json
from pathlib import Path

import pytest

import samples
from command_line import put, put_recording, run
from engine.cli.progress import Progress
from engine.cli.tables import report_tables, table
from engine.metrics import Limits, report
from engine.naive import continuous_batch
from engine.readers import read
from engine.trace import Header, Trace
from engine.views.numbers import change, percent, seconds


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_bar_is_for_terminals_and_goes_away(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr("engine.cli.progress.time.monotonic", lambda: now[0])
    shown, hidden = Terminal(), io.StringIO()
    for stream in (shown, hidden):
        now[0] = 0.0
        with Progress("reading", 200, stream) as progress:
            progress.advance(50)
            now[0] = 1.0
            progress.advance(50)
            progress.advance(50)
    assert shown.getvalue() == "\rreading [###############...............]  50 %\r\x1b[K"
    assert hidden.getvalue() == ""


def test_a_bar_shows_nothing_of_what_is_done_at_once_or_has_no_known_end() -> None:
    stream = Terminal()
    for total in (0, 5):
        with Progress("reading", total, stream) as progress:
            progress.advance()
    assert stream.getvalue() == ""


def test_times_read_well() -> None:
    times = (4321.4, 999.7, 1.5, 0.0312, 0.0000078, 0.00000000312, 0.0)
    assert [seconds(time) for time in times] == ["4,321 s", "1,000 s", "1.5 s", "31.2 ms", "7.8 µs", "3.12 ns", "0 s"]


def test_shares_and_changes_have_their_unit_and_no_sign_without_a_size() -> None:
    assert [percent(0.4567), percent(1.0, 0)] == ["45.7 %", "100 %"]
    assert [change(size) for size in (0.031, -0.25, 0.0002, -0.0002)] == ["+3.1 %", "-25.0 %", "0.0 %", "0.0 %"]


def test_columns_line_up() -> None:
    assert table(("", "n"), [("a", "10"), ("bcd", "2")]) == "      n\n---  --\na    10\nbcd   2"


REPORT = """\
f (recorded): 4 arrived, 3 finished, 1 rejected

95 % intervals  n    mean           P50             P90             P95             P99
--------------  -  ------  ------------  --------------  --------------  --------------
ttft            3  583 ms  500 ms (?-?)    1 s (0.25-?)     1 s (0.5-?)     1 s (0.5-?)
tpot            2  125 ms  125 ms (?-?)  125 ms (125-?)  125 ms (125-?)  125 ms (125-?)
itl             4  188 ms  125 ms (?-?)  250 ms (125-?)  250 ms (250-?)  250 ms (250-?)
e2e             3  833 ms     1 s (?-?)     1 s (0.5-?)       1 s (1-?)       1 s (1-?)

duration                  2 s
throughput requests       1.5 /s
throughput output tokens  4.5 /s
goodput requests          2
goodput share             50.0 %
goodput rate              1 /s
"""


def test_a_report_as_tables_and_as_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = put(tmp_path, "f", json.dumps(samples.VLLM))
    assert run("report", path, "--ttft", 0.6) == 0
    out, err = capsys.readouterr()
    assert out == REPORT
    assert "note: 1 requests failed" in err
    assert run("report", path, "--ttft", 0.6, "--json") == 0
    with path.open() as lines:
        expected = report(read(lines, "f").trace(), Limits(ttft=600_000_000))
    assert json.loads(capsys.readouterr().out) == expected


def test_a_report_of_steps_and_of_nothing() -> None:
    trace = continuous_batch({"a": 3, "b": 1}, 1)
    told = report_tables(report(trace))
    assert "e2e             2   3.5  3 (?-?)" in told
    assert "duration                  4 steps\nthroughput requests       0.5 /step\n" in told
    nobody = Trace(Header("nobody", "live", "ns"), ())
    assert report_tables(report(nobody)).startswith("nobody (live): no request\n\nduration")


def test_where_one_requests_time_went(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    recording = put_recording(tmp_path / "run-1")
    assert run("report", recording, "--request", "b-0") == 0
    assert capsys.readouterr().out == (
        "b-0               time    share\n"
        "--------------  ------  -------\n"
        "queueing        250 ms   10.0 %\n"
        "own prefill        0 s    0.0 %\n"
        "others prefill     0 s    0.0 %\n"
        "recompute          0 s    0.0 %\n"
        "decode             2 s   80.0 %\n"
        "unexplained     250 ms   10.0 %\n"
        "total            2.5 s  100.0 %\n"
    )
    assert run("report", recording, "--request", "b-0", "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["id"], found["unit"], found["decode"], found["total"]) == ("b-0", "s", 2.0, 2.5)
    assert run("report", recording, "--request", "x") == 2
    assert "--request: got 'x', expected a request that ended, as b-0" in capsys.readouterr().err
