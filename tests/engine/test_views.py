"""Pictures are pinned byte for byte, are well-formed, and say in words what they show.

`WRITE_GOLDEN=1 pytest tests/engine/test_views.py` writes the pictures anew; look at them before committing.
"""

import os
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest

from engine import views
from engine.naive import continuous_batch, static_batches
from engine.trace import (
    Admitted,
    Arrived,
    Cancelled,
    Finished,
    Header,
    Record,
    Rejected,
    Row,
    Step,
    TimedOut,
    Trace,
)
from engine.views.blocks import page_shape
from engine.views.notebook import MIME

GOLDEN = Path(__file__).parent / "golden"
JOBS = {"a": 2, "b": 4, "c": 1}
LENGTHS = [("a", 17), ("b", 31), ("c", 33)]


def trace(*records: Record, seats: int = 2) -> Trace:
    return Trace(Header("made", "simulated", settings={"max_num_seqs": seats}), records)


PREEMPTED = trace(
    Arrived(0, "r1", 12, 4),
    Arrived(0, "r2", 20, 4),
    Admitted(0, "r1", 0),
    Admitted(0, "r2", 0),
    Step(0, 0, rows=(Row("r1", 12, 0, "new"), Row("r2", 4, 0, "new"))),
    Step(1, 1, rows=(Row("r1", 1, 12),)),
    Step(2, 2, rows=(Row("r1", 1, 13),), preempted=("r2",)),
    Step(3, 3, rows=(Row("r1", 1, 14), Row("r2", 15, 0, "resumed"))),
    Finished(4, "r1", "length", 4, 3),
    Step(4, 4, rows=(Row("r2", 5, 15),)),
)

HASHES = tuple(bytes([number]) * 32 for number in range(1, 6))
PROMPTS = [
    views.Prompt("a", tuple("You are a clerk . Answer in French : hello".split()), HASHES[:2], 0),
    views.Prompt("b", tuple("You are a clerk . Answer in Dutch".split()), (HASHES[0], HASHES[2]), 1),
    views.Prompt("c", tuple("You are a clerk".split()), (HASHES[3],), 0, "tenant-2"),
]

PICTURES: dict[str, Callable[[], str]] = {
    "schedule-static": lambda: views.schedule_svg(static_batches(JOBS, 2)),
    "schedule-continuous": lambda: views.schedule_svg(continuous_batch(JOBS, 2)),
    "schedule-preempted": lambda: views.schedule_svg(PREEMPTED, mark=2),
    "blocks": lambda: views.blocks_svg(LENGTHS, 16),
    "prefix": lambda: views.prefix_svg(PROMPTS, 4),
    "table-preempted": lambda: views.schedule_table(PREEMPTED),
}


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_has_the_bytes_that_were_looked_at(name: str) -> None:
    path = GOLDEN / f"{name}.{'html' if name.startswith('table') else 'svg'}"
    drawn = PICTURES[name]() + "\n"
    if os.environ.get("WRITE_GOLDEN"):
        path.write_text(drawn, encoding="utf-8")
    assert drawn == path.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_is_well_formed_and_named(name: str) -> None:
    root = ElementTree.fromstring(PICTURES[name]())
    if not name.startswith("table"):
        svg = "{http://www.w3.org/2000/svg}"
        assert [child.tag for child in root][:2] == [f"{svg}title", f"{svg}desc"]
        assert root.get("role") == "img"
        assert not any("id" in part.attrib for part in root.iter()), "ids would meet in one page"


def test_hostile_names_stay_text() -> None:
    name = "<script>\"'&"
    nasty = trace(Arrived(0, name, 1, 1), Step(0, 0, rows=(Row(name, 1, 0, "new"),)), Finished(1, name, "stop", 1, 0))
    prompt = views.Prompt(name, (name,), HASHES[:1], 0, name)
    for markup in (
        views.show(nasty),
        views.blocks_svg([(name, 3)], 2),
        views.blocks_table([(name, 3)], 2),
        views.prefix_svg([prompt], 1),
        views.prefix_table([prompt], 1),
    ):
        assert name in "".join(ElementTree.fromstring(markup).itertext())


def test_the_founding_schedule_in_words() -> None:
    assert views.schedule_words(static_batches(JOBS, 2)) == (
        "3 requests, 2 slots, 5 steps. a takes slot 1 at the start and finishes after 2 steps. "
        "b takes slot 2 at the start and finishes after 4 steps. "
        "c takes slot 1 after 4 steps and finishes after 5 steps. 3 of 10 slot-steps stayed idle."
    )
    assert views.schedule_words(continuous_batch(JOBS, 2)) == (
        "3 requests, 2 slots, 4 steps. a takes slot 1 at the start and finishes after 2 steps. "
        "b takes slot 2 at the start and finishes after 4 steps. "
        "c takes slot 1 after 2 steps and finishes after 3 steps. 1 of 8 slot-steps stayed idle."
    )


def test_a_preemption_in_words() -> None:
    assert views.schedule_words(PREEMPTED) == (
        "2 requests, 2 slots, 5 steps. "
        "r1 takes slot 1 at the start and finishes after 4 steps; it computes 15 tokens in 4 steps. "
        "r2 takes slot 2 at the start, is preempted after 2 steps, takes slot 2 again after 3 steps and "
        "isn't done; it computes 24 tokens in 3 steps. 3 of 10 slot-steps stayed idle."
    )


