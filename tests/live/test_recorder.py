"""The recorder's notes on pretended objects of vLLM, and the records that the bridge makes of them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from types import SimpleNamespace as Thing
from typing import Any

import pytest

from engine.live.bridge.backends.backend import own_number
from engine.live.bridge.decisions import Lane, Merge, Names
from engine.live.recorder_notes import Notes
from engine.trace import Admitted, Arrived, Cancelled, Filled, Finished, FirstToken, Record, Row, Step


@dataclass
class Link:
    """Keeps what is told."""

    is_on: bool = True
    state_wanted: bool = False
    since: int = 0
    told: list[Any] = field(default_factory=list)

    def tell(self, message: Any) -> None:
        self.told.append(message)


def request(name: str, prompt: int = 20, *hashes: bytes) -> Any:
    return Thing(
        request_id=name, num_prompt_tokens=prompt, max_tokens=9, priority=0, block_hashes=list(hashes),
        num_preemptions=0, num_output_tokens=0,
    )  # fmt: skip


def output(new: Any = (), cached: Any = (), resumed: Any = ()) -> Any:
    """What a scheduler decided: `new` are (id, tokens, computed, blocks), `cached` the same of those that ran."""
    return Thing(
        scheduled_new_reqs=[Thing(req_id=i, num_computed_tokens=c, block_ids=(b,)) for i, _, c, b in new],
        scheduled_cached_reqs=Thing(
            req_ids=[i for i, *_ in cached], num_computed_tokens=[c for _, _, c, _ in cached],
            new_block_ids=[(b,) if b else None for *_, b in cached], resumed_req_ids=set(resumed),
        ),
        num_scheduled_tokens={i: n for i, n, *_ in [*cached, *new]},
    )  # fmt: skip


def result(name: str, tokens: int, reason: str | None = None) -> Any:
    return Thing(request_id=name, new_token_ids=[7] * tokens, finish_reason=reason and Thing(name=reason))


@pytest.fixture
def link() -> Link:
    return Link()


@pytest.fixture
def notes(link: Link) -> Notes:
    ticks = count(1_000, 10)
    return Notes(link, 4, lambda: next(ticks))  # type: ignore[arg-type]


def kinds(link: Link) -> list[str]:
    return [message[0] for message in link.told]


def test_rows_say_hits_new_blocks_and_how_a_request_came(link: Link, notes: Notes) -> None:
    requests = {name: request(name) for name in "abcd"}
    requests["d"].num_preemptions = 1
    decided = output(
        new=[("a", 12, 8, [1, 2, 3, 4]), ("d", 4, 4, [9, 10])],
        cached=[("b", 1, 5, []), ("c", 6, 8, [5, 6, 7, 8])],
        resumed="c",
    )
    notes.planned(notes.before_plan(None), decided, requests)
    assert link.told[-1][3] == [
        ("b", 1, 5, 0, (), ()),
        ("c", 6, 8, 2, (7, 8), (5, 6)),
        ("a", 12, 8, 1, (3, 4), (1, 2)),
        ("d", 4, 4, 2, (10,), (9,)),
    ]


def test_names_are_told_as_blocks_fill_and_not_for_the_last_token(link: Link, notes: Notes) -> None:
    one = request("a", 20, b"h0", b"h1")
    notes.added(one, Thing(requests={"a": one}))
    assert link.told[-1][2:] == ("a", 20, 9, 0, (b"h0", b"h1"))
    for hashes, reason, names in (([], None, ()), ([b"h2"], None, (b"h2",)), ([b"h3"], "LENGTH", ())):
        one.block_hashes += hashes
        decided = output(cached=[("a", 1, 20, [])])
        notes.planned(notes.before_plan(None), decided, {"a": one})
        notes.done(decided, {0: Thing(outputs=[result("a", 1, reason)])}, {"a": one})
        assert link.told[-1][3] == [("a", 1, reason and reason.lower(), names)]


def test_nothing_is_noted_while_no_bridge_listens(link: Link, notes: Notes) -> None:
    link.is_on = False
    one = request("a")
    notes.added(one, None)
    decided = output(new=[("a", 4, 0, [1])])
    notes.planned(notes.before_plan(None), decided, {"a": one})
    notes.done(decided, {0: Thing(outputs=[result("a", 1)])}, {"a": one})
    notes.left([one])
    assert not link.told


def test_who_is_there_is_told_before_what_happens_next(link: Link, notes: Notes) -> None:
    link.state_wanted = True
    a, b = request("a"), request("b")
    notes.added(b, Thing(requests={"a": a, "b": b}))
    assert kinds(link) == ["state", "add"]
    assert link.told[0][2:] == (True, [("a", 20, 9, 0, ())])
    assert not link.state_wanted
    link.state_wanted = True
    notes.planned(notes.before_plan(Thing(requests={})), output(), {})
    notes.before_plan(Thing(requests={}))
    assert kinds(link) == ["state", "add", "state", "plan"]
    link.state_wanted = True
    notes.before_plan(Thing(requests={}))
    assert link.told[-1][2] is False, "a server that has planned isn't fresh any more"


def test_times_grow_strictly_whatever_the_clock_says(link: Link) -> None:
    notes = Notes(link, 4, lambda: 5)  # type: ignore[arg-type]
    times = [notes.now() for _ in range(4)]
    assert times == [5, 6, 7, 8]


def test_steps_are_done_in_the_order_of_their_plans(link: Link, notes: Notes) -> None:
    first, second, third = output(), output(), output()
    for decided in (first, second, third):
        notes.planned(notes.before_plan(None), decided, {})
    notes.done(first, {}, {})
    notes.done(third, {}, {})  # the second one failed
    assert [message[2] for message in link.told if message[0] == "done"] == [1, 3]


# ---- the bridge's side ----


class Told:
    """A lane, and the records that it told."""

    def __init__(self, *, keeps_prompts: bool = False) -> None:
        self.records: list[Record] = []
        self.merge = Merge(self.records.append)
        self.names = Names(lambda name: {"A": "a", "B": "b"}.get(name))
        self.lane = Lane("", 100, self.names, self.merge, keeps_prompts=keeps_prompts)

    def take(self, *messages: Any) -> list[Record]:
        """The records that come of these messages."""
        before = len(self.records)
        for message in messages:
            self.lane.take(message)
            self.merge.release(self.lane.low())
        return self.records[before:]


def test_what_happens_during_a_step_comes_after_it() -> None:
    told = Told()
    told.take(("state", 100, True, []))
    assert told.take(("add", 110, "A", 4, 9, 0, [77])) == [Arrived(10, "a", 4, 9, block_names=(0,))]
    assert told.take(("plan", 120, 1, [("A", 4, 0, 1, [1], [])], [], [])) == []
    assert told.take(("leave", 125, [("B", 0)])) == [], "nobody knows B"
    assert told.take(("add", 130, "B", 4, 9, 0, [77, 78])) == []
    assert told.take(("done", 150, 1, [("A", 1, None, [79])], 3)) == [
        Admitted(20, "a", 0),
        Step(0, 20, 30, (Row("a", 4, 0, "new", (1,)),), filled=(Filled("a", 2),)),
        Arrived(30, "b", 4, 9, block_names=(0, 1)),
        FirstToken(50, "a", 0),
    ]
    assert (told.lane.hook_ns, told.lane.step_ns) == (3, 30)


def test_a_step_that_was_planned_ahead_begins_when_the_last_one_ends() -> None:
    told = Told()
    told.take(("state", 100, True, []), ("add", 101, "A", 1, 9, 0, []))
    told.take(("plan", 110, 1, [("A", 1, 0, 1, [1], [])], [], []), ("plan", 112, 2, [("A", 1, 1, 0, [], [])], [], []))
    told.take(("leave", 118, [("A", 0)]))
    told.take(("done", 120, 1, [], 0), ("done", 130, 2, [], 0))
    told.merge.release()
    steps = [record for record in told.records if isinstance(record, Step)]
    assert [(step.at, step.duration, step.planned) for step in steps] == [(10, 10, None), (20, 10, 12)]
    assert [type(record) for record in told.records][-2:] == [Step, Cancelled], "the second step has a row for it"
    assert told.records[-1].at == 20


def test_an_empty_plan_is_no_step() -> None:
    told = Told()
    told.take(("state", 100, True, []), ("plan", 110, 1, [], [], []), ("done", 120, 1, [], 0))
    told.take(("add", 121, "A", 1, 9, 0, []), ("plan", 130, 2, [("A", 1, 0, 1, [1], [])], ["B"], [4]))
    told.take(("done", 140, 2, [("A", 1, "stop", [])], 0))
    told.merge.release()
    [step] = [record for record in told.records if isinstance(record, Step)]
    assert (step.step, step.preempted, step.evicted) == (0, ("b",), (4,))
    assert told.records[-1] == Finished(40, "a", "stop", 1, 0)
    assert not told.lane.has_own()


def test_somebody_elses_requests_have_names_that_tell_nothing() -> None:
    told = Told()
    told.take(("state", 100, False, [("cmpl-secret", 4, 9, 0, [])]), ("add", 110, "chat-secret", 4, 9, 0, []))
    assert [record.id for record in told.records if isinstance(record, Arrived)] == ["(guest 1)", "(guest 2)"]
    assert told.lane.is_fresh is False
    assert not told.lane.has_own()


def test_prompts_are_taken_of_the_runs_own_requests_from_a_recorder_that_said_so() -> None:
    messages = (
        ("state", 100, True, []), ("prompt", "A", [7, 8]), ("add", 110, "A", 2, 9, 0, []),
        ("prompt", "chat-secret", [9]), ("add", 120, "chat-secret", 1, 9, 0, []),
        ("prompt", "B", [5]), ("add", 130, "B", 1, 9, 0, []), ("beat", 140),
    )  # fmt: skip
    for keeps, kept in ((True, [(7, 8), (), (5,)]), (False, [(), (), ()])):
        told = Told(keeps_prompts=keeps)
        assert [record.prompt_token_ids for record in told.take(*messages) if isinstance(record, Arrived)] == kept


def test_what_came_before_the_run_is_no_part_of_it() -> None:
    told = Told()
    assert told.take(("add", 50, "A", 4, 9, 0, []), ("plan", 60, 1, [("A", 4, 0, 1, [1], [])], [], [])) == []
    assert told.lane.is_fresh is None


def test_steps_that_others_decided_before_the_run_are_no_part_of_it() -> None:
    told = Told()
    told.take(("state", 90, True, [("other", 4, 9, 0, [])]), ("plan", 95, 1, [("other", 4, 0, 1, [1], [])], [], []))
    told.take(("plan", 105, 2, [("other", 1, 4, 0, [], [])], [], []), ("done", 110, 1, [("other", 1, None, [])], 0))
    told.take(("done", 120, 2, [("other", 1, None, [])], 0))
    told.merge.release()
    assert [(step.step, step.at) for step in told.records if isinstance(step, Step)] == [(0, 5)]
    assert told.lane.is_fresh is False


def test_lanes_are_merged_in_the_order_of_time() -> None:
    found: list[int] = []
    merge = Merge(lambda record: found.append(record.at))
    for at in (5, 3, 9, 4):
        merge.add(Cancelled(at, str(at)))
    merge.release(5)
    assert found == [3, 4]
    merge.release()
    assert found == [3, 4, 5, 9]


def names() -> Iterator[tuple[str, int | None]]:
    yield "cmpl-itb-run1-12-0-0123abcd", 12
    yield "cmpl-itb-run1-12-0", 12
    for other in ("cmpl-itb-run2-12-0-0123abcd", "cmpl-itb-run1-12-1-0123abcd", "cmpl-itb-run1-x-0", "cmpl-run1-12-0"):
        yield other, None


@pytest.mark.parametrize(("name", "number"), list(names()))
def test_a_request_is_known_by_what_vllm_calls_it(name: str, number: int | None) -> None:
    assert own_number("run1", name) == number


def test_one_module_alone_imports_vllm() -> None:
    live = Path(__file__).parents[2] / "engine" / "live"
    wanting = re.compile(r"^\s*(?:from|import) vllm\b", re.MULTILINE)
    importing = [file.name for file in live.rglob("*.py") if wanting.search(file.read_text("utf-8"))]
    assert importing == ["recorder.py"]
