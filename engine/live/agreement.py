"""Replays a recording through the engine, call by call, and says where the two first differ.

A recorded trace is the order of what a real scheduler was told and asked: requests came and left, steps were planned,
their tokens came back. The engine is told and asked the same, and must decide the same: the same rows with the same
blocks, the same victims, the same evictions, the same ends. The text isn't needed: a block's content is stood for by
the number that the recorder gave it.

A server that had served before hands out its blocks in another order, and some of them still hold what nobody asks
for any more. It decides the same, about blocks of other names. So each block of the engine is given the name of the
server's block that first stands in its place, and must keep it.
"""

from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields
from typing import Any, Final, NamedTuple

from engine.asynchronous import scheduler_for
from engine.codec import Scalar
from engine.plan import Plan
from engine.request import Request
from engine.settings import Settings
from engine.trace import Arrived, Cancelled, Finished, Rejected, Row, Step, Trace

STOP_TOKEN: Final = 1 << 62
"""Stands for the token that ended an answer before its limit."""


class Agreement(NamedTuple):
    """How many steps a recording has, how many of them the engine decided alike, and the first that it didn't."""

    num_steps: int
    num_equal: int
    difference: str = ""
    is_renamed: bool = False
    """Whether blocks had other ids, because the server had served before."""

    @property
    def is_complete(self) -> bool:
        """Whether every step agrees."""
        return self.num_equal == self.num_steps


def agreement(trace: Trace, lane: str = "") -> Agreement:
    """Replay the steps that `lane` took; its name is empty where there are no lanes.

    Nobody may have been on the server when the recording began. After the first difference the two aren't in one state
    any more, so the replay ends there. Raises `SettingsError` for settings that no engine can have.
    """
    replay = _Replay(trace, lane)
    num_equal = 0
    for _, _, do in sorted(replay.calls(), key=lambda call: call[:2]):
        try:
            difference = do()
        except (ValueError, KeyError, RuntimeError) as error:
            difference = f"the engine can't follow: {error}"
        if difference:
            return Agreement(len(replay.steps), num_equal, difference, replay.is_renamed)
        num_equal = replay.num_done
    return Agreement(len(replay.steps), num_equal, is_renamed=replay.is_renamed)


def settings_of(values: Mapping[str, Scalar]) -> Settings:
    """The settings of a recording's engine: what it does, vLLM's known defect included."""
    known = {field.name for field in fields(Settings)}
    ours: dict[str, Any] = {"reject_unservable": False, "keep_stale_hashes": True}
    theirs = {key: value for key, value in values.items() if key in known}
    return Settings.from_mapping(theirs | ours, startup_rule=False)


