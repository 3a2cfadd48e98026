"""A trace file gives back the trace that it was written from, and anything else is refused by line."""

import json
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.naive import continuous_batch, static_batches
from engine.trace import (
    Arrived,
    Cancelled,
    Finished,
    FirstToken,
    Header,
    Rejected,
    Row,
    Step,
    TimedOut,
    Tokens,
    Trace,
    TraceError,
)

JOBS = {"a": 2, "b": 4, "c": 1}

FOUNDING = """\
{"format":"inside-the-batch.trace","schema":1,"name":"continuous batching","source":"simulated",\
"settings":{"max_num_seqs":2}}
{"event":"arrived","at":0,"id":"a","num_prompt_tokens":1,"max_tokens":2}
{"event":"arrived","at":0,"id":"b","num_prompt_tokens":1,"max_tokens":4}
{"event":"arrived","at":0,"id":"c","num_prompt_tokens":1,"max_tokens":1}
{"event":"admitted","at":0,"id":"a","step":0}
{"event":"admitted","at":0,"id":"b","step":0}
{"event":"step","step":0,"at":0,"rows":[["a",1,0,"new"],["b",1,0,"new"]]}
{"event":"first_token","at":1,"id":"a","step":0}
{"event":"first_token","at":1,"id":"b","step":0}
{"event":"step","step":1,"at":1,"rows":[["a",1,1],["b",1,1]]}
{"event":"finished","at":2,"id":"a","reason":"length","num_output_tokens":2,"step":1}
{"event":"admitted","at":2,"id":"c","step":2}
{"event":"step","step":2,"at":2,"rows":[["b",1,2],["c",1,0,"new"]]}
{"event":"first_token","at":3,"id":"c","step":2}
{"event":"finished","at":3,"id":"c","reason":"length","num_output_tokens":1,"step":2}
{"event":"step","step":3,"at":3,"rows":[["b",1,3]]}
{"event":"finished","at":4,"id":"b","reason":"length","num_output_tokens":4,"step":3}
"""


def test_the_founding_trace_has_these_bytes() -> None:
    assert continuous_batch(JOBS, 2).to_jsonl() == FOUNDING


jobs_with_arrivals = st.dictionaries(
    st.text(min_size=1), st.tuples(st.integers(1, 5), st.integers(0, 9)), min_size=1, max_size=6
)


@given(jobs_with_arrivals, st.integers(1, 4), st.sampled_from([static_batches, continuous_batch]))
def test_a_trace_comes_back_from_its_file(
    jobs: dict[str, tuple[int, int]], slots: int, batching: Callable[..., Trace]
) -> None:
    steps = {name: job[0] for name, job in jobs.items()}
    trace = batching(steps, slots, {name: job[1] for name, job in jobs.items()})
    trace.check()
    text = trace.to_jsonl()
    back = Trace.from_jsonl(text)
    assert back == trace
    assert back.to_jsonl() == text


def test_questions_that_a_trace_answers() -> None:
    trace = Trace.from_jsonl(FOUNDING)
    assert trace.header == Header("continuous batching", "simulated", settings={"max_num_seqs": 2})
    assert trace.finish_steps() == {"a": 2, "b": 4, "c": 3}
    assert list(trace.finish_steps()) == ["a", "b", "c"]
    assert trace.requests()["b"] == Arrived(0, "b", 1, 4)
    assert [step.step for step in trace.steps()] == [0, 1, 2, 3]
    assert [record.id for record in trace.of(Finished)] == ["a", "c", "b"]


def test_an_end_without_a_step_is_no_finish_step() -> None:
    records = (
        Arrived(0, "a", 1, 1),
        Arrived(0, "b", 1, 1),
        Finished(5, "a", "stop", 1),
        Rejected(5, "b", "full"),
    )
    assert Trace(Header("live", "live", "ns"), records).finish_steps() == {}


