"""Turns what a recorder tells into records of a trace. Pure: messages go in, records come out.

A step's record says how long it lasted, so it comes when its tokens have come; and what happened after the step
began must not be told before it. So records go out by `Merge`, which holds them back until nothing earlier can come.
"""

from collections import deque
from collections.abc import Callable
from heapq import heappop, heappush
from typing import Any, Literal

from engine.live.recorder_wire import KINDS, Message
from engine.trace import Admitted, Arrived, Cancelled, Filled, Finished, FirstToken, Record, Row, Step


class Merge:
    """Puts the records of several lanes in the order of their times. Of one time, steps come first."""

    def __init__(self, tell: Callable[[Record], None]) -> None:
        self._tell = tell
        self._held: list[tuple[int, int, int, Record]] = []
        self._count = 0

    def add(self, record: Record) -> None:
        """Hold a record back until its turn."""
        rank = 0 if isinstance(record, Step | Admitted) else 1
        heappush(self._held, (record.at, rank, self._count, record))
        self._count += 1

    def release(self, before: int | None = None) -> None:
        """Tell what is older than `before`; everything, without it."""
        while self._held and (before is None or self._held[0][0] < before):
            self._tell(heappop(self._held)[3])


class Names:
    """Small numbers for the content of blocks, in the order in which it was first seen, and ids for requests."""

    def __init__(self, own_id: Callable[[str], str | None]) -> None:
        self._own_id = own_id
        self._numbers: dict[int, int] = {}
        self._ids: dict[str, str] = {}
        self._num_guests = 0
        self.taken: set[str] = set()
        """Ids of the trace that are somebody's."""

    def numbers(self, names: Any) -> tuple[int, ...]:
        """A number for each name."""
        return tuple(self._numbers.setdefault(int(name), len(self._numbers)) for name in names)

    def is_own(self, name: str) -> bool:
        """Whether a request is one of the workload's."""
        return self._own_id(name) is not None

    def id(self, name: str) -> str:
        """A request's id in the trace: the workload's own, or for somebody else's request one that tells nothing."""
        found = self._ids.get(name)
        if found is None:
            found = self._own_id(name)
            # An id that is taken already is that of a request which was given up, and came late all the same.
            if found is None or found in self.taken:
                self._num_guests += 1
                found = f"(guest {self._num_guests})"
            self._ids[name] = found
            self.taken.add(found)
        return found


class _Open:
    """A step that was decided and isn't done."""

    def __init__(
        self, at: int, number: int, rows: list[Row], preempted: tuple[str, ...], evicted: tuple[int, ...]
    ) -> None:
        self.at, self.number, self.rows, self.preempted, self.evicted = at, number, rows, preempted, evicted