class _Replay:
    """What was called when, and the engine that it is called on."""

    def __init__(self, trace: Trace, lane: str) -> None:
        self._settings = settings_of(trace.header.settings)
        self._scheduler = scheduler_for(self._settings)
        self.steps = [step for step in trace.steps() if step.lane == lane]
        self.num_done = 0
        self._trace, self._lane = trace, lane
        self._plans: deque[Plan] = deque()
        self._names = {arrived.id: list(arrived.block_names) for arrived in trace.of(Arrived)}
        for step in self.steps:
            for name, number in step.filled:
                self._names.setdefault(name, []).append(number)
        self._ends = {end.id: end for end in trace.of(Finished)}
        self._ending: dict[int | None, set[str]] = {}
        for end in self._ends.values():
            self._ending.setdefault(end.step, set()).add(end.id)
        self._num_nameless = 0
        self._theirs: dict[int, int] = {}
        """The server's id of each block that was handed out."""

    @property
    def is_renamed(self) -> bool:
        """Whether the server's blocks have other ids than the engine's."""
        return any(ours != theirs for ours, theirs in self._theirs.items())

    def calls(self) -> Iterator[tuple[int, int, Any]]:
        """Each call with its time and, of one time, its rank."""
        here = self._of_the_lane()
        for record in self._trace.records:
            if isinstance(record, Arrived) and record.id in here:
                yield record.at, 0, lambda arrived=record: self._arrive(arrived)
            elif isinstance(record, Cancelled) and record.id in here:
                yield record.at, 1, lambda gone=record: self._leave(gone)
        for step in self.steps:
            yield step.at + step.duration, 2, lambda step=step: self._commit(step)
            yield step.at if step.planned is None else step.planned, 3, lambda step=step: self._plan(step)

    def _of_the_lane(self) -> set[str]:
        refused = {record.id for record in self._trace.of(Rejected)}
        return {record.id for record in self._trace.of(Arrived) if record.lane == self._lane} - refused

    def _arrive(self, arrived: Arrived) -> str:
        request = Request(
            arrived.id,
            self._prompt(arrived),
            arrived.max_tokens,
            priority=arrived.priority,
            stop_token_ids=(STOP_TOKEN,),
            arrival_time=arrived.at,
        )
        why = self._scheduler.add_request(request)
        return f"{arrived.id}: the engine refuses it: {why}" if why else ""

    def _leave(self, gone: Cancelled) -> str:
        self._scheduler.abort(gone.id)
        return ""

    def _plan(self, step: Step) -> str:
        plan = self._scheduler.plan(step.at)
        self._plans.append(plan)
        known = set(self._theirs.values())
        self._rename(plan, step)
        for what, ours, theirs in (
            ("rows", tuple(self._renamed(row) for row in plan.rows), step.rows),
            ("preempted", tuple(plan.preempted), step.preempted),
            # What an earlier run left behind is evicted when its block is first handed out.
            ("evicted", self._names_of(plan.evicted), tuple(block for block in step.evicted if block in known)),
        ):
            if ours != theirs:
                return f"step {step.step}, {what}: the engine decides {_apart(ours, theirs)}"
        return ""

    def _rename(self, plan: Plan, step: Step) -> None:
        """Give the engine's blocks that are handed out for the first time the names of the server's."""
        known = set(self._theirs.values())
        for ours, theirs in zip(plan.rows, step.rows, strict=False):
            for block, other in zip(ours.new_blocks, theirs.new_blocks, strict=False):
                if block not in self._theirs and other not in known:
                    self._theirs[block] = other
                    known.add(other)

    def _names_of(self, blocks: Iterable[int]) -> tuple[int, ...]:
        return tuple(self._theirs.get(block, -block) for block in blocks)

    def _renamed(self, row: Row) -> Row:
        return row._replace(new_blocks=self._names_of(row.new_blocks), hit_blocks=self._names_of(row.hit_blocks))

    def _commit(self, step: Step) -> str:
        plan = self._plans.popleft()
        tokens = [self._token(entry[0]) if entry[4] else None for entry in plan.entries]
        ours = {request.id for request in self._scheduler.commit(plan, tokens)}
        theirs = self._ending.get(step.step, set()) & {row.id for row in step.rows}
        self.num_done += 1
        return "" if ours == theirs else f"step {step.step}: it ends {sorted(ours)}, the server {sorted(theirs)}"

    # ---- tokens: the last one of a full block says which content it is ----

    def _prompt(self, arrived: Arrived) -> list[int]:
        size = self._settings.block_size
        tokens = [0] * arrived.num_prompt_tokens
        for index in range(arrived.num_prompt_tokens // size):
            tokens[(index + 1) * size - 1] = self._name(arrived.id, index)
        return tokens

    def _token(self, request: Request) -> int:
        end = self._ends.get(request.id)
        if end and end.reason == "stop" and request.num_output_tokens == end.num_output_tokens - 1:
            return STOP_TOKEN
        index, place = divmod(request.num_tokens, self._settings.block_size)
        return self._name(request.id, index) if place == self._settings.block_size - 1 else 0

    def _name(self, request_id: str, index: int) -> int:
        """The content of a request's block; one of its own where the recording doesn't tell, so that nobody hits it."""
        names = self._names[request_id]
        if index < len(names):
            return names[index]
        self._num_nameless += 1
        return -self._num_nameless


def _apart(ours: tuple[Any, ...], theirs: tuple[Any, ...]) -> str:
    """Where two tuples first differ."""
    for one, other in zip(ours, theirs, strict=False):
        if one != other:
            return f"{one}, the server {other}"
    more = ours[len(theirs) :] or theirs[len(ours) :]
    return f"{len(ours)} of them, the server {len(theirs)}; beyond the others: {more[0]}"