def _bad(line: int, old: str, new: str) -> str:
    """The founding trace with one thing changed in one line."""
    lines = FOUNDING.splitlines(keepends=True)
    assert old in lines[line - 1]
    lines[line - 1] = lines[line - 1].replace(old, new, 1)
    return "".join(lines)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "1: value: got '', expected a JSON object on one line"),
        ("[1]\n", "1: value: got [1], expected a JSON object on one line"),
        ("{}\n", "1: format: got nothing, expected 'inside-the-batch.trace'"),
        (
            _bad(1, '"schema":1', '"schema":2'),
            "1: schema: got 2, expected 1, the version that this engine reads",
        ),
        (_bad(1, '"schema":1', '"schema":true'), "1: schema: got True, expected 1"),
        (_bad(1, '"schema":1,', ""), "1: schema: got nothing, expected 1"),
        (
            _bad(1, "simulated", "dreamt"),
            "1: source: got 'dreamt', expected one of simulated, recorded, live",
        ),
        (
            _bad(1, "2}", "[]}"),
            "1: settings.max_num_seqs: got [], expected a number, a text, true, false or null",
        ),
        (_bad(3, '"arrived"', '"landed"'), "3: event: got 'landed', expected one of arrived, admitted, step"),
        (_bad(3, '"event":"arrived",', ""), "3: event: got nothing, expected one of arrived"),
        (_bad(3, "{", ""), '3: value: got \'"event":'),
        (_bad(7, "1,0", "NaN,0"), '7: value: got \'{"event":"step"'),
        (
            _bad(7, '["b",1,0', '["b",1,"0"'),
            "7: rows[1].num_computed_tokens: got '0', expected a whole number",
        ),
        (_bad(10, '"at":1', '"at":0'), "10: at: got 0, expected 1 or later: time doesn't run backwards"),
        (_bad(10, '"step":1', '"step":0'), "10: step: got 0, expected 1 or later: steps count up"),
        (_bad(10, '["a"', '["z"'), "10: id: got 'z', which never arrived; expected a request that is here"),
        (_bad(4, '"c"', '"a"'), "4: id: got 'a', which arrived before; expected an id of its own"),
        (_bad(13, '["c"', '["a"'), "13: id: got 'a', which has ended; expected a request that is here"),
        (_bad(17, '"b"', '"c"'), "17: id: got 'c', which has ended; expected a request that is here"),
        (FOUNDING + "\n", "18: value: got '', expected a JSON object on one line"),
        ("{" * 100_000, "1: value: got '{{{"),
    ],
)
def test_a_bad_file_is_refused_by_line_and_field(text: str, words: str) -> None:
    with pytest.raises(TraceError) as caught:
        Trace.from_jsonl(text, "x.trace.jsonl")
    assert str(caught.value).startswith(f"x.trace.jsonl:{words}")


def test_a_made_trace_is_checked_the_same_way() -> None:
    made = Trace(Header("made", "simulated"), (Step(0, 0, rows=(Row("a", 1, 0),)),))
    with pytest.raises(TraceError, match=r"record 0: id: got 'a', which never arrived"):
        made.check()


@pytest.mark.parametrize("end", [Rejected(1, "a", "queue full"), TimedOut(1, "a"), Cancelled(1, "a", 3)])
def test_whoever_ended_is_gone(end: Rejected | TimedOut | Cancelled) -> None:
    header = Header("made", "simulated")
    Trace(header, (Arrived(0, "a", 1, 9), end)).check()
    with pytest.raises(TraceError, match=r"record 2: id: got 'a', which has ended"):
        Trace(header, (Arrived(0, "a", 1, 9), end, Step(1, 1, preempted=("a",)))).check()


def test_a_text_that_no_file_could_hold_is_written_in_ascii() -> None:
    trace = Trace(Header("\ud800 é", "simulated"), ())
    assert trace.to_jsonl().isascii()
    assert Trace.from_jsonl(trace.to_jsonl()) == trace
    assert json.loads(trace.to_jsonl())["name"] == "\ud800 é"


def test_a_client_that_saw_no_steps_writes_down_when_tokens_came() -> None:
    records = (
        Arrived(0, "a", 7, 4, tenant="x"),
        FirstToken(30, "a"),
        Tokens(50, "a"),
        Tokens(70, "a", 2),
        Finished(70, "a", "length", 4),
    )
    trace = Trace(Header("bench", "recorded", "ns"), records)
    trace.check()
    text = trace.to_jsonl()
    assert text.splitlines()[1:4] == [
        '{"event":"arrived","at":0,"id":"a","num_prompt_tokens":7,"max_tokens":4,"tenant":"x"}',
        '{"event":"first_token","at":30,"id":"a"}',
        '{"event":"tokens","at":50,"id":"a"}',
    ]
    assert Trace.from_jsonl(text) == trace


def test_nobody_gets_tokens_after_the_end() -> None:
    records = (Arrived(0, "a", 7, 1), Finished(5, "a", "stop", 1), Tokens(6, "a"))
    with pytest.raises(TraceError, match=r"record 2: id: got 'a', which has ended"):
        Trace(Header("bench", "recorded", "ns"), records).check()