class Lane:
    """What one recorder tells. Times in messages are the machine's; `began` is the run's zero on that clock.

    Prompts are taken only from one that said at first that it `keeps_prompts`.
    """

    def __init__(self, name: str, began: int, names: Names, merge: Merge, *, keeps_prompts: bool = False) -> None:
        self.name = name
        self._began, self._names, self._merge = began, names, merge
        self._open: deque[_Open] = deque()
        self._left_early: list[tuple[str, int]] = []
        self._step = 0
        self._done_at = 0
        self._heard = 0
        self._tokens: dict[str, int] = {}
        self._keeps_prompts = keeps_prompts
        self._prompts: dict[str, tuple[int, ...]] = {}
        self.is_fresh: bool | None = None
        """Whether the server had done nothing before the run; None until it has said so."""
        self.num_lost = 0
        self.hook_ns = 0
        self.step_ns = 0

    def low(self) -> int:
        """Nothing older than this will come any more."""
        return max(self._open[0].at, self._done_at) if self._open else self._heard + 1

    def has_own(self) -> bool:
        """Whether a request of the workload is there whose end wasn't told."""
        return any(self._names.is_own(name) for name in self._tokens)

    def take(self, message: Message) -> None:
        """One message. Raises `ValueError`, `TypeError` or `LookupError` for what is none."""
        match message[0]:
            case "state":
                self.is_fresh = bool(message[2])
                for one in message[3]:
                    self._arrive(self._time(message[1]), *one)
            case _ if self.is_fresh is None:
                return  # before the run began
            case "prompt":
                self._keep_prompt(*message[1:])
            case "add":
                self._arrive(self._time(message[1]), *message[2:])
            case "leave":
                self._leave(self._time(message[1]), message[2])
            case "plan" if int(message[1]) < self._began:
                self.is_fresh = False  # somebody else's step, decided before the run's first request could be there
            case "plan":
                self._plan(self._time(message[1]), *message[2:])
            case "done":
                self._finish(self._time(message[1]), *message[2:])
            case "beat":
                self._time(message[1])
            case "lost":
                self.num_lost += int(message[1])
            case other:
                raise ValueError(f"{other!r} is no message of a recorder")

    def _time(self, at: int) -> int:
        self._heard = max(int(at) - self._began, 0)
        return self._heard

    def _keep_prompt(self, name: str, token_ids: Any) -> None:
        if self._keeps_prompts and self._names.is_own(name):
            self._prompts[name] = tuple(int(token) for token in token_ids)

    def _arrive(self, at: int, name: str, num_prompt: int, max_tokens: int, priority: int, names: Any) -> None:
        self._tokens[name] = 0
        record = Arrived(at, self._names.id(name), num_prompt, max_tokens, priority)
        prompt = self._prompts.pop(name, ())
        self._merge.add(
            record._replace(block_names=self._names.numbers(names), lane=self.name, prompt_token_ids=prompt)
        )

    def _leave(self, at: int, gone: Any) -> None:
        for name, num_tokens in gone:
            if self._tokens.pop(name, None) is None:
                continue
            # Two steps are out: the second one has a row for it, and begins, in the trace, when the first one ends.
            if len(self._open) > 1:
                self._left_early.append((name, num_tokens))
            else:
                self._merge.add(Cancelled(at, self._names.id(name), num_tokens))

    def _plan(self, at: int, number: int, rows: Any, preempted: Any, evicted: Any) -> None:
        told = [
            Row(self._names.id(name), count, computed, _kind(kind), tuple(new), tuple(hits))
            for name, count, computed, kind, new, hits in rows
        ]
        gone = tuple(self._names.id(name) for name in preempted)
        self._open.append(_Open(at, number, told, gone, tuple(evicted)))

    def _finish(self, at: int, number: int, tokens: Any, hook_ns: int) -> None:
        while self._open and self._open[0].number < number:
            self._open.popleft()  # its tokens were lost on the way
        if not self._open or self._open[0].number != number:
            return
        step = self._open.popleft()
        begins = max(step.at, self._done_at)
        self._done_at = at
        self.hook_ns += hook_ns
        self.step_ns += at - begins
        for name, num_tokens in self._left_early:
            self._merge.add(Cancelled(at, self._names.id(name), num_tokens))
        self._left_early.clear()
        index = self._step
        if step.rows or step.preempted or step.evicted:
            self._step += 1
            self._tell_step(step, begins, at, tokens)
        for name, num_tokens, reason, _ in tokens:
            self._tell_tokens(at, index, name, num_tokens, reason)

    def _tell_step(self, step: _Open, begins: int, at: int, tokens: Any) -> None:
        for row in step.rows:
            if row.kind == "new":
                self._merge.add(Admitted(begins, row.id, self._step - 1, row.num_computed_tokens, self.name))
        filled = tuple(
            Filled(self._names.id(name), number)
            for name, _, _, names in tokens
            for number in self._names.numbers(names)
        )
        planned = step.at if step.at < begins else None
        self._merge.add(
            Step(
                self._step - 1, begins, at - begins, tuple(step.rows), step.preempted, step.evicted,
                planned=planned, filled=filled, lane=self.name,
            )
        )  # fmt: skip

    def _tell_tokens(self, at: int, index: int, name: str, num_tokens: int, reason: str | None) -> None:
        before = self._tokens.get(name)
        if before is None:
            return
        self._tokens[name] = before + num_tokens
        if num_tokens and not before:
            self._merge.add(FirstToken(at, self._names.id(name), index))
        if reason is None:
            return
        del self._tokens[name]
        end: Record
        if reason == "stop" or reason == "length":
            end = Finished(at, self._names.id(name), _reason(reason), before + num_tokens, index)
        else:
            end = Cancelled(at, self._names.id(name), before + num_tokens, index)
        self._merge.add(end)


def _kind(number: int) -> Literal["running", "new", "resumed"]:
    kinds: tuple[Literal["running", "new", "resumed"], ...] = ("running", "new", "resumed")
    assert kinds == KINDS
    return kinds[number]


def _reason(reason: str) -> Literal["length", "stop"]:
    return "length" if reason == "length" else "stop"