def test_every_end_has_its_words() -> None:
    ends = trace(
        *(Arrived(0, name, 1, 9) for name in "twxyz"),
        Rejected(0, "x", "the queue is full"),
        Step(0, 0, rows=(Row("y", 1, 0, "new"), Row("z", 1, 0, "new"))),
        TimedOut(1, "y", 1, 0),
        Cancelled(1, "z", 1, 0),
        Cancelled(1, "w"),
    )
    words = views.schedule_words(ends)
    assert "t never gets a slot." in words
    assert "w never gets a slot." in words
    assert "x is rejected: the queue is full." in words
    assert "y takes slot 1 at the start and times out after 1 step." in words
    assert "z takes slot 2 at the start and is cancelled after 1 step." in words


def test_a_slot_that_is_held_for_nothing_is_no_idle_slot_of_somebody_elses() -> None:
    skipped = trace(
        Arrived(0, "a", 1, 2),
        Arrived(0, "b", 1, 2),
        Step(0, 0, rows=(Row("a", 1, 0, "new"),)),
        Step(1, 1),
        Step(2, 2, rows=(Row("a", 1, 1), Row("b", 1, 0, "new"))),
    )
    assert "<td>a, gets nothing</td><td>idle</td>" in views.schedule_table(skipped)
    assert "b takes slot 2 after 2 steps and isn't done." in views.schedule_words(skipped)


def test_a_long_run_is_shown_around_the_step_in_question() -> None:
    long = continuous_batch({"a": 100}, 1)
    assert "1 slot, steps 0 to 23 of 100" in views.schedule_svg(long)
    assert "1 slot, steps 38 to 61 of 100" in views.schedule_svg(long, mark=50)
    assert "1 slot, steps 76 to 99 of 100" in views.schedule_svg(long, mark=99)


def test_a_wide_server_shows_only_the_slots_that_were_used() -> None:
    wide = trace(Arrived(0, "a", 1, 1), Step(0, 0, rows=(Row("a", 1, 0, "new"),)), seats=128)
    assert "1 request, 1 slot, 1 step." in views.schedule_words(wide)


def test_nothing_is_drawn_as_nothing() -> None:
    assert views.schedule_words(trace(seats=128)) == "0 requests, 0 slots, 0 steps. 0 of 0 slot-steps stayed idle."
    ElementTree.fromstring(views.show(trace(seats=128)))
    ElementTree.fromstring(views.blocks_svg([], 16))
    ElementTree.fromstring(views.prefix_svg([], 16))


def test_the_founding_pages_in_words_and_as_a_table() -> None:
    assert views.blocks_words(LENGTHS, 16) == (
        "a stores 17 tokens in 2 blocks: 32 slots reserved, 15 unused. "
        "b stores 31 tokens in 2 blocks: 32 slots reserved, 1 unused. "
        "c stores 33 tokens in 3 blocks: 48 slots reserved, 15 unused. "
        "Together: 81 tokens, 7 blocks, 112 slots reserved, 31 unused."
    )
    assert "<td>33</td><td>3</td><td>48</td><td>15</td>" in views.blocks_table(LENGTHS, 16)


@pytest.mark.parametrize(
    ("size", "shape"), [(1, (1, 1)), (2, (2, 1)), (4, (2, 2)), (7, (7, 1)), (16, (4, 4)), (32, (8, 4))]
)
def test_a_page_is_as_square_as_it_can_be(size: int, shape: tuple[int, int]) -> None:
    assert page_shape(size) == shape


def test_prefixes_in_words_and_as_a_table() -> None:
    assert views.prefix_words(PROMPTS, 4) == (
        "a: 0 of 10 tokens found in the cache; blocks 1 and 2: computed; "
        "block 3: not full with 2 tokens, so without a hash. "
        "b: 4 of 8 tokens found in the cache; block 1: hit, computed by a; block 2: computed. "
        "c: 0 of 4 tokens found in the cache; block 1: computed."
    )
    table = views.prefix_table(PROMPTS, 4)
    assert '<th scope="row">b, block 1</th><td>You are a clerk</td><td>hit: a’s</td><td>#010101</td>' in table


def test_a_trace_shows_itself_in_a_notebook() -> None:
    made = continuous_batch(JOBS, 2)
    shown = made._repr_mimebundle_()
    assert views.schedule_svg(made) in shown["text/html"]
    assert "c takes slot 1 after 2 steps" in shown["text/html"]
    assert '<th scope="col">slot 2</th>' in shown["text/html"]
    assert shown["text/plain"] == views.schedule_words(made)
    assert shown[MIME] == {"trace": made.to_jsonl()}


def test_a_player_in_a_notebook_opens_where_it_should() -> None:
    one, other = continuous_batch(JOBS, 2), static_batches(JOBS, 2)
    shown = views.notebook_bundle(one, compare=other, moment="step:2", choice="c", views="timeline")
    assert shown[MIME] == {
        "trace": one.to_jsonl(), "compare": other.to_jsonl(), "moment": "step:2", "choice": "c", "views": "timeline",
    }  # fmt: skip


def test_a_large_trace_says_how_large_it_is_and_brings_no_picture() -> None:
    rows = tuple(Row(f"r{number}", 1, 0) for number in range(200))
    arrived = [Arrived(0, row.id, 1, 999) for row in rows]
    large = trace(*arrived, *(Step(number, number, rows=rows) for number in range(101)))
    shown = views.notebook_bundle(large)
    words = (
        "made: 200 requests, 101 steps, too large for a picture. trace.to_jsonl() gives it as text, which the trace "
        "player opens."
    )
    assert (shown["text/html"], shown["text/plain"]) == (f"<p>{words}</p>", words)
    assert MIME in shown
    assert MIME not in views.notebook_bundle(trace(*arrived, *(Step(n, n, rows=rows) for n in range(501))))
